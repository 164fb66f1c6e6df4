"""How English says it."""

import re
from typing import Final

from memory.clinical.asking import (
    ASKS_ALLERGY_EN,
    ASKS_DISEASE_EN,
    ASKS_OPERATION_EN,
    ASKS_PREGNANCY_EN,
    ASKS_REACTION_EN,
)
from memory.clinical.expecting import NOT_PREGNANT_EN, NURSING_EN, PREGNANT_EN
from memory.clinical.grammar import Grammar
from memory.clinical.harmed import DISGUST_EN, DISLIKED_EN, HARM_EN, UPSET_EN
from memory.clinical.kin import KIN_EN, OTHERS_EN
from memory.clinical.operated import OPERATED_EN
from memory.clinical.sketch import CLAUSE_EN, pattern
from memory.clinical.unborne import ALLERGIES_EN, AVERSE_EN

EN: Final = Grammar(
    written=re.compile(r"[a-z]{2}"),
    asks_first=True,
    telling=re.compile(
        r"all?er?g|nkd?a|preg|expecting|trimester|weeks|wks|months|gravida|due in|baby|bun in|knocked|duff"
        r"|breast|nursing|lactat|pumping|chestfeed|\bbf|itis|osis|emia|opathy|plegia|sclerosis|syndrome"
        r"|disease|disorder|dystroph|oma\b|deficien|palsy|insufficien|ataxia|porphyria|condition|illness"
        r"|problem|history|healthy|well|pmh|denies"
    ),
    allergic=re.compile(
        r"all?er?g|react|anaphyl|sensitiv|intoler|skin test|nkd?a|epi ?pen|chart|bracelet|band|file|notes"
    ),
    cut=re.compile(r"\b(?:metal|surgery|operat|knife)"),
    people=pattern(
        r"\b(?=\w)(?:(?P<relative>(?<!\bas )(?<!i was )(?<!\blike )(?<!i'm )(?<!i am )\b(?:my|our|your|his|her|the"
        rf"|their|both|both of my|me|an?)\s+(?:[a-z]+ )?(?:{KIN_EN})s?\b(?:'s? (?:{KIN_EN})s?\b)*(?:'s\b|')?"
        rf"|^(?:{KIN_EN})s?\b"
        rf"|(?<=[.!?;,] )(?:{KIN_EN})(?:'s|s)?(?=(?<='s) | (?:is|has|was|had|takes|got|gets)\b)"
        r"|(?<=, )(?:aunt(?:ie)?|uncle|sister|brother|mum|mom|dad|gran|grandad|grandma|cousin)"
        r"(?= (?!and\b|or\b|who\b)[a-z])"
        r"|(?:(?<=there's )|(?<=theres ))(?:aunt(?:ie)?|uncle|mum|mom|dad|gran(?:ny|dad|ma|pa)?|nan|brother"
        r"|sister)\b(?!')"
        r"|(?<![a-z] )\b(?:mum|mom|dad|granny|nan|grandma|grandpa)\b|\b(?:family history"
        r"|fhx?|runs in (?:my|the) family|in the family)\b|\bour \d|\b(?:two|three|four|both|all|several|some"
        r"|no) (?:[a-z]+ )?(?:aunts|uncles|brothers|sisters|sons|daughters|kids|children|cousins|grandparents"
        rf"|parents)\b|\bmy \d{{1,2}} ?(?:yo|y/o|year[- ]old|month[- ]old|mo)\b)|(?P<own>\b(?:"
        r"i(?! (?:think|guess|believe|reckon|suppose)\b)|i'm|im|i've|ive"
        r"|i'd|me|(?<!\bon )(?<!\bin )(?<!\bat )(?<!\bof )(?<!\bfrom )my|(?<!of )mine|myself|we|pt"
        r"|patient (?=has|is|reports|denies|with|states))\b)|(?P<pronoun>(?<=gave )her\b|(?<=give )her\b"
        r"|\b(?:he|she|they|him|them|he's|she's"
        r"|they're|hers|his)\b)"
        r"|(?P<other>(?<!i'm the )(?<!i'm a )(?<!i am the )(?<!i am a )(?:"
        r"(?<!walk )(?<!walking )(?<!walked )\b(?:the |a |my )?(?:lady|man"
        r"|woman|person|resident|patient|guy|kid|child|boy|girl|gentleman|chap) (?:i|we|that i) \w+"
        rf"|(?<!walk the )(?<!walking the )(?<!walked the )(?<!feed the )\b(?:{OTHERS_EN})\b)))"
    ),
    staff=re.compile(
        r"they|them|(?:s?he)(?:'s| has)? (?:also |now |just |finally )?(?:says?|said|thinks|told|reckons|gave"
        r"|put|doubled|halved|upped|cut|referred|ruled|confirmed|diagnosed|prescribed|started|switched|took me"
        r"|wants|called it|looked at my|saw (?:me|my|it)|laughed|had me|agreed|suggested|recommended|is happy (?:to"
        r"|with)|is adding|wasn'?t thrilled|asked (?:me|about)|(?:wrote|swapped|changed|moved|bumped|raised|lowered"
        r"|reduced|added|increased) (?:me|my|it|that|the)"
        r"|(?:took|stopped|kept|okayed|ran) (?:me|my|it|that|the dose))\b|(?:his|her) (?:cut-?off|office"
        r"|log|list|desk|words|computer|opinion|advice)\b"
    ),
    retold=re.compile(
        r"\btranslat|\bin (?:chinese|spanish|french|german) (?:means|is)|how do (?:you|i) say|(?<!could )\bwrit(?:e"
        r"|ing) (?:me )?(?:a|an|my) (?:story|novel|thriller|mystery|crime \w+|play|sketch|essay|poem|scene"
        r"|script|song|letter|book)|\bhomework|\bassignment|\bexam\b(?! (?:nerves|stress|season|anxiety|results?"
        r"|period|weeks?))|\bquiz\b|\bessay\b|\bflashcard"
        r"|role ?-?play|pretend|case study|\bplot\b(?! twist| of land)|\bchapter \d|\bwhat does \w+ mean\b"
        r"|\bbed \d+ (?:is|has"
        r"|was|needs)\b|\bmy (?:detective|character|protagonist|heroine|hero)\b|\bcodebase|\bd&d\b"
        r"|(?<!reading a )(?<!read a )(?<!good )\bnovel\b|screenplay|\blyrics|\bmy script\b|\bi play (?:the"
        r"|a) patient\b|\bosce\b"
        r"|\bstandardi[sz]ed patient"
    ),
    reported=re.compile(
        r"\bleaflet|\barticle|\bheadline|\bread a (?:thing|post|piece|story)"
        r"|(?<!good )(?<!great )(?<!bad )(?<!brilliant )(?<!big )(?<!happy )(?<!sad )(?<!some )(?<!my )\bnews\b"
        r"|\bbinged?\b|\bautocorrect\w*|\bsaw that\b|\bread (?:that|about|an|somewhere|online)|\bsaw (?:a"
        r"|an) (?:video|post|advert|ad|film|movie|show"
        r"|documentary)|\bon tv\b|\bfilm\b|\bmovie\b|\bpodcast|\bposter\b|\badvert|\bstudy\b|\bstudies\b"
        r"|\bthe label\b|\b(?:they|people|some) (?:say|reckon|claim)\b(?! it(?:'s| is)\b)"
        r"|\bmyth\b|\bheard (?:that|about|of)"
        r"|\bapparently\b|\bsays 'do not|\bwikipedia|\btiktok|\bdocumentary|\bthe (?:show|series)\b|\b(?:form"
        r"|questionnaire) (?:asks|says|wants)\b(?! about)|\bdream(?:t|ed|s)?\b|\b(?:texted|sent|forwarded"
        r"|emailed|messaged) me (?:her|his|their)\b|\bepisode of\b|\bmeme\b|\bsong\b|\b(?:reckons?|convinced"
        r"|jokes?|teases?|insists?|swears?) (?:that )?i(?:'m|'ve| am| have| must)\b|\bwrong (?:person|patient|chart"
        r"|file|record)\b|\banother (?:mr|mrs|ms|patient)\b|\bgoogle\b|\b(?:someone|somebody) else'?s\b"
    ),
    denied_before=pattern(
        r"(?:\b(?:cured of|rid of|no more|no(?! (?:i )?had an? )|not|never|nor|neither|without|denies|denied"
        r"|negative for|clear (?:for|of)|ruled out|free of|don'?t|doesn'?t|didn'?t|haven'?t|hasn'?t|hadn'?t|isn'?t"
        r"|aren'?t|wasn'?t|weren'?t|ain'?t|nope|cleared of|rather than)\b)(?:\s+(?:ever|had|have|has|having|been|got"
        r"|get|a|an|any|the|known|real|history|hx|of|diagnosed|with|actually|really|so|much|as|to|be|was|were|currently"
        r"|suffer|from|other|single|major|significant|past|medical|chronic|serious|personal|a diagnosis of|or|and|nor"
        r"|all that|so far as i know|type|evidence|signs?)\b|[\s,/]|<SDOVGRY>|\bor\b|\band\b)*+\s*$"
    ),
    denied_after=pattern(
        r"^(?:\s|<D>|,|and|or)*(?:[:=]\s*(?:no|none|nil|neg|n)\b|\((?:-|no|neg)\)|\b(?:was|were|is|are"
        r"|has been|have been|came back|test(?:s|ed)?(?: was| came back)?|got) (?:all )?(?:ruled out|negative"
        r"|excluded|normal)\b|(?:skin )?tests? negative|negative\b|ruled out"
        r"|\s*(?:<T>|tests?|bloods?)+ (?:was|were|is|came (?:back|<G>)|has come (?:back|<G>)) (?:all )?"
        r"(?:negative|normal|clear)|\s*-ve\b)"
    ),
    doubted_before=pattern(
        r"\b(?:if|might|may|maybe|could|could it be|would|end(?:ing)? up with|terrified|worr(?:y|ied|ies)"
        r"|afraid|scared|fear|suspect(?:s|ed)?|suspicion|possibl[ey]|probabl[ey](?! (?:mention|say|add|tell|warn))"
        r"|perhaps"
        r"|wonder(?:ing)?"
        r"|whether|difference between|thinking(?=\s*$)|think (?:i|its?|i've|that)|convinced (?:myself|it|i)"
        r"|thinks? (?:i|it)|thought (?:i|it|they)|hop(?:e|ing) (?:that )?(?:i|it|this)"
        r"|feels? like|seems? like|looks? like|rule out|rules? out|r/o|risk of|risk for|at risk|risks"
        r"|screen(?:ing|ed)? for|test(?:ed|ing|s)?(?: me)? for|check(?:ed|ing)?(?: me)? for|prevent|prevents"
        r"|avoid getting|vaccine|jab|causes?|cause of|lead to|leads to|turn into|turn out|become|sounds? like"
        r"|is (?:it|this|that)|what is|whats|what's|what are|signs? of|symptoms? of|cure for"
        r"|(?<!i )get(?:ting)? (?!over)"
        r"|am i|are you|do i have|is there|have i got|does that mean|google[ds]?|nearly|almost|wish|as if"
        r"|supposed|suppose|like having|what if|develop(?:ing)?|contract|catch|catching|not sure|unsure"
        r"|borderline|pre-?|mistaken for|instead of|specialist in|awareness|charity|research|run for|ward|unit"
        r"|clinic|nurse|(?:would|did|do)n'?t say|not saying|never said|don'?t tell me|(?:isn'?t|not) like(?= i\b))\b"
    ),
    doubted_after=pattern(
        r"^\s*(?:\?|risk|risks|vaccine|shots?|jab|screening|test\b|tests\b|awareness|charity|or (?:is|just"
        r"|something)|is (?:it|that)|scare|ward|unit|clinic|nurse|research|season|specialist|diet|group|forum)"
    ),
    overturned=re.compile(
        r"\bturn(?:s|ed) out (?:that )?(?:i (?:never|don'?t|didn'?t|wasn'?t|am not|'m not|do not)|it (?:never"
        r"|wasn'?t|isn'?t)|not\b)|\b(?:took|taken|struck|crossed|removed) (?:the |that |this |my )?(?:label"
        r"|allergy|diagnosis)(?: label)? off\b|\bstruck it off\b|\bruled it out\b|\bsaid no, it (?:was|is)\b"
        r"|\bde-?label\w+|\b(?:taken|took|crossed|struck) (?:it|that|them) off (?:my|the) (?:records?|list"
        r"|notes?|file|chart)\b|\b(?:haven'?t got|don'?t have"
        r"|have|got) (?:any|none) of (?:'?em|them|those)\b|\bnot allergic,? never was\b|\bit never was\b"
        r"|\blabel (?:has been |was |is |got )?(?:removed|gone|taken off|off)\b|\btested me and it'?s wrong\b"
        r"|\boff my (?:records?|file|chart|notes?),? (?:it|that) (?:was|is) (?:a|an) (?:mistake|error|mix-?up)\b"
        r"|\b(?:bloods?|blood tests?|biops(?:y|ies)|scans?|swabs?)\b[^.!?\n]{0,24}\bcame back (?:all )?(?:negative"
        r"|normal|clear)\b"
        r"|\b(?:it'?s|its|that'?s) (?:actually |just )?not true\b|\bisn'?t true\b"
        r"|\b(?:but|though) (?:i'?m |i am |it'?s )?not (?:actually |really )?(?:allergic|an allergy)\b(?! to)"
        r"|\byou'?(?:ve| have)? (?:mixed|confused|muddled) me (?:up )?with\b"
        r"|\b(?:re)?tested\b[^.!?\n]{0,40}\b(?:it|that) (?:was|turned out to be)"
        r" (?:wrong|a mistake|an error|incorrect)\b"
        r"|\bwas never (?:true|right|the case)\b|\bfalse alarm\b"
        r"|\bnobody (?:medical|qualified)\b|\bno (?:doctor|one medical) has ever\b"
        r"|\bnot (?:really )?(?:allergic|true) after all\b"
        r"|\b(?:isn'?t|not|wasn'?t) an? (?:true |real |proper )?allergy\b(?! to)"
        r"|\b(?:i'?m |i am |i was |i )(?:mixing|mixed|getting|got) (?:that|it|this|them"
        r"|those) (?:all )?(?:mixed )?up\b"
        r"|\b(?:actually|wait|sorry|oh no|no|hang on|hold on),? (?:that|it)(?:'s| was| is) (?:actually )?my "
        rf"(?:[a-z]+ )?(?:{KIN_EN})\b(?!'s (?:fault|idea|birthday|turn))"
        r"|\ball?ergy (?:was|has been|is|got) (?:ruled out|disproved|excluded|cleared)\b"
        r"|\bturned out to be (?:wrong|false|a mistake)\b"
    ),
    supposed=re.compile(
        r"\b(?:nobody|no ?-?one|no doctor)(?:'s| has| had)?(?: ever| actually)? (?:said|told me|thinks|diagnosed)\b|"
        r"\b(?:(?:was|were|am|is) supposed to (?:have|get)|(?:terrified|scared|worried|worrying|convinced|afraid"
        r"|petrified|paranoid) (?:that )?(?:this|it|i(?:'ve| have| might| may|'m| am| could))\b"
        r"|if(?! i (?:so much as|even|ever|eat|touch|drink|lick|taste)\b)(?! (?:a|an|my|the) \w+ so much)"
        r"(?! (?:the|any|my|your) \w+ (?:is |are )?(?:reading|reads?|sees?) (?:this|it)\b)"
        r"|suppose|supposing|imagine|(?:^|[.!?] )say i (?:had|have|was|were|am)|what if|hypothetically"
        r"|assuming|in case|unless|let's say|were i)\b"
    ),
    asked=re.compile(
        r"^\s*(?:is|are|am|do(?! (?:yoga|pilates|weights|it|my|the|a)\b)|does|did(?! (?:my|her|his|our|a|an|the"
        r"|another)\b)|can(?!'t (?!(?:i|we|you|he|she|they|people|my)\b))|could|should|would|will|what"
        r"|what's|whats|how|why|which|who|when(?! (?:i|we|he|she) (?:was|were)\b)|where"
        r"|has|have (?:i|you|they)|any)\b"
    ),
    noted=re.compile(
        r"\b(?:note|mention|add|record|(?:put|write) down|(?:warn|remind) (?:the \w+|them|him|her)|tell (?:you|them"
        r"|him|her|the \w+))"
        r"(?: down)?(?: please)? that\b"
    ),
    own_before=pattern(
        r"\b(?:for|with|on|of|given|despite|about|worried|worried that|afraid|afraid that|scared|scared that) my "
        r"(?:mild |bad |severe |chronic |type \d |old )?$"
    ),
    had_before=pattern(
        r"\b(?:clinic|doctors?|doc|gp|nurse|consultant|study|specialist|surgeon|physio|derm|neuro|scan|biopsy"
        r"|x-?ray|<T>|results?"
        r"|they)(?: says?| said| shows?| showed| found| confirmed| comfirmed| came back)?(?: that)?(?: its| it'?s"
        r"| it is"
        r"| it was| i'?ve got| as|:)?(?: an?)?(?: (?:severe|mild|moderate|early|tibial|bad))*\s+$"
        r"|<T>\s?[:=]\s?(?:\w+ )?$"
        r"|\bhelps? the\s+$|\bas an?\s+$|(?:^|[.!?] )am\s+$|\bjust the\s+$|\b(?:on|takes?|taking|took|prescribed"
        r"|started|given|using) (?:my "
        r"|the )?<S>(?: [^,.;\n]{0,28}?)? for(?: my| the| bad)*\s+$|(?:\b(?:i have|i've|i ?ve got|i got|ive"
        r"|have|has|had|i'd had|having|got|with|diagnosed with|dx(?:'d)?(?: with)?|diagnosis of|history of|hx of|h/o"
        r"|hx|pmh(?:x)?|suffer(?:s|ing)? (?:from|with)|living with|live with|i'm|im|i am|being|due to"
        r"|because of|cos of|my|known|s/p|told (?:me )?i(?:'ve| have)? (?:got|had)?|found(?: out)?|born with"
        r"|known|background of|managing|control(?:led)?|for my|treated for|meds for|have had|age \d+"
        r"|after (?:a|my)|since (?:a|my)|type)\b[:]?)(?:\s+(?:a|an|the|my|some|mild|small|mini|minor|massive"
        r"|severe|bad|chronic"
        r"|lifelong|stage|grade|early|late|type|really|also|both|had|got|bit of|touch of|\d+|ii?|iv|i"
        r"|long ?-?standing|poorly|well|controlled|newly|this|that|and|or|of|sort|kind|terrible|awful|awfully"
        r"|recurrent|left|right|\w+ly)|[\s,]|<SDOVGRY>)*+$"
    ),
    since_after=pattern(
        r"^ (?:it|that|which|they) left me\b|^'s been\b|^ (?:drops|tablets|meds|medicine|pills|medication"
        r"|inhalers?|cream)"
        r" (?:ran|run|have run|are|is) (?:out|low|finished)\b|^ (?:girl(?:ie|y)|warrior)\b|^ (?:patient )?here\b"
        r"|^ patient(?=[,.]|$)"
        r"|^\s*(?:[,(]\s*)?(?:(?:since|for|at|in|dx|diagnosed|x|going on|goin'? on|these past"
        r"|about|over|nearly|age|aged|from) ?(?:\w+ ){0,3}|\d+ ?(?:y|yr|year)|under control|well controlled|poorly"
        r"|on (?:<S>|metformin|insulin|treatment|meds|dialysis)|runs my|keeps|'s (?:<G>|flar|playing|acting"
        r"|at it)|flar|is (?:playing|acting"
        r"|getting|under|bad|worse|well|controlled)|has been|my whole life|all my life|years|undetectable"
        r"|in remission|stage)"
    ),
    general_after=pattern(
        r"^\s*(?:'s\b(?! (?:<G>|flar|playing|acting|killing|at it|bad|awful))|patients?|people|sufferers?"
        r"|is (?:a|an|the|caused|common|when|hereditary|genetic"
        r"|contagious)|can (?:be|cause|lead)|causes?|runs|affects?|diets?|recipes?|books?|associations?"
        r"|exactly|mean\b|specialist|(?:says?|said|told|doc|guy|team|reckons|clinic)\b)"
    ),
    over_after=pattern(
        r"^(?: with (?:my |number |the )?(?:first|second|third|fourth|last|one|two|three|son|daughter"
        r"|pregnancy|baby))?"
        r"\s*(?:,? ?(?:but )?(?:it'?s|it was|that'?s|they said|was|is|has|have|i'?m|all|since)? ?(?:all |now "
        r"|long |completely |fully |been )*(?:cleared up|gone|cured|resolved|sorted|ruled out|healed|history\b"
        r"|over (?:it|now)"
        r"|better now|recovered|went away|grew out|outgrew|outgrown))"
    ),
    allergies=ALLERGIES_EN,
    averse=AVERSE_EN,
    headings=pattern(
        r"(?:^|[\n.;,|]|\b)(?P<kind>(?:drug |food |known |medication |med )?all?er?g(?:y|ies|ic to)(?: list)?"
        r"|adrs?|all|nkda|(?:past )?medical (?:hx|history)|pmhx?|hx|history|conditions?|past history"
        r"|comorbidities|pm?sh(?:x)?|(?:past )?surgical (?:hx|history)|surger(?:y|ies)|operations?"
        r"|psurgh?x?|implants?"
        r"|procedures?|sensitivit(?:y|ies)|(?:active |current )?problems)"
        r"(?:\s*[:=]|\s+[-–](?=\s))\s*(?P<x>[^\n;]{1,120}?)(?=$|[\n;]|/(?=(?:past|today|med|surg))"
        r"|\.\s|\.$|[,.]?\s*\b(?:meds?|medications?|pmhx?"
        r"|all?er?g\w+|pshx?|surg\w+|social|fhx?|sh|hx|rx)\s*[:=])"
    ),
    nothing=re.compile(
        r"^\s*(?:no|none|nope|nil|n/a|nah|nothing|not? (?:that i know(?: of)?|to my knowledge|known|any"
        r"|as far as i know)|no known(?: (?:drug|food))?(?: all?er?g\w+)?|nkda|nka|never|zero"
        r"|no(?:pe)?,? (?:none|nothing|never|no)|negative|denies|not really)\b[^a-z]*(?:(?:at all|all?er?gies"
        r"|that i know of|no all?er?gies|none|nothing|really|known|of note|significant|surgeries|conditions"
        r"|so far)[^a-z]*)*+$"
    ),
    yes=re.compile(r"^\s*(?:yes|yeah|yep|yup|i am|i do|i have)\b"),
    no_allergies=pattern(
        r"\bnkd?a\b|\bno (?:known |drug |food |any |real |other |medication |medicine )*all?er?g(?:y"
        r"|ies)\b(?! to)|\b(?:(?:don'?t|do not) have|haven'?t(?: got| had)?|have not(?: got| had)?)"
        r" any (?:known |drug |food )*all?er?gies|\b(?:not"
        r"|never been) all?er?gic to (?:anything|any|a single)|\ball?er?gies\s*[:=]\s*(?:none|nil|no|nkda)"
        r"|\bdenies (?:any )?(?:drug |known )?all?er?gies"
    ),
    no_diseases=pattern(
        r"\bno (?:other )?(?:chronic|long[- ]term|ongoing|underlying|medical|pre-?existing|past medical"
        r"|significant|major|health|known|relevant)(?: medical| health)? (?:conditions?|illness(?:es)?"
        r"|diseases?|problems?|issues?|history)|\b(?:otherwise |completely |perfectly |fit and "
        r"|generally )(?:healthy|well)\b|\bno (?:pmhx?|past medical history|medical history)"
        r"|\bdenies (?:any )?(?:chronic|medical) "
    ),
    contact_before=pattern(
        r"(?:\b(?:take|takes|took|taken|taking|eat|eats|ate|eaten|eating|had|have|having|drink|drank|drinking"
        r"|use|used|using|given|gave me|get|got|getting|put|putting|wear|wore|wearing|wears|touch|touched"
        r"|touching|try|tried|prescribed|do|injected|on|with|after|from|to|of|swallow(?:ed)?|inject(?:ed)?"
        r"|stung by|bitten by|near|around|smell(?:ed)?|by|because of|handle|petting|when|whenever|dose of"
        r"|dab of|bite of|c[ao]me off|t[ao]ken? off|took me off|stopped|even|one|the|any|just|a)\b)(?:\s+(?:a"
        r"|an|the|some|any|my|of|that|this|those|one|two|first|second|third|single|dose|pill|tablet|course"
        r"|shot|bite|bit|piece|for|too|much|even|iv|oral|on|with|in|by|little|drop|sip|touch|round|bag|new|it"
        r"|was|me|\w+ing)|\s)*+\s*$"
    ),
    contact_after=pattern(
        r"^[^.;!?\n]{0,30}?\b(?:(?:is|are) (?:a )?(?:big |hard |total )?no\b|one (?:bite|sip|mouthful|whiff"
        r"|spoonful|lick)\b|leaves? [^.;!?\n]{0,30}?\b(?:on|all over) (?:me|my)\b)|^[^.;!?\n]{0,30}?\b(?:gave"
        r"|gives|made|makes|left|leaves?|sent|bring|brought|brings|turned|caused|causes|set|nearly|almost|got"
        r"|touch(?:es|ed)?) (?:me|my|us)\b|^(?:\s*(?:\w+ ){0,3}?)(?:for me)?(?:,? ?(?:it|that|they|which"
        r"|and it|and they|always|once|just|always) ?(?:has|have|had|always|once|just|really)?\s)?\s*(?:gave"
        r"|gives|give|made|makes|make|sent|sends|put|puts|cause[sd]?|triggered|triggers|brought|brings|nearly"
        r"|almost|turned|turns|did|left|had me|has me|closed|closes|shut|swells?|swelled|landed|set|sets"
        r"|kills?|killed|knocked|dropped|after [^.;!?\n]{0,20}had me|had (?:me|my)|and (?:i|my)|,? (?:i|my)"
        r"|covers?|covered|tries|tried|doesn'?t agree|does not agree|blew|blows|itch|burns?|ends?|ended|caused"
        r"|will)\b"
    ),
    treated=pattern(
        r"\bfor (?:my |the |a |an |some |this |bad |really |recurrent |chronic )*$|^\s*for (?:my|the|a"
        r"|this) (?!ct|scan|mri|op|x-ray|operation|surgery|tooth|teeth)|\b(?:helps?|helped|relie\w+|work(?:s"
        r"|ed)? (?:for|on|well)|^\s*for (?:my|the|a|this) (?!ct|scan|mri|op|x-ray|operation|surgery|tooth"
        r"|teeth)|clears?|cleared|fixed|sooth\w*|eased?|calmed?|treat(?:s|ed|ing)?|to (?:stop|calm|treat|help"
        r"|clear)|can i (?:take|use|have)|should i (?:take|use)|safe to|is it ok|ok to|prescribed|applied"
        r"|soothes|took the edge|settled|sorted|went away|gone|what can)\b"
        r"|\b(?:puffs?|and night|every (?:day|night|morning)|daily|a day|since \w+|for (?:years|months|\d+ \w+))\b"
        r"[^!?]{0,60}\bstill\b"
    ),
    unharmed=pattern(
        r"\b(?:never|doesn'?t|don'?t|didn'?t|does not|do not) (?:ever )?(?:give|gave|cause|bring|make|made"
        r"|do)\b|\b(?:fine|no (?:problems?|issues?|trouble|reactions?|side effects?|bother|harm)"
        r"|without (?:any )?(?:problems?|issues?|trouble|a (?:problem|hitch)|incident|reaction)|never had (?:a"
        r"|any) (?:problem|issue|reaction|trouble)|tolerat\w+|nothing happened|all good"
        r"|np|no rash|i can (?:still )?(?:eat|have|drink) (?:\w+ )?(?:by the|all day|loads"
        r"|without)|ok with|okay with|no bother|didn'?t get)\b|\b(?:no|not|didn'?t|doesn'?t) <R>"
    ),
    harm=HARM_EN,
    disliked=DISLIKED_EN,
    disgust=DISGUST_EN,
    upset=UPSET_EN,
    likened=re.compile(r"\b(?:like|size of|as an?|as) (?:an? |the )?$"),
    came_of=re.compile(
        r"\b(?:after|around|near|from|with|when(?:ever)?|if i|afterwards?|because of|thanks to"
        r"|every time)\b[^.;!?\n]{0,30}$|^ on (?:the )?$"
    ),
    caused=re.compile(r"(?:gave|gives|made|makes|left|leaves|sent|brought|brings|turned|turns|put|puts|set)\b"),
    led_to=pattern(r"[a-z]"),
    avoided=(
        pattern(r"(?P<maybe>)(?P<told>\bno) (?P<x><S>)s?,? (?:ever(?: again)?|again)\b(?! again with)"),
        pattern(
            r"(?P<told>\b(?:told(?: me)?|said|says|warned(?: me)?|advised(?: me)?|made me promise|instructed"
            r"|doctors?|dr|gp|consultant|all?er?gist|nurse|hospital|er|paramedics?"
            rf"|pharmacist)\b{CLAUSE_EN}{{0,30}}?)?(?P<maybe>)\b(?:(?<!was )(?<!were )never(?: to)?(?: ever)?(?: be)?"
            r"|not to(?: ever)?"
            r"|avoid|stay away from|steer clear of|keep away from|stay off|can'?t|cannot|can not|mustn'?t"
            r"|must not|shouldn'?t|don'?t|no more|i'?m off|banned from)\s*(?:ever\s+)?(?:be\s+)?(?:take|taking"
            r"|have|having|eat|eating|touch|touching|use|using|given|go near|get|be given|tolerate|do|wear"
            r"|be around|drink)?(?:\s+(?:any|the|that|anything with|all|even|again|more|near|a|an|of|any more"
            r"|any kind of|stuff with))*\s+(?P<x><S>)"
        ),
        pattern(
            r"(?P<maybe>)\b(?:no|not) (?P<x><S>)(?: plasters?| dressings?)?(?: (?:on|for|near) me)?(?:,? (?:though|tho"
            r"|please))?[,;.]? (?P<told>(?:last time|(?:because|cos) (?:it|they|i)|i(?= <R>)|i (?:come|came|break"
            r"|broke|swell))\b"
            r"(?:(?!<S>)[^.!?\n]){0,40}?<R>)(?! (?:from|to|after|with|off) )"
        ),
    ),
    planned=pattern(
        r"\b(?:scheduled|(?:is|are|being) planned|planned(?= for\b| ?[).,;]|$)"
        r"|i'?m having|i am having|tomorrow|next (?:week|month|year|spring|summer|autumn|fall|winter"
        r"|\w+day|jan\w*"
        r"|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)"
        r"|on the (?:waiting )?list for|upcoming|going to|gonna|need(?:s|ed)? (?:a|an|to|my)|(?:set|down) for"
        r"|postponed"
        r"|consider\w*|thinking (?:of|about)|waiting (?:for|list)|booked|want(?:s|ed)? (?:a|an|to|them)|should i"
        r"|before (?:my|the|a|having)|is (?:it|this)|recommend\w*|recovery time|offered|refus\w+|declin\w+"
        r"|might|(?<!in )may|could|instead of|avoid(?:ed)?|cancel\w+|risk|cost|how (?:long|much|safe)|due for"
        r"|due to have|will (?:have|be)|having my|having (?:a|an)|get(?:ting)? (?:a|an|my)|prep(?:aring)? for"
        r"|planning|talk\w* about|no need|don'?t need|suggest\w*|hoping|told (?:me )?(?:i|to) (?:need|should)"
        r"|nervous about|ahead of|worth|would|rather|tempted|keeps? (?:pushing|nagging)|push(?:es|ing) me|decid\w+)\b"
    ),
    done_before=pattern(
        r"(?:\b(?:had|have had|i've had|ive had|got|gotten|after|since|post|s/p|underwent|undergone|following"
        r"|previous|prior|past|history of|hx of|h/o|hx|pmhx?|psh|with|my|did|done|years? ago|when i|by"
        r"|there'?s|put in|put|placed|fitted|inserted|have|has|having had|i'?m|two|three|four|both|a|an|from"
        r"|surg\w* history|operations?)\b[:]?)(?:\s+(?:a|an|the|my|two|three|four|five|six|\d+|both|some|old"
        r"|recent|emergency|right|left|double|triple|quadruple|bilateral|open|laparoscopic|total|partial|full"
        r"|also|previous|of|first|second|third|own|\w+ly|\w+oscopic|\d{4}|back in|new|,)|[\s,/]|<SDOGV>)*+$"
    ),
    done_after=pattern(
        r"^\s*\(\w+, \d{4}\)"
        r"|^\s*(?:[,(]\s*)?(?:(?:is|was|all) done|x ?\d|\d+ ?(?:y|yr|yrs|mo|mths?|wks?) ?ago|in \w*\s?\d{4}"
        r"|\d{4}|'\d\d"
        r"|\d+ (?:years?|yrs?|months?|weeks?)|years? ago|months? ago|weeks? ago|last (?:year|spring|summer"
        r"|autumn|fall|winter|month|week|\w+)|at \d+|at age|when i|as a (?:kid|child|teen)|scar|since|put in"
        r"|went (?:fine|well)|done|in (?:my|the) (?:teens|twenties|thirties|forties|nineties|eighties|heart"
        r"|chest|leg|hip|arm)|,? (?:the one|which) they put in|is in\b(?! my)|went in\b|ago|back in|(?:a|two"
        r"|three|four|five|six|seven|eight|nine|ten|several|a few|a couple of) (?:years?|months?|weeks?) ago"
        r"|on the (?:left|right)|fitted|placed|after|,|\))"
    ),
    operations=OPERATED_EN,
    operated=pattern(
        r"s?(?:'s been (?:(?:out|off|removed|done|replaced|fixed|fused|pinned|gone)\b)| (?:(?:out|off"
        r"|replacement|transplant|removal|repair|fusion|as a (?:kid|child)|straightened)\b))"
    ),
    pregnant=PREGNANT_EN,
    not_pregnant=NOT_PREGNANT_EN,
    nursing=NURSING_EN,
    takes_before=pattern(
        r"(?:\b(?:take|takes|taking|on|been on|i'?m on|put on|prescribed|using|started|meds?:?|medications?:?"
        r"|rx:?|use|anticoagulated with|inject(?:ing)?|daily|switched to|and|with|takin"
        r"|thinners?)\b[:]?)(?:\s+(?:a|an|the|my|daily|some|low|dose|of|\d+ ?mg|twice|once|lifelong)|[\s,])*+$"
    ),
    takes_after=pattern(r"^\s*(?:\d+ ?mg|daily|every|twice|once|bd|od|for (?:my|a|afib|the)|since|levels?|inr|,)"),
    not_taken=re.compile(
        r"\b(?:which is better|versus|vs|stopped|came off|come off|off (?:the|it)|no longer|used to|should i"
        r"|would|if i|instead of|interact|or warfarin|refused|not on|never (?:took|been on)|difference between"
        r"|considering|wants to put)\b"
    ),
    asks_allergy=ASKS_ALLERGY_EN,
    asks_reaction=ASKS_REACTION_EN,
    asks_disease=ASKS_DISEASE_EN,
    asks_operation=ASKS_OPERATION_EN,
    asks_thinner=re.compile(r"thinner|thin (?:your|the) blood|anticoag|medications?|medicines?|\bmeds\b"),
    asks_pregnancy=ASKS_PREGNANCY_EN,
    named_disease=pattern(
        r"\b(?:i have|i've got|ive got|i ?ve|diagnosed with|history of|hx of|suffer from|born with"
        r"|living with)\s+(?:a |an |the |rare |mild |severe |chronic |something called |this thing called "
        r"|condition called )*(?P<x>(?:[a-z'-]+ ){0,3}?[a-z'-]*(?:itis|osis|emia|aemia|opathy|plegia|sclerosis"
        r"|syndrome|disease|disorder|dystrophy|carcinoma|lymphoma|sarcoma|oma\b|deficiency|palsy|insufficiency"
        r"|ataxia|porphyria))\b"
    ),
    pregnant_name="pregnant",
    nursing_name="breast-feeding",
)
