"""The Chinese patterns of dates.

They are tried in order at each place. What looks like a date and is none is kept out by what stands beside it:
三点建议, 一周三次, 三年级, 有一点, 手术三天后, 早上好.
"""

from typing import Final

from memory.language.dates.scan import Rule, Scanner
from memory.language.dates.zh import atoms as zh

_HAN: Final = zh.HAN_NUMBER
_NUMBER: Final = zh.NUMBER
_UNIT: Final = zh.UNIT
_MONTH: Final = r"1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九]"
_DAY: Final = r"[12][0-9]|3[01]|0?[1-9]|[二廿]?十[一二三四五六七八九]?|三十一?|[一二三四五六七八九]"
_NOT_A_COUNT: Final = r"(?![次回顿遍场趟粒片杯餐])"

_UNITS_AWAY: Final = [
    Rule(
        "half_ago",
        r"半(?P<half_unit>个?小时|个?钟头|个月|年)多?[之以]?(?P<half_side>[前后])(?![面列])",
        zh.make_half_ago,
    ),
    Rule(
        "ago",
        rf"(?<![{_HAN}0-9.第上下了术药疗院饭餐病产过])(?<!后来)(?:(?P<ago_few>十?好?几|数|若干)|"
        rf"(?P<ago_n>{_NUMBER})(?:[~、到至-](?P<ago_to>{_NUMBER}))?)(?P<ago_point>\.5)?[多来]?"
        rf"(?:(?P<ago_half>个半)(?=[小钟月星礼]))?(?P<ago_unit>{_UNIT}|(?<=半)月)(?P<ago_and>半)?"
        r"多?[之以]?(?P<ago_side>[前后])(?!列腺|[面半排台腰])",
        zh.make_ago,
    ),
    Rule("next_day", r"第(?P<nd_n>[二三四五2-5])天(?!的)|(?<!每)(?:次日|隔[天日]|翌日)", zh.make_next_day),
    Rule("again", rf"再[过等](?P<again_n>{_NUMBER})(?P<again_unit>{_UNIT})(?!后|之)", zh.make_again),
    Rule(
        "running",
        r"(?<![附靠接将以目之])(?P<run_lead>最近的?|过去的?|近|这|未来的?|接下来的?|今后|往后|(?<!的)[前头])"
        rf"(?P<run_n>几|些|{_NUMBER})(?P<run_unit>{_UNIT})(?:里|内|以?来|间)?(?![前后次])",
        zh.make_running,
    ),
]

_YEARS: Final = [
    Rule(
        "decade",
        r"(?P<dec_c>上个?世纪|二十世纪|20世纪)?(?P<dec_n>(?<![0-9])[0-9]0|[一二三四五六七八九]十)年代",
        zh.make_decade,
    ),
    Rule(
        "year",
        r"(?:(?P<y_n>(?<![0-9.])[12][0-9]{3}|[一二][零〇一二三四五六七八九]{3})[ ]?年(?![级薪])|"
        r"(?<![0-9.])(?P<y_short>[0-9]{2})年(?=[0-9一二三四五六七八九十]{1,2}月|[初底]|年[初底]|[春夏秋冬]天|出生"
        r"|生的|毕业|入[学职])|"
        r"(?<![目之以提从三往然])(?P<y_rel>大前|大后|[前去今本明来后]|上(?!年[纪级]))年(?![纪轻级龄夜货糕会终]))度?",
        zh.make_year,
    ),
    Rule(
        "edge",
        r"(?<=年)(?P<e_y>年?[初底末]|年头|年中)(?![一二三四五六七八九十])|"
        r"(?<=[月份])(?P<e_m>上旬|中旬|下旬|月?[初底末]|中(?=[，,。、 的]|$))|"
        rf"(?<![0-9{_HAN}个几腊正])(?P<e_month>月[初中底末](?![央间国])|[上中下]旬)|"
        rf"(?<![0-9{_HAN}几每多半大])(?P<e_year>年[初底末尾])(?![一二三四五六七八九十])",
        zh.make_edge,
    ),
    Rule(
        "half",
        r"(?P<h_n>[上下])半年|第?(?P<q_n>[一二三四1-4])季度|(?P<q_rel>上上|上|这|本|下下|下)一?个?季度",
        zh.make_half,
    ),
    Rule(
        "season",
        r"(?P<s_year>[去今明])(?P<s_short>[春夏秋冬])(?![天季])|(?P<s_step>[上这下])?(?(s_step)个?)"
        r"(?P<s_name>[春夏秋冬])[天季]",
        zh.make_season,
    ),
]

_MONTHS: Final = [
    Rule(
        "zh_month_day",
        rf"(?<![0-9.{_HAN}个])(?P<zd_m>{_MONTH})月(?P<zd_d>{_DAY})(?:[日号]|(?![0-9{_HAN}个点天年月周]))",
        zh.make_month_day,
    ),
    Rule(
        "month",
        r"(?P<m_rel>上上|上|这|本|下下|下)一?个?月(?![球亮饼光经])|"
        rf"(?<![0-9.{_HAN}个几第])(?P<m_n>{_MONTH})月(?![大龄子薪经嫂内])份?",
        zh.make_month,
    ),
    Rule(
        "day_of_month",
        rf"(?<![0-9.第/{_HAN}-])(?P<d_n>{_DAY})(?P<d_mark>[号日])"
        r"(?![楼线床院桌门店球机选病文件令馆站房出公仓字码柜窗诊车位台井坑内游程龄间元本后])",
        zh.make_day_of_month,
    ),
]

_WEEKS_AND_DAYS: Final = [
    Rule(
        "week",
        r"(?P<w_step>上上|下下|上一|下一|这一|上|这|本|下)个?(?:周|星期|礼拜)(?!岁|期|转|身)"
        rf"(?P<w_day>[一二三四五六末](?:{_NOT_A_COUNT})|[天日](?!本|子))?",
        zh.make_week,
    ),
    Rule(
        "bare_weekday",
        rf"(?<![{_HAN}0-9几半每孕第个整满])(?:(?:周|星期|礼拜)(?P<wd_n>[一二三四五六末]{_NOT_A_COUNT}|[天日](?!本))"
        rf"|双休日)",
        zh.make_bare_weekday,
    ),
    Rule(
        "day_part",
        r"(?:(?P<dp_day>[昨今明])天?|(?P<dp_far>[前后])天|(?P<dp_eve>(?<![之以目睡饭])前)(?=晚))"
        r"(?P<dp_part>早[上晨]?|晨|晚上?|夜里?)(?![期餐饭霜])",
        zh.make_day_part,
    ),
    Rule(
        "day",
        r"(?<![先年])(?P<day_n>大前|大后|[前昨今明后])(?:天|(?<=[昨今明])日(?![头方])|(?<=[昨今明])儿个?|"
        r"(?<=[昨今明])(?=[上下]午|中午))",
        zh.make_day,
    ),
    Rule(
        "part",
        rf"(?<![整个半两几])(?<!(?<![周期拜])一)(?:(?P<p_word>{zh.PART_WORDS})(?!好(?:[！!，,。~呀啊]|$)|安"
        rf"(?![排全静定]))|"
        rf"(?P<p_short>[早晚])(?=[0-9{_HAN}]{{1,3}}[点:时])|"
        r"(?<=[一二三四五六日天号末])(?P<p_late>[早晚])(?![上晨期饭餐点年婚会安]))",
        zh.make_part,
    ),
    Rule(
        "zh_clock",
        rf"(?:(?<![{_HAN}0-9.:])|(?<=[周期拜][一二三四五六]))(?P<c_h>[0-9]{{1,2}}|二?十[一二三四]?"
        rf"|[零一二两三四五六七八九])[ ]?"
        r"(?P<c_mark>[点时])(?![间候代期差刻滴])(?:(?P<c_full>钟|整|正(?![确常]))|(?P<c_half>半)|"
        r"(?P<c_quarter>[一三13])刻|"
        r"[过零〇]?(?P<c_m>[0-5][0-9](?![0-9.])|[0-9](?=分)|[二三四五]?十[一二三四五六七八九]?|"
        r"(?<=[零〇])[一二三四五六七八九]|"
        r"[一二三四五六七八九](?=分))分?)?",
        zh.make_clock,
    ),
    Rule(
        "zh_feast",
        rf"(?P<f_name>{zh.FEASTS}|(?<![0-9{_HAN}月周])(?:五一|六一|八一|十一)(?=假期|长假|小长假|期间|节|黄金周"
        rf"|那天|放假|前|后)|"
        r"(?<=[去今明前后]年)(?:五一|六一|八一|十一)(?![月个]))节?(?![0-9])",
        zh.make_feast,
    ),
]

_BEGINNINGS: Final = (
    rf"[0-9{_HAN}廿]{{1,6}}[.个半多来~、到至点时月日号年周星礼天小分秒钟季世几好节大早 -]|[五六八十]一|"
    r"[半几好数若再最过近这未接今往前头上大去本明来后下春夏秋冬周星礼双昨凌清早晨中正晌午傍黄晚夜深"
    r"元情妇植愚劳青护儿建教国万光圣平跨母父感月年初底末第旬次隔翌]"
)
"""How every pattern begins: most places of a text begin no date, which this tells at once."""

CHINESE: Final = Scanner([*_UNITS_AWAY, *_YEARS, *_MONTHS, *_WEEKS_AND_DAYS], opening=f"(?={_BEGINNINGS})")
"""All Chinese atoms of a text."""
