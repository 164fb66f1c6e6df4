"""Words that several frames of English share, as pieces of patterns."""

import re
from typing import Final

from memory.extraction.facts.en.words import JOB
from memory.language.words import listed

PLACES: Final = "|".join(sorted(map(re.escape, listed("en", "places")), key=len, reverse=True))
PLACE: Final = (
    rf"(?:(?:{PLACES})(?: (?:city|state|area|suburbs))?|(?:a|the) (?:suburbs|countryside|coast|village"
    r"|country|seaside)|the \w+ coast)\b"
)
WORK: Final = (
    rf"(?:{JOB}|temp|porter|carer|caregiver|midwife|ta|teaching assistant|cop|vet tech|barber|joiner"
    r"|builder|roofer|landscaper|courier|rider|dev|sysadmin|pm|rep|postie|farmhand|dog walker|chef|childminder)"
)
KNOWN_WORK: Final = (
    rf"(?:{JOB.partition('|[a-z]')[0]}|teacher|baker|driver|builder|trucker|painter|cleaner|programmer"
    r"|developer|engineer|manager"
    r"|designer|writer|banker|plasterer|welder|butcher|hairdresser|photographer|trainer|lecturer|caregiver"
    r"|postie|midwife|carer"
    r"|porter|barber|joiner|roofer|landscaper|courier|chef|childminder|cop|delivery driver|bus driver|taxi driver)"
)
ACT: Final = (
    r"(?:running|runs|run|jogging|jog|the gym|gym|lifting|weights|weight training|swimming|swim|swims|laps"
    r"|cycling|cycle|biking|bike|spin(?: class(?:es)?)?|yoga|pilates|hiking|hikes|walking|walks|walk"
    r"|climbing|bouldering|crossfit|meditating|meditation|meditate|journal(?:l?ing)?|smoking|smoke|smokes"
    r"|fags|cigs|roll[- ]?ups?|rollies|baccy|tobacco|cigars?|pipe|snuff|cigarettes?|vaping|vape|vapes|weed"
    r"|edibles|drink(?:ing)?(?! (?:\w+ )?(?:tea|water|juice|milk|decaf|coffee|plenty|lots|enough|more|squash))"
    r"|wine|beers?|whisky|whiskey|gin|alcohol|booze"
    r"|coffees?|espressos?|lattes?|caffeine|energy drinks?|red bull|sodas?|diet coke|coke|fizzy drinks|pop"
    r"|(?:(?:green|peppermint|herbal|mint|chamomile|ginger|black|fruit|rooibos|decaf|nettle) )?tea|sugar|sweets"
    r"|candy|chocolate|red meat|meat|dairy|gluten|bread|carbs|keto"
    r"|intermittent fasting|fasting"
    r"|takeaways?|takeout|fast food|junk food|late[- ]night snack(?:s|ing)|snacking|crisps|naps?|napping"
    r"|doomscrolling|scrolling|tiktok|gaming|video games|tennis|football|soccer|basketball|badminton"
    r"|squash|golf|tai chi"
    r"|dancing|(?:aqua |water )?aerobics|aqua ?fit|zumba|rowing|boxing|karate|judo|martial arts|gardening"
    r"|reading|stretching|cold showers"
    r"|park ?run|rugby|netball|volleyball|surfing|skiing|snowboarding|skating|allotment|energy gels"
    r"|nicotine(?: gum| patches)?|snus)"
)
EVERY: Final = (
    r"(?:every (?:\w+ )?(?:day|morning|night|evening|week|weekend|\w+day|lunch(?:time)?)|daily|nightly"
    r"|each (?:day|morning|night)|\w+ (?:times|nights|days|mornings|evenings|x) (?:a|per|each) (?:week|day|month)"
    r"|(?:once|twice|\d+ ?x|\d+ times) (?:a|per) (?:week|day)|\d+ ?x|a (?:day|week|night)\b|most (?:days"
    r"|nights|mornings|weekends)|on (?:weekends|\w+days)|(?:before|after) (?:work|bed|dinner)|at weekends"
    r"|\d+k a (?:day|week))"
)
MUCH: Final = (
    r"(?:(?:half )?(?:a|\d+|two|three|four|five|six|couple of|few|about \d+) (?:packs?|bottles?"
    r"|glass(?:es)?|pints?|cups?|cans?|shots?|cigs|cigarettes)(?: of)?)"
)
END: Final = (
    r"(?=$|\s(?:as|and|in|for|since|but|right|now|these|this|which|so|doing|instead|last|from|on|with|at"
    r"|(?:\d+|an?|one|two|three|four|five|six|few|couple) (?:\w+ ){1,3}?ago|because|cos|where|who|again|anymore"
    r"|lately|until|till|after|before|just|every|by|while|though|\()|\s?[(\-])"
)
