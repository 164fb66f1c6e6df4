"""The English patterns of dates.

They are tried in order at each place. Names of months and days that are also words (may, march, sat, sun) need
their capital or a word beside them; a bare number is a year or an hour only beside a date or after a word that
asks for one.
"""

from typing import Final

from memory.language.dates.en import atoms as en
from memory.language.dates.scan import HALF_DAY, Rule, Scanner

_FEW: Final = r"(?:just |only )?a few|few|several|some|a number of|a handful of"
_COUPLE: Final = r"(?:a |the )?couple(?: of)?|a pair of"
_UNIT: Final = r"sec(?:ond)?|min(?:ute)?|h(?:ou)?r|day|week|wk|fortnight|month|quarter|year|yr|decade"
_LONG_MONTH: Final = (
    r"january|february|april|june|july|august|september|october|november|december|(?-i:March|MARCH|May|MAY)"
)
_MONTH: Final = rf"{_LONG_MONTH}|(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|(?-i:Mar|MAR|Dec|DEC|dec))\.?"
_LONG_DAY: Final = r"monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_SHORT_DAY: Final = r"(?-i:Mon|Tues?|Weds?|Thu|Thurs?|Fri|Sat|Sun|MON|TUE|WED|THU|FRI|SAT|SUN)\.?"
_BEGINNINGS: Final = (
    r"[0-9]|a (?!lot)|an|ap|au|after|b(?:eg|la|ox)|c(?:hr|om|ou)|da[yw]|dec|du|e(?:ar|ig|le|nd|ve)|"
    r"f(?:a|e[bw]|i|ol|or|ou|ri)|"
    r"ha[lno]|in |ind|ja|ju|la[bst]|lunc|m(?:a[ry]|em|id|o[nrt])|n(?:ew|ex|i|o[ov])|o(?:ct|ne|nl)|pa|pr|q|"
    r"s(?:a[it]|e[pv]|i|o|p|t|u)|t(?:en|h[eiru]|mr|o[dmn]|u|w)|up|v[ae]|we[de]|win|x|ye|z"
)
"""How the first word of every pattern begins: most words of a text begin no date, which this tells at once."""
_HOUR_WORD: Final = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_HOUR: Final = rf"1[0-2]|0?[1-9]|{_HOUR_WORD}"
_DAY: Final = r"[12][0-9]|3[01]|0?[1-9]"


def _amount(name: str) -> str:
    """A count and its unit: half an hour, two or three days, an hour and a half, a couple of weeks."""
    return (
        rf"(?:(?P<{name}_halfof>half an?)|(?P<{name}_few>{_FEW})|(?P<{name}_couple>{_COUPLE})|"
        rf"(?P<{name}_n>{en.NUMBER})(?P<{name}_point>\.5)?(?:(?:-| or | to )(?P<{name}_to>{en.NUMBER}))?"
        rf"(?P<{name}_half> and a half)?)(?: more| full| whole)?[ -]?"
        rf"(?P<{name}_unit>{_UNIT})s?\.?(?P<{name}_half2> and a half)?"
    )


_UNITS_AWAY: Final = [
    Rule(
        "ago",
        rf"{_amount('ago')} "
        r"(?P<ago_side>ago|back(?! (?:pain|ache|to))|from (?:now|today)|hence)",
        en.make_ago,
    ),
    Rule("later", rf"{_amount('lat')} (?:later|after that|afterwards?)", en.make_later),
    Rule(
        "in",
        rf"in (?:about |around |another |exactly |roughly )?{_amount('in')}(?:'s? time| time)?(?! (?:of|row|flat"
        rf"|a row|total|straight))",
        en.make_in,
    ),
    Rule(
        "running",
        r"(?:(?:the |these )?(?P<run_lead>last|past|previous|next|coming|following) "
        rf"(?:(?P<run_few>{_FEW})|(?P<run_couple>couple(?: of)?)|(?P<run_n>{en.NUMBER})) (?P<run_unit>{_UNIT})s?|"
        rf"(?:the|this) past (?P<run_past>day|week|month|year))",
        en.make_running,
    ),
]

_DAYS: Final = [
    Rule("noon", r"(?<=at )(?P<nn_word>noon|midnight)", en.make_noon),
    Rule("night", r"(?P<night_n>the night before last|last night|tonight)", en.make_night),
    Rule(
        "next_day",
        r"(?:the )?(?:next|following) (?:day|(?P<nd_part>morning|afternoon|evening|night))(?! or| to|s)",
        en.make_next_day,
    ),
    Rule("other_day", r"the other (?:day|night|morning|evening|afternoon)", en.make_other_day),
    Rule(
        "en_day",
        r"(?P<day_n>(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|today|tomorrow|tomorow|tmrw?)",
        en.make_day,
    ),
    Rule(
        "en_part",
        r"(?:(?P<p_lead>this|the) )?(?:early |late |mid-?)?"
        r"(?P<p_name>morning|afternoon|evening|night|noon|lunchtime|midday)(?<!good morning)(?<!good evening)"
        r"(?<!good night)",
        en.make_part,
    ),
    Rule(
        "beside",
        rf"(?:the )?(?P<bs_what>day|night|week|weekend|{_LONG_DAY}) (?P<bs_side>before|after)(?! last| next"
        rf"| yesterday| tomorrow)",
        en.make_beside,
    ),
    Rule(
        "nth_week",
        rf"the (?P<nw_n>first|second|third|fourth|last) (?P<nw_what>weekend|week|{_LONG_DAY})(?= (?:of|in) )",
        en.make_nth_week,
    ),
    Rule("weekday_before_last", rf"(?:the )?(?P<wl_day>{_LONG_DAY}) before last", en.make_weekday_before_last),
    Rule(
        "weekday",
        r"(?<!good )(?<!black )(?<!ash )(?:(?P<wd_lead>(?:the )?(?:last|previous|next|this(?: past"
        r"| coming)?|past|coming|upcoming)) )?"
        rf"(?:(?P<wd_long>{_LONG_DAY})|(?P<wd_short>{_SHORT_DAY})(?= |,|\.|$))",
        en.make_weekday,
    ),
    Rule(
        "weekend",
        r"(?:(?P<we_lead>last|previous|this(?: past| coming)?|next|the(?: past| coming| following)?) )?weekend"
        r"(?P<we_last> before last)?",
        en.make_weekend,
    ),
    Rule(
        "week",
        r"(?:the )?(?:(?:earlier|later|sometime) )?(?:the week (?:before last|after next)|week (?:before last"
        r"|after next)|"
        r"(?:last|previous|this|next|this coming) week)",
        en.make_week,
    ),
]

_MONTHS: Final = [
    Rule(
        "feast",
        rf"(?:(?P<f_lead>last|this|next) )?(?P<f_name>{'|'.join(sorted(en.FEASTS, key=len, reverse=True))})",
        en.make_feast,
    ),
    Rule(
        "en_month_day",
        rf"(?:the )?(?P<md_first>{_DAY})(?:st|nd|rd|th)?[ -](?:day )?(?:of )?(?P<md_m1>{_MONTH}|march|may)(?! be )|"
        rf"(?P<md_m2>{_MONTH}|(?:march|may)(?= [0-9]{{1,2}}(?:st|nd|rd|th)))[ -](?:the )?(?P<md_after>{_DAY})(?:st"
        rf"|nd|rd|th)?(?!:|[0-9]| ?%| ?[ap]m| (?:people|times|mg))",
        en.make_month_day,
    ),
    Rule(
        "en_month",
        r"(?:(?P<mo_lead>last|this past|this coming|this|next) )?"
        rf"(?:(?P<mo_name>{_MONTH})|(?:(?<=in )|(?<=last )|(?<=next )|(?<=since )|(?<=until ))(?P<mo_lower>march"
        rf"|may))(?! [0-9]{{1,2}}(?![0-9:]))",
        en.make_month,
    ),
    Rule(
        "unit_before_last", r"the (?P<ub_unit>year|month) (?P<ub_side>before last|after next)", en.make_unit_before_last
    ),
    Rule(
        "calendar_unit",
        r"(?:earlier |later |sometime )?(?P<cu_lead>last|(?:the )?previous|this|next|the coming) (?P<cu_unit>year"
        r"|month|quarter)",
        en.make_calendar_unit,
    ),
    Rule("en_quarter", r"(?-i:Q)(?P<q_n>[1-4])", en.make_quarter),
    Rule(
        "en_season",
        r"(?:(?P<s_lead>last|this past|this|next|the) )?(?P<s_name>spring|summer|fall"
        r"|autumn|winter)(?! (?:down|off|asleep|roll|break|ill|from))",
        en.make_season,
    ),
    Rule(
        "en_edge",
        r"the (?P<e_place>beginning|start|middle|end|very end) of(?: the (?P<e_unit>month|year|week))?|"
        r"(?P<e_word>early|mid|late|beginning of|end of)(?=[ -])",
        en.make_edge,
    ),
    Rule(
        "en_day_of_month",
        rf"the (?P<dm_n>{_DAY})(?:st|nd|rd|th)(?! (?:floor|time|century|grade"
        rf"|of the|percentile|edition|birthday|anniversary|street|one))",
        en.make_day_of_month,
    ),
]

_YEARS_AND_CLOCK: Final = [
    Rule(
        "en_decade",
        r"the (?:early |mid-? ?|late )?(?:(?P<dec_y>(?:19|20)[0-9]0)|'?(?P<dec_s>[1-9]0)|"
        r"(?P<dec_w>twenties|sixties|seventies|eighties|nineties))'?s?",
        en.make_decade,
    ),
    Rule(
        "en_year",
        r"(?P<y_n>(?:1[89]|20)[0-9]{2})"
        r"(?!-|[.,:/][0-9]| ?(?:mg|ml|kg|km|g|kcal|cal|calories|steps|people|words|miles|dollars|euros|usd|iu|%)"
        r"(?![a-z]))",
        en.make_year,
    ),
    Rule(
        "past_hour",
        rf"(?P<ph_m>half|(?:a )?quarter|five|ten|twenty-five|twenty|[1-5]?[05]) (?P<ph_to>past|after|to"
        rf"|till) (?P<ph_h>{_HOUR})(?: ?(?P<ph_half>{HALF_DAY}))?",
        en.make_past_hour,
    ),
    Rule(
        "en_clock",
        rf"(?P<c_h>{_HOUR})(?::(?P<c_m>[0-5][0-9]))?(?: ?(?P<c_half>{HALF_DAY})|"
        rf"(?P<c_full> ?o'? ?clock))|"
        rf"(?:(?<=at )|(?<=around ))(?P<c_h2>{_HOUR})(?![0-9:.%/-]| (?:percent|a|an|mg|am|pm|times|years|months|weeks"
        rf"|days|hours|minutes|points|people|of|different|other))",
        en.make_clock,
    ),
]

ENGLISH: Final = Scanner(
    [*_UNITS_AWAY, *_DAYS, *_MONTHS, *_YEARS_AND_CLOCK],
    opening=rf"(?:(?<![A-Za-z0-9_.@/$€£-])|(?<=mid-))(?={_BEGINNINGS})",
    closing=r"(?![A-Za-z0-9_@])",
)
"""All English atoms of a text."""
