"""How English says it."""

import re
from typing import Final

from memory.clinical.health.en_complaints import COMPLAINTS
from memory.clinical.health.grammar import HealthGrammar
from memory.clinical.kin import KIN_EN, OTHERS_EN
from memory.clinical.sketch import pattern

_COUNTED: Final = (
    r"(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|a couple(?: of)?|couple|a few|few|several)"
)
_UNIT_OF_TIME: Final = r"(?:hours?|hrs?|days?|nights?|weeks?|wks?|months?|mths?|years?|yrs?)"

EN: Final = HealthGrammar(
    written=re.compile(r"^[^\u4e00-\u9fff]*[a-z]{2}[^\u4e00-\u9fff]*$|[a-z']{2,} [a-z']+ [a-z']+"),
    complaints=COMPLAINTS,
    denied_before=pattern(
        r"\b(?:no(?!,? (?:just|only|but|it'?s|i'?m)\b)|not|not an? single|without|never|isn'?t|aren'?t|wasn'?t"
        r"|don'?t|doesn'?t|didn'?t|haven'?t"
        r"|hasn'?t|denies|zero)(?: \w+)?(?: have| had| got| any| feel(?:ing)?| been| really| much| a| an| more"
        r"| longer| signs? of|,|<YRG>| or| and|\s)*+$"
    ),
    over_after=pattern(
        r"^(?:'s)?\s*(?:,? ?(?:but |and )?(?:it'?s|it|that'?s|which|has|have|is|are|was|all|now|finally|already|since"
        r"|completely|totally|fully|just|pretty much|basically|practically|i had)? ?)*(?:cleared(?: up)?"
        r"|gone(?! to)|went away"
        r"|better now|resolved|stopped|settled(?: down)?|vanished|disappeared|healed|lifted|faded(?: away)?"
        r"|passed(?! out)|broke|over now|under control now|finished|cured)\b"
    ),
    not_now_before=pattern(
        r"\b(?:causes?|causing|cause of|lead(?:s|ing)? to|prevent(?:s|ing)?|avoid(?:ing)?|risk of|worr(?:y"
        r"|ied) about|afraid of|scared of|in case of|if (?:i|you|he|she|they) (?:get|have|had|develop)"
        r"|signs? of|symptoms? (?:of|like|such as)|side effects? (?:of|like|such as|include)|treat(?:s"
        r"|ment for)?|remed(?:y|ies) for|good for|used for|help(?:s)? with|get rid of|could (?:get|be|cause)"
        r"|might (?:get|be|cause)|what is|what's)\b(?:\s|a|an|the|any|my|<YR>|,|or|and)*$"
    ),
    not_now_after=pattern(r"^\s*(?:medic|tablets?|remed|relief|clinic|specialist|patients?|season|drops|cream)"),
    asks_of_it=re.compile(r"^\s*(?:can|could|does|do|will|would|is|are) (?:it|that|this|they|these|there|you|the)\b"),
    lasting=pattern(
        r"(?P<x>(?<!every )(?<!once )(?<!twice )(?<!times )(?:for |past |last |over |about |nearly |almost |around "
        r"|the "
        rf"|now |going on )*\b(?<!every )(?<!mg )(?<!once )(?<!twice )(?<!times )(?:{_COUNTED}(?: or (?:two|three|so))?"
        rf"(?: ?-?\s?){_UNIT_OF_TIME}|(?<=for )an? {_UNIT_OF_TIME}|an? {_UNIT_OF_TIME}(?= (?:now|ago)))\b"
        r"(?![ -](?:old|pregnant|along\b|a (?:night|day|week)\b|per\b|of sleep|with (?:my|our)\b))(?: now| ago)?"
        r"|since (?!(?:i|they|he|she|we|you|it|then|my|our|his|her)\b)(?:last |this |the |early |mid "
        r"|late )*(?:\w+)(?: (?:morning|night|evening|afternoon|week|month|year))?|(?:yesterday|today"
        r"|last night|this morning|last (?:week|month|year|\w+day)|all (?:day|night|week)|overnight"
        r"|earlier(?: today)?)(?: (?:morning|afternoon|evening))?|(?:on|since) (?:mon|tues|wednes|thurs|fri"
        r"|satur|sun)day|ages|a while)"
    ),
    severity=re.compile(
        r"\b(?P<x>really bad(?:ly)?|bad(?:ly)?|terrible|awful|severe|mild|slight(?:ly)?|a bit|a little"
        r"|moderate|excruciating|unbearable|intense|sharp|dull|constant|killing me|worst|agony|like hell"
        r"|\d+ ?(?:/|out of) ?10)\b"
    ),
    side=re.compile(r"\b(?P<x>left|right|both|one side)\b"),
    course=re.compile(
        r"\b(?P<x>comes? and goes?|on and off|off and on|intermittent|constant|getting worse|worse (?:at|when"
        r"|in|after) [\w ]{2,18}|getting better|at night|in the mornings?|after (?:eating|meals|food|exercise"
        r"|walking)|when i (?!was|had|got|lifted|took|fell|went)\w+(?: \w+){0,3})\b"
    ),
    taken_before=pattern(
        r"\b(?:take|takes|taking|took|taken|on|use|uses|using|used|given|gave me|give him|give her|prescribed"
        r"|added|put (?:me|him|her) (?:back )?on|started?|starting|have|had|having|got|been on|trying|tried"
        r"|popped|putting|rubbing|dabbing|slathering|i'm at|raised|lowered|reduced|halved|bumped(?: up)?|popping"
        r"|swallowed|inject(?:s|ing|ed)?|(?:gone|went|going|moved|put|taken|bumped|upped|stepped) (?:me |him |her "
        r"|it )?(?:up"
        r"|down) to"
        r"|apply(?:ing)?|applied|puff of|inhaler|meds|medications?|medicines?|rx|dose of|doses of|course of"
        r"|tablets? of|increased|decreased|upped|doubled|keep|back on|and|plus|with|some|my|brought|carry"
        r"|carrying|packed|rely on|live on|need the|just)\b[:]?(?:\s|a|an|the|my|some|of|both|his|her|daily"
        r"|low[- ]dose|over the counter|otc|otc|nightly|regular|only|just|also|currently|still|now|me|about"
        r"|two|one|three|half|couple|few|tablets?|pills?|puffs?|mg|mcg|ml|dose|\d+(?:\.\d+)?|brand|generic|new"
        r"|called|up to|down to|<S>|,|and|,|-|/)*$"
    ),
    taken_after=pattern(
        r"^\s*(?:tablets?|pills?|capsules?|cream|gel|spray|inhaler|drops|xr|sr|er"
        r"|injections?)?,?\s*(?:\(?\d+(?:\.\d+)?\s*(?:mg|mcg|µg|g|ml|units?|iu|puffs?)\b|(?:once|twice|daily"
        r"|every|each|nightly|\w+ times|a day|bd|od|tds|bid|tid|prn|in the morning|at night|as needed)\b"
        r"|(?:now|instead|these days|before (?:meals|bed|food)|with (?:my )?(?:meals|food|breakfast)|(?:one|two"
        r"|half) (?:in|at|a|before|every|each)|from (?:today|now))\b"
        r"|(?:for|since) (?:my|the|a|\d|two|three|last|about)\b|only (?:before|when|for|at|if|as)\b|hasn'?t helped"
        r"|isn'?t (?:working|helping"
        r"|touching)|didn'?t|doesn'?t|helps?\b|helped\b|works\b|\d{1,4}(?:\.\d+)?\b(?!\s*(?:years?|yrs?|days?"
        r"|weeks?|months?|hours?|am\b|pm\b|%|times|/)))"
    ),
    not_taken_before=pattern(
        r"\b(?:can|could|should|shall|may|would|do(?! \d)|does|is it (?:ok|okay|safe|fine|alright)|ok to|okay to"
        r"|safe to|want to|wanted|need to|(?:thinking|thought) (?:of|about)|considering|plan(?:ning)? to|going to|gonna"
        r"|if|recommend(?:s|ed)?|suggest(?:s|ed)?|told to|advised|ask(?:ed|ing)? (?:for|about)|what about"
        r"|how about|how much|how many|instead of|rather than|avoid|afraid of|scared of|whether|might|will"
        r"|tempted)\b(?!, )[^,.;\n]{0,32}$"
    ),
    not_taken_after=pattern(
        r"^[^.;!?\n]{0,20}\bwithout (?:any )?(?:trouble|problems?|issues?|a reaction|reactions?)\b|"
        r"^[^.;!?\n]{0,60}\bno reaction\b|^\s*off (?:my|the) (?:allergy |list|chart|file|record)|^ all?erg(?:y"
        r"|ies)\b(?! (?:tab|pill|med"
        r"|relief))|^[^,.;\n]{0,14}\?|^\s*(?:be ok|safe|work for"
        r"|interact|or (?:<S>|something) (?:instead|better))"
    ),
    only_named=pattern(
        r"\b(?:mention\w*|heard|hear|read(?:ing)? (?:about|that|it)|recommend\w*|suggest\w*|article|advert\w*|ads?"
        r"|leaflet|label|should|could|would|might|may|can|whether|thinking|consider\w*|want\w*|wish|plan\w*|ask\w*"
        r"|propos\w*|offer\w*|talk\w*|instead of|rather than|compared|versus|vs|unlike|such as|allerg\w*|react\w*"
        r"|intoleran\w*|refus\w*|declin\w*|used to|years ago|last time|as a (?:kid|child)|once|back then|when i was"
        r"|someone|everyone|people"
        r"|cupboard|drawer|cabinet|friend\w*|neighbou?r\w*|gave the|forgot\w*|miss\w*|skip\w*|without|avoid\w*"
        r"|scared|afraid|worr\w*)\b"
        r"|<S> (?:causes?|can|(?:is|are)(?! (?:\d|still|now|twice|once|my|one|two|three|taken|helping|working"
        r"|what i|on top)))\b"
    ),
    never_before=pattern(
        r"\b(?:never|haven'?t|hasn'?t|not|no|don'?t|doesn'?t|didn'?t|without)\b(?: (?!but\b)\w+){0,2}(?: taken?| took"
        r"| taking| used| tried| on| had| take| use| any| have)*\s*(?:any |other |a |the |my )*$"
    ),
    stopped_before=pattern(
        r"\b(?:stop(?:ped|s)?(?: taking| using| the| my)?|stopping|quit|quitted|came off|come off|coming off"
        r"|off|off of|pulled|no longer (?:on|take|taking|use|using|need)|not (?:on|taking|using)|don'?t (?:take|use"
        r"|need)|no need for|isn'?t on|discontinued|took (?:me|him|her) off|taken off|weaned (?:me |myself )?off"
        r"|dropped"
        r"|ditched|done w(?:ith)?|no more"
        r"|(?:finished|completed)(?: the| my| a| that| taking| \w+[ -](?:days?|weeks?))*(?: course)?(?: of)?"
        r"|gave up|given up|not been taking"
        r"|haven'?t (?:taken|been taking)|swapped out|cut out|(?:very )?last(?: of)?|last dose of|drop|binned|bin"
        r"|threw away|(?:says?|said|told (?:me )?to) (?:skip|hold|pause)|paused|on a \"?(?:break|holiday)\"? from"
        r"|finished with|(?:handed|gave|given|sent) back"
        r"|not going back (?:to|on)|absolutely no)\b(?:\s|the|my|his|her|of|taking|using|with|that|those"
        r"|all|old|anymore|<S>|and|,)*$"
    ),
    stopped_after=pattern(
        r"^(?:(?!<S>)[^.;?!\n]|(?<=not with )<S>|(?<=not with my )<S>){0,60}?"
        r"\b(?:so|then|and|but) (?:(?:i|we|they|he|she)(?:'ve"
        r"| have)? )?(?:just )?(?:stopped"
        r"|quit|came off"
        r"|gave up)(?: (?:it|taking it|them))?\b(?! (?:the\b|my\b|taking\b|using\b|drinking\b|smoking\b|eating\b|<S>))"
        r"|^s? back (?:to|in)\b|^ (?:right )?out(?=$|[,.])"
        r"|^(?:'s|\s+(?:is|are|was|has))\s(?:now |all |been )*(?:history|gone|done|finished|off|out)\b"
        r"(?! (?:of|to|up|in|on|at|with|down|through|for|there|here)\b)|^\s*and i (?:then )?finished (?:it|that|them)\b"
        r"|^[^,.;?!\n]{0,14}?\b(?:was stopped|were stopped|has been stopped|is stopped|stopped (?:\w+ )?(?:last"
        r"|yesterday|\d|a|as|because|by|in|on|since)|anymore|any more|any longer|discontinued|ran out"
        r"|ended|stopped(?=\s*$)|can go (?:too|now|as well)"
        r"|(?:had|has) to go\b(?! (?:up|down|with|in|on|to|back|from)\b)|went in the (?:bin|trash)|got the (?:chop"
        r"|boot)|i(?:'?ve| have)? (?:quit|stopped"
        r"|dropped|binned|came off)|got (?:stopped|dropped))\b"
    ),
    others_want=pattern(
        r"^\s*(?:and |but |well |now |today |yesterday |also )*(?:my |our |the |a |some )?"
        r"(?:best |old |close |younger |older |big |little |good )?"
        rf"(?:{KIN_EN}|{OTHERS_EN}|internet)(?: (?:also|always|just|now|still|really|keeps|has|have))* "
        r"(?:(?:told|tells|telling|asked|asks|asking|wants?|wanted|begged|begs|urge[sd]?|nags?|nagged) me (?:to )?"
        r"|(?:says?|said|saying|thinks?|thought|insists?|insisted|reckons?) (?:that )?(?:i|you) "
        r"(?:should|must|ought to|can|have to|need to)? ?)"
        r"(?:just |now )?"
        r"(?:stop(?: taking| using)?|quit(?: taking)?|(?:come |get )?off|drop|ditch|give up|skip"
        r"|not (?:to )?(?:take|use)"
        r"|(?:don'?t|do not) need(?: to (?:take|be on))?|shouldn'?t (?:take|be (?:on|taking))) "
        r"(?:my |the |this |that )?<S>(?: pills?| tablets?| meds?)?"
        r"(?: any ?more| any longer| altogether| completely)?\s*$"
    ),
    staff=pattern(
        r"\b(?:doctors?|drs?|docs?|gps?|physicians?|nurses?|np|pharmac\w+|chemist|consultants?|specialists?|surgeons?"
        r"|surgery|clinics?|hospitals?|midwi\w+|dentists?|\w+ologists?|\w+iatricians?|\w+iatrists?|an(?:a)?esthetists?"
        r"|practice|practitioners?|ward|er|a&e|endo|team|111|helpline|advice line|medic\w*|dieti\w+|paramedics?)\b"
    ),
    followed=pattern(
        r"\b(?:so|then|now|which|since|haven'?t|have|i'?ve|we|did|stopped|quit|listened|came|off|no longer|don'?t"
        r"|agreed|ok|okay|fine|ago|weeks?|months?|days?|instead|switched)\b"
    ),
    not_followed=pattern(
        r"\b(?:didn'?t|did not|(?:haven'?t|have not) (?:stopped|quit|listened|done)|won'?t|will not|don'?t want to"
        r"|(?:still|keep|kept) (?:take|taking|on)|refused?|ignored?|carr(?:y|ied) on|take it anyway)\b"
    ),
    stopped_alone=pattern(
        r"^\s*(?:and |but |so |then |i've |i'm |they |she |he |the doctor |my doctor |doc |we |i |last \w+ "
        r"|just |finally |was |since |have |had |told me to |)*(?:(?:i am |im )?(?:now )?off (?:it|them)\b"
        r"|stopped (?:it|them|taking|that|last|yesterday|on|after)|stopped$|quit it|took me off(?: (?:it"
        r"|them))?(?= and\b| so\b|$)|stop (?:it|them|taking)\b"
        r"|(?:quit|finished|dropped|ditched|binned) (?:it|that|them)\b"
        r"|came off (?:it|them)|came off$|(?:tapered|weaned) (?:it|them) off|tapered off (?:it|them)|don't take (?:it"
        r"|them) any)"
    ),
    used_before=pattern(
        r"\b(?:got|have|has|had|wear|wears|wearing|use|uses|using|with|on|in|given me|gave me"
        r"|fitted (?:me )?(?:with|for)|need(?:ed)?|given|bought|started|issued|get (?:around|about) (?:on"
        r"|with))\b(?:\s|a|an"
        r"|the|my|new|pair|of|two|both|some|now|this|these|proper|removable|soft|hard|rigid|plastic|custom|special|little)*$"
    ),
    used_after=pattern(
        r"^\s*(?:for (?:\w+ ){1,2}(?:weeks|wks|months)|(?:week|day|month|night) \d|every (?:night|day)|at night"
        r"|all (?:day|night)|fitted"
        r"|is (?:great|working|helping)|(?:thing |that |which )*i (?:wear|use)\b)"
    ),
    left_after=pattern(
        r"^\s*(?:right )?(?:finally |has |have |is |are |was )*(?:out\b|off\b|removed|taken (?:out|off)|pulled"
        r"|came off|come off|off now|off on|gone back|handed back|in the (?:drawer|bin|cupboard|loft)|back in)\b"
    ),
    unlikely_before=pattern(
        r"\b(?:don'?t|didn'?t|won'?t|can'?t|cannot|couldn'?t|never|not|isn'?t|wasn'?t)\b[^,.;\n]{0,24}$"
    ),
    resumed=pattern(
        r"\b(?:restarted|resumed|started (?:it )?(?:again|back)|back on (?:it|them)|then (?:right )?back on)\b"
    ),
    shaped=re.compile(
        r"\b(?:took|taking|take|using|used|tried|applied)(?: some| a| an| my| the| this)* "
        r"(?P<x>(?!(?:some|any|that|eye|ear|nose|nasal|cough|hand|face|sun|pain)\b)[a-z-]{3,16}(?: [a-z-]{3,12})?"
        r" (?:ointment|lozenges|syrup|sachets|capsules))\b"
    ),
    switched=(
        pattern(
            r"(?P<x><S>) (?:was|is|has been|got|is being) (?:also |now |just )?(?:swapped|switched|changed"
            r"|replaced),? (?:for|to|with|by"
            r"|over to),? ?(?:with |the |a |an |some )*(?P<y><S>)"
        ),
        pattern(
            r"(?P<x><S>)[^<>;?!\n]{0,60}?\b(?:swap(?:ped)?|switch(?:ed)?|chang(?:ed)|replac(?:ed)) (?:it|that|this"
            r"|me|him|her) (?:for|to|with|over to|onto) (?:the |a |an |some )?(?P<y><S>)"
        ),
        pattern(
            r"\b(?:switch(?:ed|ing)?|chang(?:ed|ing)|swap(?:ped|ping)?|mov(?:ed|ing)|went|transition(?:ed"
            r"|ing)) (?:me |him |her |my \w+ |over |out )*(?:from )?(?:the |my )?(?P<x><S>)[^.;?!\n]{0,16}?\b(?:to"
            r"|for|with|onto|out for|over to) (?:the |a |an |some |my )?(?P<y><S>)"
        ),
        pattern(
            r"\b(?:switch(?:ed)?|chang(?:ed)|swap(?:ped)?|mov(?:ed)|put|started) (?:me |him |her |over )*(?:to"
            r"|onto|on|for) (?:the |a )?(?P<y><S>)[^.;?!\n]{0,24}?\b(?:instead of|in place of|rather than|from"
            r"|replacing) (?:the |my )?(?P<x><S>)"
        ),
        pattern(
            r"\b(?:moved|switched|took|changed|weaned)(?: me)?(?: over| across| off)* from (?:the |my )?(?P<x><S>)"
            r"(?![^.;!?]{0,20}\b(?:to|onto)\b)"
        ),
        pattern(r"\breplaced? (?:the |my )?(?P<x><S>)[^.;?!\n]{0,12}?\b(?:with|by) (?:a |the )?(?P<y><S>)"),
        pattern(r"(?P<y><S>)[^.;?!\n]{0,60}?\breplac(?:es|ing) (?:the |my )?(?P<x><S>)"),
        pattern(r"(?P<y><S>)[^.;?!\n]{0,14}? (?:instead of|in place of|has replaced|replaced) (?:the |my )?(?P<x><S>)"),
        pattern(
            r"\b(?:switched|changed|swapped|moved)(?: me| him| her| over)* (?:to|onto|for) (?:the |a |an )?(?P<y><S>)"
        ),
    ),
    dose=pattern(
        r"(?P<x>(?:\d+(?:\.\d+)?(?:\s?/\s?\d+)?\s*-?\s?(?:mg|milligrams?|mcg|micrograms?|µg|g|grams?|ml|units?"
        r"|iu|%)|(?:\d+|one|two|three|half an?|an?) (?:puffs?|tablets?|tabs?|pills?|capsules?|drops?|sachets?"
        r"|patch(?:es)?|sprays?|injections?|spoons?(?:ful)?|doses?))\b"
        r"|(?:(?<=<S> )|(?<=<S> is )|(?<=<S> now, ))(?:\d{2,4}(?:\.\d+)?|\d\.\d+)\b(?!\s*(?:years?|yrs?|days?"
        r"|weeks?|months?"
        r"|hours?|am\b|pm\b|%|times|/)))"
    ),
    dose_now=pattern(
        r"\b(?:from \d+(?:\.\d+)? ?(?:mg|mcg|units?|ml)? (?:down |up )?to|(?:down|up|upped|increased|reduced|lowered"
        r"|raised|cut|dropped|bumped|doubled|halved|changed)[^.;\n\d]{0,24}?\b(?:to|it's|its|now|at)) "
        r"(?!(?:3[5-9]|4[0-2])\.\d)(?P<x>\d+(?:\.\d+)?\s*(?:mg|mcg|g|ml|units?|puffs?|tablets?)?)"
    ),
    asks_treatment=re.compile(
        r"\b(?:treatments?|medications?|medicines?|meds|prescri\w+|anything (?:for|to help)|tak(?:e|ing) anything"
        r"|what (?:are|were) you (?:taking|given|using)|what (?:did|do|have) (?:they|you|the doctor|she"
        r"|he) (?:given? you|gave you|take|taking|using|use|put you on|suggest)|(?:are|were) you (?:taking"
        r"|using|on) (?:any|another|something)|(?:been|were you) given|managing"
        r"|which (?:one|pill|tablet|cream))\b"
    ),
    asks_still=re.compile(r"\bstill (?:on|taking|using|need(?:ing)?|having|injecting)\b"),
    asks_dose=re.compile(
        r"\b(?:how (?:much|many|often)|what (?:dose|strength|dosage)|dose|dosage|strength|which dose)\b"
    ),
    frequency=pattern(
        r"(?P<x>(?<=mg )a day\b|(?<=mcg )a day\b|(?<=units )a day\b|\b(?:(?:once|twice|three times|four times"
        r"|\d+ times|\d ?x|one|two)(?: (?:a|per|each|every"
        r"|daily) ?(?:day|week|month|night|morning)?| daily| weekly)|every (?:\d+|other|few|second|two|three|four|six"
        r"|eight|twelve)? ?(?:hours?|hrs?|days?|nights?|mornings?|evenings?|weeks?|months?|morning|night)"
        r"|daily|nightly|weekly|monthly|each (?:morning|night|day|evening)|(?:in the|at|before) (?:mornings?"
        r"|bed(?:time)?|nights?|evenings?|breakfast|dinner|lunch|meals|food)|mornings|nights|evenings|at nite"
        r"|with (?:meals"
        r"|food|breakfast|dinner)|as needed|when needed"
        r"|when i need it|prn|b\.?i\.?d|t\.?i\.?d|q\.?d|od|bd|tds|qds)\b)"
    ),
    vitals={
        "temperature": pattern(
            r"\b(?:temp(?:erature)?|fever|thermometer|running|hit|reading)[^,.;\n\d]{0,16}(?P<x>(?:3[5-9]|4[0-2]"
            r"|9[5-9]|10[0-6])(?:\.\d)?\s*(?:°|degrees?)?\s*[cf]?\b)(?! (?:days?|weeks?|hours?|years?|mg))"
            r"|(?<!\d)(?P<x2>(?:3[5-9]|4[0-2]|9[7-9]|10[0-6])\.\d\s*(?:°|degrees?)?\s*[cf]?\b)(?! ?(?:kg|%|st|lb"
            r"|mg|cm|mmol))|(?P<x3>\b10[0-5] ?(?:°|degrees?|f\b) ?f?)"
        ),
        "blood pressure": pattern(
            r"\b(?:bp|blood pressure|pressure)\b[^.;\n\d]{0,24}(?P<x>\d{2,3}\s*(?:/|over)\s*\d{2,3}"
            r"|\d{3}\b(?! ?mg))|(?<![\d/])(?P<x2>(?:8|9|1\d|2[0-2])\d\s*(?:/|over)\s*(?:[4-9]|1[0-3])\d)(?![\d/])"
        ),
        "heart rate": pattern(
            r"(?:\b(?:heart ?rate|pulse|hr|bpm|resting)|<G> rate)\b[^,.;\n\d]{0,16}(?P<x>\d{2,3})\b(?! ?/)"
            r"|\b(?P<x2>\d{2,3} ?bpm)"
        ),
        "blood sugar": pattern(
            r"\b(?:(?:blood )?sugars?|glucose|bm|fasting|a1c"
            r"|hba1c)\b[^.;\n\d]{0,18}(?P<x>\d{1,3}(?:\.\d{1,2})?\s*(?:mmol(?:/l)?|mg/dl|%)?)(?! ?(?:years?|hours?"
            r"|days?|weeks?|mg\b|am|pm))"
        ),
        "oxygen": pattern(r"\b(?:o2|oxygen|sats?|spo2|saturation)\b[^,.;\n\d]{0,14}(?P<x>\d{2,3}\s*%?)"),
        "weight": pattern(
            r"\b(?:weigh(?:s|ing|t)?\b[^,.;\n\d]{0,22}|(?:i'm|now)\b[^,.;\n\d]{0,12}|weighed(?: in)?\b[^.;\n\d]{0,24}"
            r"|scales?\b[^.;\n\d]{0,24})(?P<x>\d{2,3}(?:\.\d)?\s*(?:kg|kilos?|lbs?|pounds"
            r"|stone|st)\b)|\bscales?\b[^.;\n\d]{0,24}(?P<x3>\d{2,3}(?:\.\d)?)(?=\s*[.!,]|\s*$)"
            r"|(?:^|[.!?,] )(?P<x2>\d{2,3}(?:\.\d{1,2})? ?(?:kg|kilos?)\b)(?=\s*[.!,]|\s*$)"
        ),
        "height": pattern(
            r"\b(?P<x>\d\s?(?:'|ft|foot|feet)\s?\d{0,2}(?:\"|in|inches)?|1[.]?[4-9]\d? ?(?:m|cm|metres?"
            r"|meters?))\b(?! ago)"
        ),
    },
    done_before=pattern(
        r"\b(?:had|did|done|got|ran|took|my|the|her|his|last|recent|latest|went for|after|have had|results? of"
        r"|results? from)\b(?:\s|a|an|the|my|some|me|full|another|recent|last|repeat|chest|abdominal|brain"
        r"|spine|<T>|,|and|of|from|for)*$"
    ),
    planned_before=pattern(
        r"\b(?:need|needs|should|waiting (?:for|on)|wait for|booked|book|scheduled|want|wants|order(?:ed|ing)?"
        r"|refer(?:red|ral)?|going for|having|get|getting|have to|tomorrow|next|due for|due|recommend\w*"
        r"|suggest\w*|do i|can i|could i|without|no|never had|haven'?t had)\b(?:\s|to|a|an|the|my|me|for|have"
        r"|get|do|some|another|any|full|<T>|,|and)*$"
    ),
    result_after=pattern(
        r"^[^.;!?\n]{0,26}?\b(?:normal|abnormal|fine|clear|ok|okay|good|high|low|elevated|raised|positive"
        r"|negative|show(?:s|ed)|said|came back|results?|found|borderline|up|down|\d+(?:\.\d+)?|nothing|all)\b"
    ),
    occasion=pattern(
        r"\b(?:appointments?|appt|follow[- ]?up|check[- ]?up|booked|scheduled|surgery|operation|scan|physio"
        r"|dental|with dr|dentist|consult(?:ation)?|clinic|see(?:ing)? (?:dr|the|my|an?) ?\w*|therapy|rehab"
        r"|physical|session|procedure"
        r"|vaccin\w+|jab|(?:health|eye|hearing|blood) (?:check|test)s?)\b|<T>|<O>"
    ),
    day=re.compile(
        r"\b(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?"
        r"|(?:the )?\d{1,2}(?:st|nd|rd|th)(?: of \w+)?|\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct"
        r"|nov|dec)[a-z]*|(?:next |this |on |coming )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow"
        r"|next (?:week|month))\b(?:,? at \d{1,2}(?::\d\d)? ?(?:am|pm)?)?"
    ),
    moved=re.compile(
        r"\b(?:moved?|reschedul\w+|postpon\w+|delay\w+|push\w*|chang\w+|switch\w+|shift\w*|bump\w*|brought"
        r"|put)\b[^.;\n]{0,44}?\b(?:to|for|until|till|forward)\b"
        r"|\bit'?s (?:now )?(?:the )?\d{1,2}(?:st|nd|rd|th)[^.;\n]{0,16}\bnow\b"
        r"|\b(?:appointment|physio|therapy|sessions?|clinic|dialysis)\b[^.;\n]{0,24}days? (?:from now on|instead|now)\b"
    ),
    moved_alone=re.compile(
        r"^\s*(?:so |ugh |they'?(?:ve)? |(?:it|(?:the |my )?\w+(?: appointment| appt)?)(?:'s| has| was| got) (?:been )?"
        r"|it'?s (?:been )?|it was |got )*(?:moved|rescheduled|pushed|put"
        r"|bumped) ?(?:it|me|my appt|that)?"
        r" ?(?:again|back|off|forward)?\s*$"
    ),
    asks_moved=re.compile(
        r"\bre-?book|\brescheduled?\b|\bre-?arrange"
        r"|\b(?:new|another|different|other) (?:date|day|time|slot|appointment)\b"
        r"|\bmoved? (?:it |you )?to when\b|\bwhen(?:'s| is) it now\b"
    ),
    called_off=re.compile(r"\b(?:cancel\w*|call(?:ed)? off|scrap\w*|bin(?:ned)?|not going|won't make)\b"),
    was=re.compile(
        r"\b(?:had|was|went|did|replaced|removed|(?<!'ve )(?<!have )got|last|came back|results?|ago|yesterday)\b(?! to)"
    ),
    asks_over=re.compile(
        r"\b(?:are|is|has|have|did|all)\b[^?]{0,24}\b(?:gone(?! (?:worse|to|on|up|into|down))|cleared"
        r"|stopped(?! (?:working|helping|you|taking))|vanished|disappeared|settled|over(?! the)|go away|went away"
        r"|resolved)\b[^?]{0,12}\?"
    ),
    yes=re.compile(r"^\s*(?:yes|yeah|yep|yup|a bit|a little|sometimes|sort of|i do|i am|i have|definitely|mhm)\b"),
    no=re.compile(r"^\s*(?:no|nope|nah|not|none|never)\b"),
    kind_of=(re.compile(r"^(?:symptoms?|pain)$"),),
)
