"""English words the fact rules know: relatives, diseases, drugs, operations, pets, jobs.

Each value is the inside of a pattern over lower-case text. Names that no list can hold are caught by their endings.
"""

from typing import Final

RELATIVE: Final = (
    r"mother-in-law|father-in-law|sister-in-law|brother-in-law|step-?mother|step-?father|"
    r"grand(?:mother|father|ma|pa|son|daughter|dad|mom|child)|"
    r"mother|father|mom|mum|mama|mommy|dad|daddy|wife|husband|spouse|partner|boyfriend|girlfriend|"
    r"fiancée?|son|daughter|kid|child|baby|"
    r"toddler|sister|brother|aunt|uncle|cousin|niece|nephew|nana|granny"
)
OUTSIDER: Final = (
    r"friends?|co-?workers?|colleagues?|neighbou?rs?|roommates?|classmates?|boss|teacher|"
    r"landlord|patients?|people|someone|somebody|anyone|"
    r"everyone|everybody|others|students?|clients?|some (?:people|folks)|adults|children|"
    r"women|men|kids|babies|best friend|a (?:guy|man|woman)|"
    r"dog|cat|puppy|kitten|pet|characters?|actors?"
)
# Of these no facts are kept, because nothing tells which one it is, or their tie to the user ended.
DISTANT: Final = (
    r"parents|grandparents|siblings|sisters|brothers|sons|daughters|family|relatives|folks|in-laws|cousins"
    r"|aunts|uncles|"
    r"nieces|nephews|grandchildren|grandkids|grandsons|granddaughters|twins|exe?s?|ancestors|"
    rf"(?:ex|half|foster|god|great(?:[- ]great)*|adoptive|late ex|former)[- ]?(?:{RELATIVE})"
)
NOBODY_KNOWN: Final = (
    r"(?:none|neither|some|all|both|most|many|half|two|three|several|either|any|each|one) of (?:us|them|my|our)|"
    r"no[ -]?one|nobody|no (?:family member|relative)s?"
)

DISEASE_WHOLE: Final = (
    r"type (?:1|2|one|two|i|ii) diabetes|diabetes|high blood pressure|low blood pressure|"
    r"hypertension|high cholesterol|hyperlipid[a]?emia|"
    r"asthma|copd|emphysema|gout|strokes?|heart (?:disease|attack|failure|murmur|condition)|"
    r"angina|atrial fibrillation|afib|arrhythmia|"
    r"epilepsy|seizures|migraines?|vertigo|tinnitus|depression|anxiety|ptsd|adhd|ocd|autism|"
    r"bipolar|schizophrenia|dementia|alzheimer'?s|"
    r"parkinson'?s|multiple sclerosis|ms|lupus|eczema|psoriasis|rosacea|acne|hives|shingles|"
    r"herpes|hiv|aids|hepatitis(?: [abc])?|tuberculosis|tb|"
    r"pneumonia|flu|influenza|covid(?:-19)?|a cold|strep(?: throat)?|mono|malaria|measles|"
    r"chickenpox|chicken pox|lyme|celiac|crohn'?s|ibs|ibd|"
    r"gerd|acid reflux|ulcers?|gallstones?|kidney stones?|kidney failure|fatty liver(?: disease)?|cirrhosis|"
    r"hernia|hemorrhoids|an[a]?emia|leuk[a]?emia|"
    r"lymphoma|melanoma|sleep apn[o]?ea|insomnia|glaucoma|cataracts?|scoliosis|fibromyalgia|"
    r"pcos|uti|uc|hemophilia|hay fever|"
    r"prediabetes|pre-?eclampsia|sciatica|carpal tunnel|herniated discs?|slipped disc|concussion|"
    r"blood clots?|sickle cell"
)
DISEASE_ENDING: Final = (
    r"[a-z]{2,}itis|[a-z]{3,}osis|[a-z]{2,}[a]?emia|[a-z]{3,}oma|[a-z]{3,}pathy|hypothyroidism|"
    r"hyperthyroidism|[a-z]+ism(?<=oidism)|"
    r"(?:disease|syndrome|disorder|cancer|tumou?r|infection|deficiency|nodules?|polyps?|cysts?|"
    r"fracture|intolerance|failure|stones|fibroids|"
    r"lesion|dystrophy|cell an[a]?emia)"
)
# One of these stands in every name with such an ending.
DISEASE_HINT: Final = (
    r"itis|osis|emia|oma|pathy|ism|disease|syndrome|disorder|cancer|tumo|infection|deficiency|"
    r"nodule|polyp|cyst|fracture|intolerance|"
    r"failure|stones|fibroids|lesion|dystrophy"
)
ADJECTIVES: Final = {
    "diabetic": "diabetes",
    "asthmatic": "asthma",
    "epileptic": "epilepsy",
    "anemic": "anemia",
    "anaemic": "anaemia",
    "hypertensive": "hypertension",
    "prediabetic": "prediabetes",
    "lactose intolerant": "lactose intolerance",
    "autistic": "autism",
}
_NOT_DISEASE: Final = (
    "diagnosis prognosis hypnosis osmosis metamorphosis symbiosis diploma aroma coma empathy sympathy apathy "
    "infection disease disorder syndrome fracture failure deficiency cyst"
)
NOT_DISEASE: Final = frozenset(_NOT_DISEASE.split())

DRUG: Final = (
    r"aspirin|ibuprofen|paracetamol|acetaminophen|tylenol|advil|motrin|aleve|naproxen|warfarin|"
    r"coumadin|eliquis|apixaban|xarelto|rivaroxaban|"
    r"clopidogrel|plavix|heparin|insulin|metformin|ozempic|wegovy|mounjaro|semaglutide|prednisone|"
    r"prednisolone|dexamethasone|steroids|albuterol|"
    r"levothyroxine|synthroid|sertraline|zoloft|prozac|lexapro|celexa|cymbalta|wellbutrin|"
    r"bupropion|effexor|venlafaxine|lithium|lamotrigine|"
    r"methotrexate|humira|birth control(?: pills?)?|the pill|blood thinners?|antibiotics|"
    r"antidepressants|painkillers|antihistamines|codeine|morphine|"
    r"oxycodone|tramadol|hydrocodone|gabapentin|lyrica|furosemide|lasix|hydrochlorothiazide|"
    r"hctz|spironolactone|allopurinol|colchicine|"
    r"benadryl|claritin|zyrtec|allegra|loratadine|cetirizine|singulair|montelukast|flonase|"
    r"adderall|ritalin|vyvanse|xanax|ativan|klonopin|valium|"
    r"ambien|melatonin|vitamin [a-k]\d{0,2}|iron supplements?|iron pills?|folic acid|fish oil|"
    r"omega-3|magnesium|probiotics|multivitamins?|nexium|"
    r"pepto|imodium|tums|mucinex|nyquil|dayquil|sudafed|lipitor|crestor|zocor|norvasc|augmentin|"
    r"amoxil|keflex|cipro|z-?pak|tamoxifen|accutane|"
    r"isotretinoin|tretinoin|hydroxychloroquine|plaquenil|epipen|inhalers?|(?:hydrocortisone|"
    r"cortisone|steroid|antifungal) (?:cream|ointment|shots?)|"
    r"hydrocortisone|nitroglycerin|digoxin|cef[a-z]{3,}"
)
# Names of drugs that no list can hold end like this.
DRUG_ENDING: Final = (
    r"prazole|sartan|olol|statin|cillin|"
    r"mycin|floxacin|dipine|gliptin|gliflozin|glutide|azepam|azolam|"
    r"oxetine|opram|triptan|cycline|pril|tidine|conazole|cyclovir|setron|dronate|profen|xaban|"
    r"zosin|oxacin|asone|olone|pine"
)

SURGERY_ENDING: Final = r"ectomy|plasty|otomy"
SURGERY: Final = (
    r"surgery|surgeries|operations?|c-section|cesarean|caesarean|bypass|transplant|stents?|"
    r"pacemaker|"
    r"(?:hip|knee|valve|shoulder) replacement|lasik|tubal ligation|root canal|gastric sleeve|"
    r"wisdom teeth (?:removed|out|pulled)|miscarriage"
)

NOT_JOB: Final = (
    r"toddler|smoker|drinker|lover|mother|father|sister|brother|daughter|believer|sufferer|beginner|"
    r"member|owner|survivor|winner|loser|foodie|"
    r"eater|sleeper|user|runner|thinker|learner|newcomer|outsider|foreigner|stranger|customer|"
    r"listener|bother|number|matter|supporter|"
    r"former|minor|senior|junior|popular|regular|caller|gamer|talker|planner|swimmer|reader|"
    r"hiker|drinkers|Christian|christian|vegetarian|"
    r"person|woman|man|girl|boy|diabetic|perfectionist|pessimist|optimist|feminist|atheist|"
    r"twin|year|little|bit|bigger|better|later|sober|over|under|"
    r"after|rather|together|forever|either|neither|another|other|older|younger|earlier|donor|"
    r"visitor|grandmother|grandfather|stoner|quitter"
)
JOB: Final = (
    r"nurse|student|chef|cook|pilot|lawyer|attorney|accountant|architect|clerk|cashier|nanny|"
    r"farmer|mechanic|police officer|firefighter|soldier|"
    r"veteran|dentist|pharmacist|vet|paramedic|emt|surgeon|scientist|data analyst|analyst|"
    r"intern|freelancer|entrepreneur|consultant|realtor|"
    r"housewife|stay-at-home (?:mom|dad|parent|mother|father)|electrician|plumber|carpenter|"
    r"janitor|judge|coach|tutor|librarian|barista|bartender|"
    r"(?:real estate|estate|travel|insurance|call centre|call center|letting) agent|agent|security guard|guard"
    r"|lifeguard"
    r"|(?:mail|letter) carrier|caretaker|(?:care|health ?care|nursing|home health|teacher'?s) (?:assistant|aide)|aide"
    r"|attendant|(?:pharmacy|lab|dental|vet|nail|it|radiology|x-ray) tech|technician|apprentice|trainee"
    r"|sales ?rep|representative|hostess|tour guide|housemaid|maid|captain"
    r"|priest|pastor|postman|postwoman|fireman|policeman|policewoman|salesman|saleswoman|handyman|fisherman|doorman"
    r"|tradesman|businessman|businesswoman|foreman|forewoman|cameraman|warehouse operative|operative|civil servant|"
    r"waiter|waitress|secretary|receptionist|assistant|executive|nutritionist|social worker|"
    r"postdoc|ceo|cto|flight attendant|"
    r"[a-z]{3,}(?:er|or|ist|ian)"
)
ANIMAL: Final = (
    r"cats?|dogs?|pupp(?:y|ies)|kittens?|parrots?|hamsters?|rabbits?|bunn(?:y|ies)|goldfish|"
    r"guinea pigs?|turtles?|tortoises?|horses?|lizards?|"
    r"geckos?|gerbils?|chinchillas?|cockatiels?|parakeets?|cockatoos?|snakes?|birds?|budgies?|ferrets?|chickens?"
    r"|golden retrievers?|labradors?|labs?|"
    r"poodles?|huskies|husky|corgis?|bulldogs?|"
    r"german shepherds?|beagles?|chihuahuas?|fish|tabby|terriers?|dachshunds?"
)
FUTURE: Final = (
    r"tomorrow|tonight|next (?:week|month|year|spring|summer|fall|autumn|winter|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|weekend)|"
    r"this (?:weekend|summer|fall|winter|spring|friday|saturday|sunday|monday|tuesday|wednesday|"
    r"thursday|evening|afternoon)|"
    r"in (?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december|\d+ (?:days|weeks|months)|a (?:week|month|few days))|"
    r"on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|soon|later this (?:week|"
    r"month|year)|by the end of"
)
