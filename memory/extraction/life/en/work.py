"""Frames of English for work and home."""

import re
from typing import Final

from memory.extraction.life.en.words import END, KNOWN_WORK, PLACE, WORK
from memory.extraction.life.grammar import Frame

WORK_FRAMES: Final = (
    Frame(
        "residence",
        re.compile(r"\bmoved me in(?: with \w+)? (?:in|to|at) (?P<x>[\w'-]+(?:\s[\w'-]+){0,2})"),
        proper=True,
        own=True,
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:first|second|third|fourth|final|last|freshman|sophomore|junior|senior) year at "
            r"(?P<x>(?!uni\b|college\b|school\b|the\b|my\b)[\w&'-]+(?:\s[\w&'-]+){0,3})"
        ),
        proper=True,
        own=True,
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:i'?m|i am) (?:now )?at "
            r"(?P<x>(?:[\w&'-]+\s){1,3}?(?:state|university|college|polytechnic|academy))"
            r" (?:now|since (?:the|last|this|september|october|january|fall|autumn)|these days|doing|studying"
            r"|reading)\b"
        ),
        proper=True,
        own=True,
    ),
    Frame(
        "job",
        re.compile(
            r"\bdoing an? (?P<x>(?:[\w-]+ ){1,3}(?:apprenticeship|traineeship|internship|placement|degree"
            r"|course|diploma|phd"
            r"|masters|foundation year"
            r"|access course))\b"
        ),
    ),
    Frame(
        "job",
        re.compile(
            rf"\b(?:i'?m|i am|im|been) on (?:nights|days|earlies|lates|shifts) (?:at|in|for) (?:the "
            rf"|a )?(?P<x>[\w&' -]{{3,28}}?){END}"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:i'?m|i am|im) (?:now )?at (?P<x>(?!uni\b|school\b|work\b"
            r"|home\b)[\w&'-]+(?:\s[\w&'-]+)?) now,? (?:stocking|stacking|working|serving|on the|as an?)\b"
        ),
        proper=True,
        own=True,
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:left [\w&' -]{2,24}?|changed jobs|switched jobs|new job)[,.;:] (?:and |so )?(?:now )?(?:i'?m"
            r"|im|i am)(?: now)? (?:at|with"
            r"|working (?:at|for)) "
            r"(?P<x>[\w&'-]+(?:\s[\w&'-]+)?)"
        ),
        proper=True,
        wide=True,
    ),
    Frame(
        "job",
        re.compile(r"\b(?:i'?m|im|i am) (?:now )?with (?P<x>[\w&'-]+(?:\s[\w&'-]+)?) now\b"),
        proper=True,
        own=True,
    ),
    Frame("residence", re.compile(r"^staying (?:put )?in (?P<x>[\w'-]+(?:\s[\w'-]+){0,2})"), proper=True, own=True),
    Frame(
        "job",
        re.compile(
            r"\b(?:i'm|im|i am) in (?P<x>[\w ]{4,28}? ?(?:education|science|engineering|studies|nursing"
            r"|radiography))(?: now|$)"
        ),
    ),
    Frame(
        "job",
        re.compile(
            rf"^(?:hi,? |so,? |well,? )*(?:i'm an? |im an? |i am an? )?(?P<x>(?:[\w-]+\s){{0,2}}?(?:{KNOWN_WORK}"
            rf"|dev|software dev|ta|teaching assistant"
            rf"|dinner lady|lollipop lady|shop assistant|line cook|staff nurse|care worker)\s(?:at|for|in) (?:an? "
            rf"|the |my )?[\w' ]{{3,24}}?){END}"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:i'm|i am|im|as) an? (?P<x>dinner lady|lollipop lady|line cook|shop assistant|ta|dishwasher)\b"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\bi (?:drive|drove) (?P<x>(?:artics|lorries|hgvs?|trucks|buses|a (?:bus|lorry|truck|cab|taxi|van"
            r"|school bus|delivery van|forklift)|forklifts?))\b"
        ),
    ),
    Frame(
        "job",
        re.compile(
            rf"\b(?:put|moved|got|stuck) me (?:in|on|onto|into) (?:the |a )?(?P<x>[\w ]{{2,16}}? ?(?:office|desk"
            rf"|department|team|reception|days|dispatch)){END}"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:transferred|switched|changed|swapped|moved"
            r"|moving) (?:course )?(?:in)?to (?P<x>(?:\w+ )?(?:radiography|nursing|midwifery|medicine|law|history"
            r"|biology|psychology|engineering|business|physics|maths|art|design|[a-z]+ science|[a-z]+ology"
            r"|[a-z]+graphy))\b"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"^(?P<x>(?:paramedic|nursing|computer|data|sports|food|biomedical) (?:science|studies)|radiography"
            r"|midwifery) now$"
        ),
    ),
    Frame(
        "residence",
        re.compile(
            r"\b(?:we|i)(?:'ve| have) been (?:living )?in (?P<x>[\w'-]+(?:\s[\w'-]+){0,2}?)"
            r"(?= since\b| for (?:\w+ ){0,2}(?:weeks?|months?|years?)\b)"
        ),
        proper=True,
    ),
    Frame(
        "residence",
        re.compile(r"\bmoved\s(?:back |out |over |down |up |away )*to (?P<x>[\w'-]+(?:\s[\w'-]+){0,2})"),
        proper=True,
    ),
    Frame(
        "residence",
        re.compile(r"\b(?:staying|stay|stayed|still|stuck) (?:put )?in (?P<x>[\w'-]+(?:\s[\w'-]+){0,2})"),
        proper=True,
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:promoted to|made up to|stepped up to|moved up to)\s(?:be )?(?P<x>(?:[\w-]+\s){0,2}[\w-]{3,16})$"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:(?:don'?t|no longer|not|stopped) work(?:ing)?|(?:quit|left|lost|leaving|quitting) (?:my|the) job)"
            r" (?:at|for|with|as)(?: an?| the)? (?P<x>[\w'& -]{2,24}?)(?=$| any ?more| now| since)"
        ),
        denied=True,
    ),
    Frame(
        "state",
        re.compile(
            r"(?P<x>\b(?:out of work|unemployed|between jobs)\b|\b(?:i|i've|i was|i got|got|they|been|just) "
            r"(?:just |been |got |recently )*(?:laid (?:me )?off|made redundant|sacked|fired"
            r"|let (?:me )?go(?! (?:of|home|to|back|in|out|early|on|through|for)))\b(?! up))"
        ),
        given="unemployed",
    ),
    Frame(
        "job",
        re.compile(r"\bi(?:'ve|'m| have| am)?\s(?:just |now |finally |officially |fully )*(?P<x>retired)\b"),
        given="retired",
    ),
    Frame("job", re.compile(r"\band (?P<x>retired)\b")),
    Frame("job", re.compile(rf"\bstarted (?:\w+ )?as an? (?P<x>(?:[\w-]+\s){{0,2}}?{WORK})\b")),
    Frame(
        "job",
        re.compile(
            rf"^(?:i'm |im )?(?:just )?(?:an? )?(?P<x>(?:[\w-]+\s){{0,2}}?{KNOWN_WORK})(?:$"
            r"|,? (?:for )?\d+ (?:yrs?|years))"
        ),
    ),
    Frame("job", re.compile(rf"\bjust an? (?P<x>(?:[\w-]+\s){{0,2}}?{KNOWN_WORK})\b")),
    Frame("job", re.compile(r"^(?:yep|yeah|yes|now|so)?,? ?(?P<x>retired)\b(?! hurt)")),
    Frame(
        "job",
        re.compile(
            r"^(?P<x>(?:driving|delivering|teaching|bartending|stacking|stocking|working the)\s(?:a |an "
            rf"|the )?[\w -]{{3,24}}?){END}"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:i'?m|i am|im|became|become|being|been|work(?:ing|s)? (?:nights )?as|(?:job|gig|position|role"
            r"|start(?:ed|ing)?|hired|retrain(?:ed|ing)|qualified|trained|on|promoted to|over) as|landed"
            r"|got(?: myself)?|promoted to)"
            r"\s(?:now\s|currently\s|still\s|actually\s|just\s|only\s)*(?:a|an|the)\s(?:new\s|full[- ]time\s"
            rf"|part[- ]time\s)*(?P<x>(?:[\w-]+\s){{0,2}}?{WORK})\b(?: job| gig| role| position)?(?!\s(?:and"
            r"|with) a (?:cough|cold))"
        ),
    ),
    Frame(
        "job",
        re.compile(
            rf"^(?:well,? |so |also |hi,? )*(?P<x>(?:[\w-]+\s){{0,2}}?{WORK})\s(?:here|by trade|by day"
            r"|for \d+ years)\b"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"(?<!your )(?<!his )(?<!her )(?<!their )\b(?:work(?:ing|s)?|job|gig|position|started|starting"
            r"|employed|hired|placement|apprenticeship"
            r"|contract)\s(?:now\s|part[- ]time\s|full[- ]time\s|nights\s|days\s|remotely\s|(?:night |day "
            r"|late )?shifts?\s|again\s"
            r"|over\s)*(?:at|for|in(?=[\w ]{0,20}\b(?:retail|sales|construction|finance|it|tech|marketing"
            r"|hospitality|education|healthcare|accounting|hr|logistics|insurance|media|office|shop|school|kitchen"
            r"|warehouse|factory|hospital|lab|store|bank|industry|firm|agency|salon|pub|bar|restaurant)\b))"
            rf"\s(?:(?:a|an|the|my|our|this)\s)?(?P<x>[\w&' -]{{3,32}}?){END}"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:i|i'?m|im|i've been|i am)\s(?:now\s|just\s|also\s|mostly\s|currently\s|back\s)*(?P<x>(?:drive"
            r"|driving(?! (?:the kids|my|him|her|them|home))|deliver|delivering|teach|teaching|manage|managing"
            r"|bartend|bartending|bar work|freelance"
            r"|freelancing"
            r"|consult|consulting|tutor|tutoring|nannying|landscaping|weld|welding|bake|baking|code|coding|farm"
            r"|farming|stacking shelves|temping|contracting|running (?:a|my|the)|run (?:a|my|the) (?:small )?)"
            rf"(?:\s(?!myself|down|out|to|me|home|hours|long|in|at|for)[\w'-]+){{0,4}}?){END}"
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
            rf"|the)?\s?(?P<x>[\w&' -]{{3,30}}?){END}"
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
            r"\b(?:mov(?:ed?|ing)|relocat(?:ed|ing)|transferred|liv(?:e|ing)|based|settled|stay(?:ing|ed)?|rent(?:ing)?"
            r"|bought|place|flat|apartment|house|home|studio|condo|cottage|back|up|down|over|out|shipped out|now"
            r"|i'?m|im|am|we're)"
            r"\s(?:(?!fly|travel|driv|going|trip|visit|head|holiday|vacation|stuck|back)[\w-]+\s){0,4}?"
            rf"(?:to|in|into|outside|near|outside of)\s(?P<x>{PLACE})"
        ),
    ),
    Frame(
        "residence",
        re.compile(
            r"\b(?:moved in with|staying with|living with|renting|rented"
            r"|bought)\s[\w' ]{2,24}?\sin\s(?P<x>[\w'-]+(?:\s[\w'-]+){0,3})"
        ),
        proper=True,
    ),
    Frame("residence", re.compile(rf"\b(?P<x>{PLACE})(?: is|'s) (?:home|where i live)")),
    Frame(
        "residence",
        re.compile(
            r"\b(?:(?:writing|messaging|texting)(?: to you)? from|(?:^still|based|settled|staying put) in"
            r"|(?:we|i)(?:'ve| have)? bought (?:a \w+|our own \w+) in)\s(?P<x>[\w'-]+(?:\s[\w'-]+){0,2})"
        ),
        proper=True,
    ),
    Frame(
        "residence",
        re.compile(r"\b(?:we're|we are)\s(?:(?:up |down |over |out )?(?:on|in) )?(?P<x>[\w'-]+)(?:\speople)? now\b"),
        proper=True,
    ),
    Frame(
        "residence",
        re.compile(
            r"\b(?:i|we|i'?m|we're|i've|we've)\s(?:\w+\s){0,2}?(?:live|living|bide|settled|based|moved|relocated"
            r"|rent|renting)\s(?:(?!been|when|near|close)[\w'-]+\s){0,5}?"
            r"(?:in|to|near|outside)\s(?P<x>[\w'-]+(?:\s[\w'-]+){0,3})"
        ),
        proper=True,
    ),
    Frame(
        "residence",
        re.compile(
            r"\b(?:(?:(?:i|we)(?:'?ve| have)?(?: got| now have| bought)?|got|bought) (?:a|an|our own"
            r"|my own)(?: \w+)? (?:flat|house|place|room|apartment"
            r"|bungalow|studio|cottage) in|(?:my|our) (?:new )?address is(?: now)?|(?:we're|i'm"
            r"|im) (?:now )?living in)\s(?P<x>[\w'-]+(?:\s[\w'-]+){0,3})"
        ),
        proper=True,
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:i|i've been|i'm|im)\s(?:now\s|still\s|also\s|just\s)*(?:do|doing)\s(?:the\s|some\s"
            r"|a bit of\s)?(?P<x>(?:[\w-]+\s)?"
            r"(?:bookkeeping|cleaning|accounts|accounting|consulting|tutoring|childcare|admin|data entry"
            r"|translations?|translating"
            r"|deliveries|security|catering|alterations|odd jobs|handyman work|agency work|temp work|dog walking"
            r"|tailoring|proofreading|editing|home care|care work|lorry driving|night shifts|supply teaching))\b"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:started|got|found|landed|have|took) (?:a|my|the) (?:new |part[- ]time |full[- ]time )*job"
            r"\s(?P<x>(?:running|doing|managing|driving|teaching|cleaning|stacking|looking after|selling|cooking"
            rf"|answering)\s(?:a |an |the )?[\w' -]{{3,28}}?){END}"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\bi (?:now )?(?:do|run|answer|handle|manage) the (?P<x>[\w ]{3,20}? (?:at|for) (?:a|the|an"
            r"|my) [\w ]{3,24}?)(?: now)?$"
        ),
    ),
    Frame(
        "job",
        re.compile(
            rf"\bwork(?:ing)? (?:from home|remotely) (?:for|at|in) (?:(?:an?|the|my) )?(?P<x>[\w&' -]{{3,28}}?){END}"
        ),
    ),
    Frame("job", re.compile(rf"\b(?:re)?training as an? (?P<x>(?:\w+\s)?\w{{3,16}}?){END}")),
    Frame(
        "job",
        re.compile(
            r"(?:^|\bback (?:at|to) work(?: too| again| now)?,? )(?:part|full)[- ]time (?:at|in|for) (?:an? |the )?"
            rf"(?P<x>[\w&' -]{{3,28}}?){END}"
        ),
        wide=True,
    ),
    Frame(
        "job",
        re.compile(
            r"(?:^|\b(?:i'?m|i am|im|moved(?: me)?|put me"
            r"|stuck) (?:now )?on )(?:the )?(?P<x>(?:\w+ )?(?:front desk|reception|tills?|counter"
            r"|checkouts?|switchboard|shop floor|forklifts?|door|deli|stockroom|buses|taxis|bins|production line)"
            rf"(?: (?:at|for|in) [\w' &-]{{3,28}}?)?){END}"
        ),
    ),
    Frame(
        "job",
        re.compile(
            r"\b(?:learning|training in|retraining in|studying|apprenticed in)\s(?P<x>(?:\w+\s)?(?:grooming"
            r"|plumbing|carpentry|joinery"
            r"|welding|nursing|hairdressing|accountancy|coding|teaching|midwifery|bricklaying|baking))\b"
        ),
    ),
    Frame(
        "residence",
        re.compile(
            r"\b(?:moved|moving|relocated)\s(?:back |out |over |down |up )*(?:to|into|in with)\s(?P<x>(?!a new|bed"
            r"|my new)(?:my|a|an|the|our)\s[\w' -]{3,28}?)" + END
        ),
    ),
)
