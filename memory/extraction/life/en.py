"""Frames of English."""

import re
from typing import Final

from memory.extraction.facts.en.words import ANIMAL, JOB, NOT_JOB
from memory.extraction.life.grammar import Frame, LifeGrammar
from memory.language.words import listed

_PLACES: Final = "|".join(sorted(map(re.escape, listed("en", "places")), key=len, reverse=True))
_PLACE: Final = (
    rf"(?:(?:{_PLACES})(?: (?:city|state|area|suburbs))?|(?:a|the) (?:suburbs|countryside|coast|village"
    r"|country|seaside)|the \w+ coast)\b"
)
_WORK: Final = (
    rf"(?:{JOB}|temp|porter|carer|caregiver|midwife|ta|teaching assistant|cop|vet tech|barber|joiner"
    r"|builder|roofer|landscaper|courier|rider|dev|sysadmin|pm|rep|postie|farmhand|dog walker|chef"
    r"|childminder)"
)
_KNOWN_WORK: Final = (
    rf"(?:{JOB.partition('|[a-z]')[0]}|teacher|baker|driver|builder|trucker|painter|cleaner|programmer"
    r"|developer|engineer|manager"
    r"|designer|writer|banker|plasterer|welder|butcher|hairdresser|photographer|trainer|lecturer|caregiver"
    r"|postie|midwife|carer"
    r"|porter|barber|joiner|roofer|landscaper|courier|chef|childminder|cop|delivery driver|bus driver|taxi driver)"
)
_ACT: Final = (
    r"(?:running|runs|run|jogging|jog|the gym|gym|lifting|weights|weight training|swimming|swim|swims|laps"
    r"|cycling|cycle|biking|bike|spin(?: class(?:es)?)?|yoga|pilates|hiking|hikes|walking|walks|walk"
    r"|climbing|bouldering|crossfit|meditating|meditation|meditate|journal(?:l?ing)?|smoking|smoke|smokes"
    r"|fags|cigs|cigarettes?|vaping|vape|vapes|weed|edibles|drinking|drink|wine|beers?|whisky|whiskey|gin"
    r"|alcohol|booze"
    r"|coffees?|espressos?|lattes?|caffeine|energy drinks?|red bull|sodas?|diet coke|coke|fizzy drinks|pop"
    r"|green tea|tea|sugar|sweets|candy|chocolate|red meat|meat|dairy|gluten|bread|carbs|keto"
    r"|intermittent fasting|fasting"
    r"|takeaways?|takeout|fast food|junk food|late[- ]night snack(?:s|ing)|snacking|crisps|naps?|napping"
    r"|doomscrolling|scrolling|tiktok|gaming|video games|tennis|football|soccer|basketball|badminton"
    r"|squash|golf|tai chi"
    r"|dancing|zumba|rowing|boxing|karate|judo|martial arts|gardening|reading|stretching|cold showers"
    r"|park ?run|rugby|netball|volleyball|surfing|skiing|snowboarding|skating|allotment|energy gels"
    r"|nicotine(?: gum| patches)?|snus)"
)
_EVERY: Final = (
    r"(?:every (?:\w+ )?(?:day|morning|night|evening|week|weekend|\w+day|lunch(?:time)?)|daily|nightly"
    r"|each (?:day|morning|night)|\w+ (?:times|nights|days|mornings|evenings|x) (?:a|per|each) (?:week|day"
    r"|month)"
    r"|(?:once|twice|\d+ ?x|\d+ times) (?:a|per) (?:week|day)|\d+ ?x|a (?:day|week|night)\b|most (?:days"
    r"|nights|mornings|weekends)|on (?:weekends|\w+days)|(?:before|after) (?:work|bed|dinner)|at weekends"
    r"|\d+k a (?:day|week))"
)
_MUCH: Final = (
    r"(?:(?:half )?(?:a|\d+|two|three|four|five|six|couple of|few|about \d+) (?:packs?|bottles?"
    r"|glass(?:es)?|pints?|cups?|cans?|shots?|cigs|cigarettes)(?: of)?)"
)
_END: Final = (
    r"(?=$|\s(?:as|and|in|for|since|but|right|now|these|this|which|so|doing|instead|last|from|on|with|at"
    r"|because|cos|where|who|again|anymore|lately|until|till|after|before|just|every|by|while|though|\()"
    r"|\s?[(\-])"
)

_FRAMES: Final = (
    Frame("job", re.compile(r"\band (?P<x>retired)\b")),
    Frame("job", re.compile(rf"\bstarted (?:\w+ )?as an? (?P<x>(?:[\w-]+\s){{0,2}}?{_WORK})\b")),
    Frame("habit", re.compile(rf"^just (?P<x>(?:green |herbal |mint |decaf )?{_ACT})\b")),
    Frame(
        "job",
        re.compile(
            rf"^(?:i'm |im )?(?:just )?(?:an? )?(?P<x>(?:[\w-]+\s){{0,2}}?{_KNOWN_WORK})(?:$"
            r"|,? (?:for )?\d+ (?:yrs?|years))"
        ),
    ),
    Frame("job", re.compile(rf"\bjust an? (?P<x>(?:[\w-]+\s){{0,2}}?{_KNOWN_WORK})\b")),
    Frame("job", re.compile(r"^(?:yep|yeah|yes|now|so)?,? ?(?P<x>retired)\b(?! hurt)")),
    Frame(
        "job",
        re.compile(
            r"^(?P<x>(?:driving|delivering|teaching|bartending|stacking|working the)\s(?:a |an "
            rf"|the )?[\w -]{{3,24}}?){_END}"
        ),
    ),
    Frame("habit", re.compile(r"^(?:yep|yeah|nope|no|not one bit)?,? ?(?:still )(?:my |on )(?P<x>\d+ a day)")),
    Frame(
        "habit",
        re.compile(
            rf"^(?:now |just )?(?P<x>(?:[\w-]+\s)?{_ACT})\s(?:all day|every|most|at night|before|after|instead)"
        ),
    ),
    Frame(
        "like",
        re.compile(
            r"\b(?P<x>[\w' -]{3,20}?)(?:'s| is| are) (?:totally |really |now )?my (?:thing|jam|fave|favou?rite"
            r"|go-to|happy place)\b"
        ),
    ),
    Frame("like", re.compile(r"^(?:big|huge|massive|lifelong) (?P<x>[\w' -]{3,20}?) fan\b")),
    Frame(
        "job",
        re.compile(
            r"\b(?:i'?m|i am|im|became|become|being|been|work(?:ing|s)? (?:nights )?as|(?:job|gig|position|role"
            r"|start(?:ed|ing)?|hired|retrain(?:ed|ing)|qualified|trained|on|promoted to|over) as|landed"
            r"|got(?: myself)?|promoted to)"
            r"\s(?:now\s|currently\s|still\s|actually\s|just\s|only\s)*(?:a|an|the)\s(?:new\s|full[- ]time\s"
            rf"|part[- ]time\s)*(?P<x>(?:[\w-]+\s){{0,2}}?{_WORK})\b(?: job| gig| role| position)?(?!\s(?:and"
            r"|with) a (?:cough|cold))"
        ),
    ),
    Frame(
        "job",
        re.compile(
            rf"^(?:well,? |so |also |hi,? )*(?P<x>(?:[\w-]+\s){{0,2}}?{_WORK})\s(?:here|by trade|by day"
            r"|for \d+ years)\b"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:work(?:ing|s)?|job|gig|position|started|starting|employed|hired|placement|apprenticeship"
            r"|contract)\s(?:now\s|part[- ]time\s|full[- ]time\s|nights\s|days\s|remotely\s|(?:night |day "
            r"|late )?shifts?\s|again\s"
            r"|over\s)*(?:at|for|in(?=[\w ]{0,20}\b(?:retail|sales|construction|finance|it|tech|marketing"
            r"|hospitality|education|healthcare|accounting|hr|logistics|insurance|media|office|shop|school|kitchen"
            r"|warehouse|factory|hospital|lab|store|bank|industry|firm|agency|salon|pub|bar|restaurant)\b))"
            rf"\s(?:a|an|the|my|our|this)?\s?(?P<x>[\w&' -]{{3,32}}?){_END}"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:i|i'?m|im|i've been|i am)\s(?:now\s|just\s|also\s|mostly\s|currently\s|back\s)*(?P<x>(?:drive"
            r"|driving|deliver|delivering|teach|teaching|manage|managing|bartend|bartending|bar work|freelance"
            r"|freelancing"
            r"|consult|consulting|tutor|tutoring|nannying|landscaping|weld|welding|bake|baking|code|coding|farm"
            r"|farming|stacking shelves|temping|contracting|running (?:a|my|the)|run (?:a|my|the) (?:small )?)"
            rf"(?:\s(?!myself|down|out|to|me|home|hours|long|in|at|for)[\w'-]+){{0,4}}?){_END}"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:i'?m|i am|im|now|officially|recently|just|i|finally|early|been|went|going|am|currently"
            r"|semi)[- ](?P<x>retired|self[- ]employed|unemployed|between jobs|freelance|freelancing|out of work"
            r"|on disability|jobless"
            r"|(?:a )?stay[- ]at[- ]home (?:mum|mom|dad|parent)|back (?:in|at) (?:school|uni|college)"
            r"|a (?:full[- ]time )?student|studying [\w ]{3,20})\b"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:moved over to|jumped ship to|jumped to|transferred to|went over to|left for)\s(?:a|an"
            rf"|the)?\s?(?P<x>[\w&' -]{{3,30}}?){_END}"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:opened|opening|set up|launched|started|bought|own|took over)\s(?:up\s)?(?:a|an|my|our"
            r"|the)\s(?:own\s|little\s|small\s)*(?P<x>(?:[\w'-]+\s){0,3}?(?:shop|store|business|bakery|cafe|café"
            r"|salon|studio|company|restaurant|bar|pub|food truck|stall|practice|garage|agency|farm|startup))\b"
        ),
    ),
    Frame(
        "residence",
        re.compile(
            r"\b(?:mov(?:ed?|ing)|relocat(?:ed|ing)|transferred|liv(?:e|ing)|based|settled|staying|rent(?:ing)?"
            r"|bought|place|flat|apartment|house|home|studio|condo|cottage|back|up|down|over|out|shipped out|now"
            r"|i'?m|im|am|we're)"
            rf"\s(?:[\w-]+\s){{0,4}}?(?:to|in|into|outside|near|outside of)\s(?P<x>{_PLACE})"
        ),
    ),
    Frame("residence", re.compile(rf"\b(?P<x>{_PLACE})(?: is|'s) (?:home|where i live)")),
    Frame(
        "residence",
        re.compile(
            r"\b(?:moved|moving|relocated)\s(?:back |out |over |down |up )*(?:to|into|in with)\s(?P<x>(?!a new|bed"
            r"|my new)(?:my|a|an|the|our)\s[\w' -]{3,28}?)" + _END
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:started|start|began|took up|taken up|taking up|got (?:back )?into|getting into|back (?:to|at|on"
            r"|in)|picked up|switched to|moved to|swapped [\w ]{1,20}? for|swapped to|replaced [\w ]{1,20}? with"
            r"|do|doing|go|going"
            r"|goes|joined|signed up (?:for|to|at)|hit|hitting|now|still|usually|drink|eat|smoke|having|have"
            r"|love my|on|discovered)"
            rf"\s(?:[\w'-]+\s){{0,3}}?(?P<x>{_ACT})\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"^(?:still |yeah |yep |i |also )*(?P<x>smoke|vape|drink)\s(?:\d+|like|a |half|about|around|socially"
            r"|every|on |too)"
        ),
    ),
    Frame("habit", re.compile(rf"\b(?P<x>{_ACT})\b[^,.;]{{0,24}}?\b{_EVERY}")),
    Frame("habit", re.compile(rf"\b{_EVERY}[^,.;]{{0,16}}?\b(?P<x>{_ACT})\b")),
    Frame("habit", re.compile(rf"\b{_MUCH}\s(?:[\w-]+\s)?(?P<x>{_ACT})\b")),
    Frame(
        "habit",
        re.compile(
            r"\bi(?:'ve been|'m| have been)?\s(?:still |also |usually |mostly |only |do )*(?P<x>smoke|vape|drink"
            rf"|run|jog|swim|cycle|meditate|climb|{_ACT})\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:i'?m|im|i am|went|gone|going|been|turned|now|strict(?:ly)?|i guess|mostly|back to being|eating"
            r"|full[- ]on)\s(?:a |an |now |strictly |mostly |basically |fully |fully |completely )*"
            r"(?P<x>vegan|vegetarian|veggie|pescatarian|flexitarian|keto|paleo|gluten[- ]free|dairy[- ]free"
            r"|teetotal|sober|plant[- ]based|carnivore|low[- ]carb)\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"(?:^|\b(?:i'?m|im|now|yep)\s)(?P<x>pescatarian|vegan|vegetarian|teetotal|sober) (?:now|i guess"
            r"|these days)"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:no longer|not|quit being|stopped being|gave up being|isn't|ex)[ -](?:a |an |really "
            r"|strictly )?(?P<x>vegan|vegetarian|veggie|pescatarian|keto|smoker|drinker|gluten[- ]free|sober)"
        ),
        denied=True,
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:quit|stopped|gave up|given up|giving up|packed in|jacked in|kicked|ditched|dropped|cut out"
            r"|cutting out|knocked|off(?! to)|off the|no more|no longer|haven'?t touched|haven'?t had|done with"
            r"|swore off|sworn off|stayed off|binned|shelved|came off|nixed|lost the)"
            rf"\s(?:[\w'-]+\s){{0,2}}?(?P<x>{_ACT})\b"
        ),
        denied=True,
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:don'?t|do not|never|didn'?t|doesn'?t)\s(?:really |even |actually |ever )*(?:go to |do |have |eat "
            rf"|touch |drink |play |go )?(?P<x>{_ACT})\b(?: anymore| any more| now|$)"
        ),
        denied=True,
    ),
    Frame(
        "habit",
        re.compile(
            rf"\b(?P<x>{_ACT})(?:'s| is| has| are| have| went)? (?:gone|done|over|finished|out the window"
            r"|off the (?:table|menu)|history|a thing of the past|no more)"
        ),
        denied=True,
    ),
    Frame(
        "like",
        re.compile(
            r"(?:\b(?:i|we)(?:'ve| also| really| still| do| just| always| absolutely| now)*\s(?:like|love|enjoy"
            r"|adore|prefer)|\b(?:(?:really |so |got |i'm |im |heavily |totally )into|big on|keen on|fan of"
            r"|obsessed with|hooked on|fond of|mad about|nuts about|addicted to|fallen for"
            r"|fell in love with))\s(?:the |my |really )*"
            r"(?P<x>(?!it|that|this|them|you|to|how|what|when|being|the way|him|her|me|i |a "
            r"|an )[\w' -]{3,30}?)(?=$|\s(?:and (?:i|my|it|we)|but|now|these|lately|more|because|so|instead|since"
            r"|anymore|most|too|for|every|at|over|than|a lot|as)\b)"
        ),
    ),
    Frame(
        "like",
        re.compile(
            r"\b(?:don'?t (?:really )?(?:like|love|enjoy)|can'?t stand|gone off|went off|going off|sick of|bored of"
            r"|bored with|over|fed up with|lost (?:all )?interest in|not into|not a fan of|fell out of love with"
            r"|hate|tired of)\s(?:the |my |all the )*"
            r"(?P<x>(?!it|that|this|them|you|to|how|being|him|her|me|counter|the )[\w' -]{3,26}?)(?=$|\s(?:anymore"
            r"|any more|now|these|lately|because|so|since|and|but|after|at|completely)\b)"
        ),
        denied=True,
    ),
    Frame(
        "like",
        re.compile(
            r"\b(?P<x>[\w' -]{3,24}?)(?:'s| is| are| was)?(?: just| really"
            r"| honestly)* (?:not (?:really )?(?:for me|my thing)|lost its (?:appeal|shine)|does nothing for me"
            r"|bores me)"
        ),
        denied=True,
    ),
    Frame(
        "pet",
        re.compile(
            r"\b(?:have|has|got|adopted|rescued|own|bought|fostering|foster|took in|picked up|brought home|keep"
            rf"|with|our|my|getting)\s(?:[\w'-]+\s){{0,4}}?(?P<x>{ANIMAL}|cockapoo|labradoodle|spaniel|whippet"
            r"|greyhound|lurcher|collie|mutt|pup|moggy|hen|hens|gecko|axolotl|guinea pig|kitty)\b(?!\s(?:food|hair"
            r"|bite|allerg|fur|shelter|park|test|tests|work|result|results|coat|report))"
        ),
    ),
    Frame(
        "pet",
        re.compile(
            rf"\b(?P<x>{ANIMAL}|cockapoo|labradoodle|spaniel|whippet|greyhound|collie"
            rf"|pup)\b[^.;]{{0,24}}?\b(?:passed(?: away)?|died|put (?:him|her|it|them)? ?down|put to sleep|rehomed"
            r"|gone|crossed|ran (?:away|off)|had to go|went to live|didn'?t make it|living with)\b"
        ),
        denied=True,
    ),
    Frame(
        "pet",
        re.compile(
            r"\b(?:rehomed|lost|put down|said goodbye to|gave (?:away|up)|had to (?:rehome|give up|give away"
            r"|put down)|buried|surrendered|returned)\s(?:our|my|the|poor|old"
            rf"|\w+,?)\s?(?:[\w'-]+\s){{0,2}}?(?P<x>{ANIMAL}|cockapoo|spaniel|pup)\b"
        ),
        denied=True,
    ),
    Frame(
        "plan",
        re.compile(
            r"\b(?P<x>(?:flying (?:out |back )?to|trip to|travell?ing to|driving (?:up |down |out )?to"
            r"|heading (?:up |down |out |over )?to|visiting|going to(?! (?:be|try|ask|see if|do|get|have|take|go"
            r"|keep|start|stop|need|say|give|make|call))|tickets? (?:for|to)"
            r"|booked (?:a|an|in|us|for|the|my|onto|on|our)|signed up for|registered for|entered|training for"
            r"|getting married|moving to|moving in|running (?:a|the)(?= [\w ]*(?:marathon|half|10k|5k)))"
            r"\s?[\w' -]{0,28}?)(?=$|[,.;]|\s(?:on the|instead|with|because|so|but|and|then|which|for my|since)\b)"
        ),
        planned=True,
    ),
    Frame(
        "plan",
        re.compile(
            r"\b(?:we're|i'?m|im|were|gonna|going to) (?:doing|do|go with|take|taking|having) (?P<x>(?:a|an"
            r"|the) [\w' -]{3,28}?)(?: instead| now|$)"
        ),
        planned=True,
    ),
    Frame(
        "plan",
        re.compile(
            r"\b(?:plan(?:ning)?|intend(?:ing)?|decided|aiming|looking) (?:to|on) (?P<x>[\w' -]{4,36}?)(?=$|[,.;]"
            r"|\s(?:because|so|but|then)\b)"
        ),
        planned=True,
    ),
)

EN: Final = LifeGrammar(
    written=re.compile(r"[a-z]{2,} [a-z']{1,}"),
    frames=_FRAMES,
    unsure=re.compile(
        r"\b(?:want(?:ed)?|would|could|should|might|may(?! \d)|maybe|if|thinking|considering|planning|plan"
        r"|hope|hoping|wish|supposed to|told me to|advised|suggested|used to|previously|ex-|former(?:ly)?"
        r"|nearly|almost|tempted|when i was|back when"
        r"|trying to|gonna|going to (?:quit|stop|start|give|try)|will|i'll|about to|need to|have to|ought"
        r"|dream(?:t|ed)|article|reckons?|said i|says i|heard|read that|apparently|can'?t|cannot)\b"
    ),
    once=re.compile(
        r"\b(?:yesterday|today|tonight|this morning|last (?:night|week|weekend)|the other day|once|ago"
        r"|tomorrow|off to)\b"
    ),
    doubtful=re.compile(
        r"\b(?:if|might|maybe|would|could|should|wish|cancel+ed|called off|is off|not going|no longer going"
        r"|fell through|aren't going|isn't happening|scrapped|used to|article|heard|wanted to|told me to"
        r"|advised|can'?t|went|was|were(?! going)|got off)\b"
    ),
    edge=re.compile(
        r"(?:\s(?:now|anymore|again|too|either|these days|lately|instead|though|then|just|really|actually|and"
        r"|or|so|but|the|a))+$"
    ),
    begins=re.compile(r"^(?:(?:a|an|the|my|our|some|new|old|bit of)\s)+", re.IGNORECASE),
    called=re.compile(r"^,?\s(?:called |named )?(?P<x>[A-Z][a-z]{2,12})\b"),
    no_value={
        "job": re.compile(
            r"^(?:home|night|nights|days|it|that|this|least|me|him|you|hours|years|long|shifts|all|peace|work|bed"
            r"|pain|bit|lot|while|moment|time|end|meantime|past|morning|evening|week|weekend|job|my job|interview"
            r"|doctor|gp|hospital|er|a&e|ambulance|metformin|new medication|medication|meds|treatment|therapy"
            rf"|antibiotics|the pill|pill|course|habit|plan|drinking|smoking|out|as)\b|\b(?:{NOT_JOB})$|\b(?:ago|mg"
            r"|doctor'?s|better|never|after|together|smoker|drinker|runner|sleeper|walker|eater|sufferer|user"
            r"|number|order|paper|other|another|matter|water|winter|summer|dinner|fever|cancer|ulcer|daughter"
            r"|mother|father|brother|sister|partner|stomach|shoulder)\b"
        ),
        "residence": re.compile(r"\b(?:pain|bed|hospital|ward|er)\b"),
        "habit": re.compile(r"^$"),
        "like": re.compile(r"\b(?:pain|sick|crap|hell|trouble|getting|like|rubbish|it|ago|mg)\b"),
        "pet": re.compile(r"^(?:fish|chickens?|birds?|horses?)$"),
        "plan": re.compile(
            r"^(?:going to|doing (?:a|an|the)|entered|starting (?:a|my|the)|booked (?:a|an|in|for"
            r"|on))\s*(?:\w+ \d+)?(?:it|that|bit|lot|bed|sleep|work|the (?:doctor|gp|hospital)|hospital)?$"
            r"|\b(?:bed|sleep|toilet|bathroom|loo)\b"
        ),
    },
)
