"""Words by which people say that something is over, and what they end: of both languages."""

import re
from typing import Final, NamedTuple

from memory.clinical.sameness import word_of
from memory.language.conditions import IF_ZH
from memory.model.predicates import PREDICATES

_I: Final = re.IGNORECASE

_PREGNANT: Final = re.compile(r"(?<!get )(?<!getting )pregnan|(?<!备)孕", re.IGNORECASE)


class Ending(NamedTuple):
    """Words that end what is held of these predicates, if it shares a word with their clause.

    `beside`: its name must stand in one of these places, `{}`; `of`: it is one of these things, whatever the
    clause names; `anywhere`: it is named shortly before beside such a word, and nothing else of its kind;
    `anyones`: whoever the clause is about.
    """

    predicates: tuple[str, ...]
    words: re.Pattern[str]
    beside: tuple[str, ...] = ()
    of: re.Pattern[str] | None = None
    anywhere: re.Pattern[str] | None = None
    anyones: bool = False

    def may_end(self, predicate: str, name: str) -> bool:
        """Whether it ends such a thing at all: that one is pregnant ends by words of pregnancy alone."""
        own = _PREGNANT.search(name) is None or "pregnancy" in self.predicates
        return predicate in self.predicates and own

    def is_beside(self, name: str, quote: str) -> bool:
        """Whether a clause says it of this name."""
        word = word_of(name).pattern
        return any(re.search(place.format(word), quote, _I) for place in self.beside)


OVER: Final = re.compile(
    r"(?:不再|不(?:打算|准备|想)[去做再]|早就?不|已经?不|现在不|再也不|从此不)"
    r"|不[去回来办做考报飞](?!得|成|会)[\u4e00-\u9fff]{1,6}了(?![吗么])|不(?![会能要想敢知太是管过但仅只错对好])[^，。,\s不]{1,2}了|戒(?:了|掉)|停(?:了|掉|用)|取消"
    r"|作罢|泡汤|黄了|辞(?:职|了|掉)|离职|被裁|退休了|换掉|没了|好了(?!点|些)|(?:就|早|都|全|已经)好(?:利索|透|彻底|干净)了(?![吗才再没])|痊愈|卖了|送人了|去世"
    r"|腻了?|放弃了|退(?:了|掉|订)|不爱|没兴趣|不用[^，。,]{1,4}了|从[^，。,]{1,8}回来|不(?:当|做"
    r"|干)[^，。,]{1,6}了|算了|消肿|止住|通了|讨厌上|没(?:再)?犯|消了|没再|早撤|撤了|卸了|断了|扔(?:了|掉)|消下去"
    r"|挂(?:上)?了?闲鱼|出手了|退租"
    r"|送走|送给|没熬过|走丢|病死|老死|安乐|倒闭|不待了|没意思|\bno (?:longer|more)\b|\bany ?more\b"
    r"|\bquit\b|\bg(?:a|i)ven? up\b|\bstopped\b|\bcancel(?:l?ed)?\b|\bscrap\b|\bcall off\b"
    r"|\bcalled off\b|(?:'s|\bis) off\b|\bfell through\b|\bhung up\b|\bgone off\b|\bout of love\b"
    r"|\bhard pass\b|\blet me go\b|\blaid off\b|\bretired\b|\bresigned\b|\bleft (?:the|my)\b(?! \w+ (?:at|in"
    r"|behind|on)\b)"
    r"|\blost (?:all )?interest\b|\bnot for me\b|\bsold\b|\brehomed\b|\bdied\b|\bput (?:him|her"
    r"|it) down\b|\bpassed away\b|\bcleared up\b|\bpulled out of\b|\bdecided (?:against|not to)\b"
    r"|\bnot going to \w+ (?:any ?more|after all)\b|\bdropped out of\b|\bno \w+ for me\b"
    r"|\bvery last\b|\b(?:all|is|are|now|has|have) gone\b(?! (?:to|into|on|through|up|down|from|back|well)\b)"
    r"|(?<!never )(?<!not )\bwent away\b|\bcame off\b"
    r"|\bcut out\b|\bhanded in (?:my|the) notice\b|\bpacked (?:it |[\w ]{2,16} )?in\b|\bjacked (?:it "
    r"|[\w ]{2,16} )?in\b|\bwent under\b|\bgot let go\b|\bmade redundant\b|\blost my job\b"
    r"|\bbinned\b|\bchucked\b|\bdropped the\b|\bditched\b|\bscrapped\b|\bvanished\b|\b(?:is|are) over\b"
    r"|\bwent (?:right |completely |totally )?off\b|\bput to sleep\b|\bback from\b|\btook me off\b"
    r"|\bcalled [\w ]{2,20} off\b|\bnot an? [\w ]{2,16} at all\b|\bin the bin\b"
    r"|\btook the [\w ]{2,20} back\b|\bknocked [\w ]{2,16} on the head\b|\bshot of\b|\bsaw the back of\b"
    r"|\bgot rid of\b|\bshelv(?:ed|ing)\b"
    r"|\b(?:gave|handed|sent) (?:the|my) [\w ]{2,16} back\b"
    r"|\bhaven'?t \w+ (?:it|any) since\b",
    _I,
)
_FINE: Final = re.compile(
    r"\bheal(?:ed|s)?(?: up)?\b|\bback to normal\b|\bno problem now\b|\b(?:has|have) lifted\b|\bfaded(?: away)?\b"
    r"|(?:'s|\bis|\bare|\bfeels?) (?:(?:completely|totally|perfectly|absolutely|all) )?(?:fine|good|okay|ok"
    r"|great) (?:now|again|since(?! i\b))\b|\b\w+ (?:fine|well"
    r"|normally|great) (?:now|again)\b|\bhaven't had (?:a single |one |any )?\w* ?(?:in|since|for)\b"
    r"|\bno [\w ]{3,16} for (?:[\w-]+ )?(?:days|weeks|months)\b|\bnot an? single\b"
    r"|没有了(?![吗嘛])|\b(?:is|are) history\b|\bso (?:has|have) (?:the|my|all)\b"
    r"|\bhaven'?t [\w ]{3,20} (?:once )?since\b|\bnot one since\b"
    r"|(?:^|[,.!] )(?:the |my )?\w+(?: \w+)? (?:all )?gone(?=$|[,.!]| (?:now|too|completely))"
    r"|(?:全|都|也|就)(?:都|全)?(?:退|下去|消下去)了|(?:一点|完全|再也)(?:都|也)?不[\u4e00-\u9fff]{1,2}(?:了|(?=$"
    r"|[，。！]))"
    r"|一[次回]?(?:都|也)?没(?:再)?[犯疼痛发咳吐晕痒喘]|再也没(?:有)?(?:出现|犯|发生|有|疼|痛)过?"
    r"|一[个声点颗][\u4e00-\u9fff]{0,3}都(?:没有?|不)|就没(?:再)?[犯疼痛晕咳]过?"
    r"|没(?!事|药|货|法|钱|办|人|用|救|戏|空|电|劲|精|力|胃|感)[\u4e00-\u9fff]{1,2}了(?=$|[，。！])"
    r"|(?:'s|\bis|\bare|\bhas|\bhave) (?:basically|pretty much|completely|totally|finally|just about"
    r"|practically) gone\b"
    r"|翻篇|没(?:啥|什么)?事[了儿](?![吗没])|没(?:有)?再[\u4e00-\u9fff]{1,3}过?|就?不[犯疼痛痒肿胀咳喘吐拉晕麻闷酸]了|(?:当天|当场|当时)就(?:没|不)",
    _I,
)
"""Of complaints alone: a medicine that works fine now is taken still."""
_SLEEPS: Final = re.compile(
    r"(?<!只)(?<!才)能睡(?:着|整觉|好觉|[^，。不]{1,4}小时)|睡得(?:很|挺)?(?:好|着|香|踏实)(?![吗么])|睡眠(?:好多了"
    r"|好了|正常|恢复)"
    r"|\bsle(?:ep|pt|eping) (?:like a (?:baby|log)|right through|through the night|so well|great|properly|fine)\b",
    _I,
)
_OF_SLEEP: Final = re.compile(r"睡不着|失眠|睡不好|睡眠(?:不|差)|insomnia|can'?t sleep|trouble sleeping|sleepless", _I)
_PARTED: Final = re.compile(r"分手|离婚|分开了|\b(?:broke|split|broken) up\b|\bdivorced\b|\bseparated\b", _I)
_BROKE_UP: Final = re.compile(
    r"分手|分了手|散了|[和跟][^，。没不还]{1,4}?(?:已经|早)?分了(?=$|[，。！])|\b(?:called|calling) (?:the (?:wedding"
    r"|engagement) off|off the (?:wedding|engagement))\b"
    r"|\b(?:broke|split|broken) up\b|\bsplit with\b|\bdumped me\b",
    _I,
)
_OF_LOVE: Final = re.compile(
    r"^(?:男朋友|女朋友|男友|女友|对象|未婚[夫妻])|^(?:boyfriend|girlfriend|partner|fianc)", _I
)
_RULED_OUT: Final = re.compile(
    r"不是|并非|不沾边|没有|排除|好了(?![点些吗])|消了|退了|排(?:出来|出|掉)了|没了|没有了|消失|误诊|虚惊|转阴|根除|治愈|治好|逆转|纠正|\bnot\b|n't\b|\bhistory\b|\bcleared\b"
    r"|\bruled\b[\w ]{0,24}\bout\b|愈合|\boff (?:my|the)\b|\bno more\b|\bgone\b(?! (?:up|down|from|back|to)\b)"
    r"|\bmisdiagnos"
    r"|\bnever\b|\bcured\b|\breversed\b|\bsorted\b|\bresolved\b",
    _I,
)
_RULED_OUT_PLACES: Final = (
    r"跟{}(?:完全|根本|一点)?(?:都)?不沾边",
    r"(?:不是|并非|排除了?|误诊(?:成|为)了?)(?:那个)?(?:什么|真的?)?{}(?!引起|导致|造成|的问题)",
    r"{}[^，。没不]{{0,6}}(?:排除|是误诊|转阴|根除|治愈|治好了|逆转了|纠正(?:了|过来|$))",
    (
        r"\b(?:not|isn't|wasn't|aren't|weren't|turned out not to be|ruled out|never (?:had|was)|was never"
        r"|were never|haven't got|don't have)\s(?:actually |really |to be |have "
        r"|got )*(?:an? )?{}\b(?! related| attacks?| very| that| high)"
    ),
    (
        r"{}(?:已经|都|也|就|全|完全|现在|后来|终于|早|自己|基本|(?:前|昨|今)[天晚早])*"
        r"(?:没了|没有了|消失了|愈合了?|好了(?![点些吗])|消了|退了|排(?:出来|出|掉)了)(?![吗么])"
    ),
    r"没有{}(?=$|[，。,])",
    r"\b(?:cured of|free of|clear of|rid of) (?:the |my |that )?{}",
    r"\bnever was (?:an? )?{}",
    r"\bno more {}(?! attacks?| episodes?| flare| symptoms?)",
    r"\btook {} off\b",
    (
        r"{}(?:'s| is| has| have)? (?:all |now |completely |totally )*(?:gone|over|history|cleared(?: up)?"
        r"|sorted|resolved)\b"
        r"(?! (?:to|up|down|on|in)\b)"
    ),
    r"\b(?:ruled|ruling) {} out",
    (r"{}[^.;,]{{0,24}}\b(?:ruled out|misdiagnos\w+|cured|reversed|not after all)\b"),
)
_BORNE: Final = re.compile(
    r"过敏(?:已经|早就?|也|都|就)*(?:好|没)了(?![吗么])|\ball?ergy(?:'s| is| has)?(?: now| all"
    r"| completely)* (?:gone|disappeared"
    r"|cleared|been cured)\b|\ball?ergy went away\b"
    r"|[零〇0]级(?=[，。！]|$)|随便[吃喝用](?=[，。！]|$)|过敏[^，。]{0,8}划掉|划掉[^，。]{0,8}过敏|这条划掉"
    r"|冤枉[^，。钱]{0,6}了(?=$|[，。！])|不(?:算|再)?过敏"
    r"|(?:(?:^|[，。])[^，。吃用打喝服输涂]{1,8}没有?反应|[跟和与][^，。]{1,10}[没无]关系)(?=$|[，。！])"
    r"|(?<!不)可以(?:放心|正常"
    r"|照常)(?:地)?(?:再)?(?:吃|用|打|碰)"
    r"|不是[^，。]{0,8}过敏|(?:^|[，。])(?:结果|报告)?(?:都|全)(?:是)?没(?:事|问题|反应)(?=$|[，。！])|(?:是|都"
    r"|全)没事的|(?:^|[，。])(?:结果|都|全|也|是|显示|报告|均|全部|皮试|激发|点刺|斑贴|试验)*阴性"
    r"|(?:根本|压根|其实)(?:就)?没(?:有)?过敏|(?:完全|根本|压根|一点儿?|啥)(?:都|也)?没(?:有)?(?:事|反应|问题)|(?:激发|斑贴"
    r"|皮试|点刺|复查)[^，。]{0,14}(?:(?<![不假])(?<!不是)阴性|没反应|没事|通过|不过敏)|摘(?:了|掉)[^，。]{0,4}帽子"
    r"|(?:'s| is) off (?:the|my) (?:list|record|allergy list|allergies)(?! for)\b|\bde-?label"
    r"|\b(?:fine|ok(?:ay)?) with [\w ]{3,20}\b|\bno longer allergic|\bcan (?:eat|have|take|drink"
    r"|use) [\w ]{2,20} (?:normally|safely|freely|now)\b"
    r"|\bnot (?:actually |really )?allergic|\boutgr(?:ew|own)\b|\bgrew out of\b|\b(?:challenge"
    r"|test)\b[^.;]{0,20}\b(?:negative|clear|passed)\b|\bisn't an allergy\b"
    r"|\bwas never the\b|\b(?:was|came back|totally|completely|all) negative\b"
    r"|\b(?:was|were|is|are|came (?:up|back|out)) (?:all |totally |completely )?(?:fine|clear)\b"
    r"|\bremoved [\w ]{2,24} from my (?:record|chart|file|list|notes)\b|\bnever (?:actually "
    r"|really )?(?:been )?allergic\b|\bcan (?:eat|have|take|drink|use) [\w ]{2,20} again\b"
    r"|\bpassed\b[^.;]{0,24}\b(?:challenge|test)\b|\bnot [\w ]{3,20} at all\b"
    r"|\btook [\w ]{2,24} off my (?:allergy )?(?:chart|record|list|file|notes)\b",
    _I,
)
_NEGATIVE: Final = re.compile(r"(?<![不假])(?<!不是)阴性")
"""Of what its clause names."""
_SOBER: Final = re.compile(
    r"\b(?:day \d+|days|weeks|months|years?) without (?:a|one|any) (?:drink|drop|alcohol)\b|\b(?:sober|teetotal"
    r"|dry) (?:now|since|for|today|these)|\b(?:days?|weeks?|months?"
    r"|years?) (?:sober|dry)\b|\bnot a drop\b|\bhaven'?t had a drop\b|\b(?:stopped|quit|gave up"
    r"|given up|off) (?:the )?(?:drink(?:ing)?|booze|alcohol)\b|\bhaven'?t had a drink\b|戒酒(?:了"
    r"|成功|半年|快?[一二两三四五六七八九十几\d]+(?:天|周|个?月|年))|滴酒不沾"
    r"|酒[^，。,没不]{0,6}戒了|不喝酒了|没再喝过?酒|没喝(?:过|了)(?!水|药|奶)|一滴都?没(?:沾|碰|喝)",
    _I,
)
_OF_ALCOHOL: Final = re.compile(r"酒|\b(?:wine|beers?|lager|cider|vodka|gin|rum|whisk|alcohol|booze|drink)", _I)
_SMOKE_FREE: Final = re.compile(
    r"\bsmoke[- ]free\b|\bnot touched (?:a|any|one|the) (?:\w+ )?(?:cig|fag|smoke|vape|roll)"
    r"|\bnot (?:one|a single) (?:cigarette|cig|fag|smoke)\b|\bno (?:vap\w+|smok\w+|cigs"
    r"|cigarettes)\b|\bday \d+ (?:with no|without|off"
    r"|free)\b|\b(?:stopped|quit|gave up|given up|packed in|jacked in|chucked|binned"
    r"|off) (?:the )?(?:smoking|cigs|cigarettes|fags|baccy|tobacco|smokes|rollies)\b"
    r"|\bhaven'?t smoked\b|\bhaven'?t (?:touched|had|smoked) (?:a |any |one )?(?:cig|fag|smoke"
    r"|roll)|戒烟(?:了|成功|半年|快?[一二两三四五六七八九十几\d]+(?:天|周|个?月|年))|烟(?:已经|都"
    r"|也)?戒了|不抽烟了|没再抽过?烟|一[根支口]都?没(?:碰|抽|沾)|烟[^，。没不]{0,6}戒",
    _I,
)
_OF_SMOKING: Final = re.compile(r"烟|\b(?:smok|vap|cig|fags?|roll[- ]?up|rollies|baccy|tobacco)|\ba day\b", _I)
_NOT_MARRIED: Final = re.compile(
    r"\bwedding(?:'s)? (?:isn'?t|not|is not) happening\b|\b(?:called|calling) (?:the wedding |it )?off\b"
    r"|\bwedding(?:'s| is| was| has been|) (?:off"
    r"|cancel\w+)\b|\bbroke off (?:the"
    r"|our) engagement\b|婚(?:事|礼)?(?:取消|不结|黄)",
    _I,
)
OF_MARRIAGE: Final = re.compile(r"婚|\b(?:marr|wedding|engage)", _I)
_BORN: Final = re.compile(
    r"卸货|(?:宝宝|孩子|娃)(?:才|刚|已经)*(?:满月|出月子)|(?<![轻重瘦胖掉长减涨])(?<![轻重瘦胖掉长减涨]了)[一二三四五六七八九十\d]斤[一二三四五六七八九半\d]两?"
    r"|生了[^，。]{0,6}斤|(?:天|周)前生的|(?:没|没有|不是)怀孕"
    r"|\bnot (?:actually )?pregnant\b|(?<![先新再])(?<!(?<![昨今前当])天)生(?:了(?!病|气|个?锈"
    r"|疮|一场)|下|完)|顺产|剖(?:了|腹产|宫产)|流产(?!过|史|了?[一二两三四五六七八九\d]+[次胎回个])|没保住|胎停|引产|宝宝出生|出月子|坐月子|\b(?:we"
    r"|i) lost (?:it|the baby|her|him)\b|\blost the baby\b"
    r"|(?<!\d )(?<!one )(?<!two )(?<!three )(?<!previous )(?<!past )(?<!prior )\bmiscarr(?!iages\b)"
    r"|\bgave birth\b|\bhad (?:the|my"
    r"|our) baby\b|(?<!'s )\bbaby(?:'s| is| was| has)? (?:here|born|arrived|finally here)\b"
    r"|\bdelivered (?:a|our|my|the|on|at)\b|\bpostpartum\b|\bnewborn\b|\b(?:he|she)(?:'s"
    r"| is) here\b|\b(?:son|daughter|boy|girl|twins?)\b[^.;]{0,24}\b(?:was|were) born\b|(?<!'s )\b(?:she|he"
    r"|baby|little one|the (?:twins|babies|triplets)) (?:are here|came|arrived|was born)\b"
    r"|\b\d{1,2} ?lbs? ?\d{0,2}(?: ?oz)?\b"
    r"|(?:^|[.!,] ?)\d{1,2} ?pounds?\b(?! (?:heavier|lighter|more|less|over|up|down))"
    r"|\bhad (?:her|him|them) (?:last night|this morning|yesterday|on \w+day|(?:\w+ ){1,3}ago)\b"
    r"|\b(?:she|he) came (?:(?:\w+ ){1,3}(?:early|late)|early|late|on time)\b",
    _I,
)
_RING_OUT: Final = re.compile(r"取环|环[^，。]{0,3}取|摘环|\bcoil\b[^.]{0,20}\b(?:out|removed)\b", _I)
_OF_RING: Final = re.compile(r"环|intrauterine|coil|iud", _I)
_EXPECTING: Final = re.compile(
    r"怀上了|怀孕(?:了|[一二三四五六七八九十\d]+(?:周|个?月))|有喜了"
    r"|\b(?:i'?m|i am|we're|we are|got|fell|now|weeks|months) (?:\w+ )?(?:pregnant|expecting)\b",
    _I,
)
_OF_A_BABY: Final = re.compile(
    r"备孕|要(?:个)?(?:孩子|宝宝|[二三]胎|二宝)|\b(?:for a|another) (?:baby|child)"
    r"|conceive|get pregnant",
    _I,
)
OF_PREGNANCY: Final = re.compile(r"孕|pregnan", _I)
_WEANED: Final = re.compile(
    r"断(?:了)?奶|奶断|回奶|不喂(?:奶|母乳)?了|改喝奶粉|\bweaned\b|\bfinished weaning\b"
    r"|\bno more breast ?-?feeding\b|\b(?:stopped|finished|done"
    r"|quit) (?:with )?(?:breast ?-?feeding|nursing)\b|\bno longer (?:breast ?-?feeding|nursing)\b"
    r"|\bdried up\b",
    _I,
)
_TAKEN_OUT: Final = re.compile(
    r"取(?:了|掉|出)|拆(?:了|掉)|摘(?:了|掉)|\b(?:taken|took|came|pulled|had"
    r"|got)\b[^.;]{0,16}\bout\b|\bremoved\b",
    _I,
)
_PET_GONE: Final = re.compile(
    r"走了|没了|死了|去世|送人|送走|丢了|安乐|离开(?:我|了)|埋了|\blost\b|\bdied\b|\bpassed\b"
    r"|\bput (?:him|her|it|them|\w+) (?:down|to sleep)\b|\bput down\b|\blives? with\b|\brehomed\b|\b(?:gave"
    r"|given) (?:him|her|it|them|the [\w ]{2,16}) (?:away|to)\b|\b(?:was|got|been) adopted\b|送给"
    r"|\b(?:gave|given)\s[\w ]{2,16}\sto\b|\b(?:has|have) taken (?:him|her|it|them|the \w+)\b"
    r"|送(?:给)?我?[^，。]{1,4}(?:养|家)|\bcrossed the rainbow\b|\b(?:is|are|has|have) gone\b(?! (?:up|down)\b)"
    r"|\bnew home\b|\bhad to go\b"
    r"|\blet \w+ go\b(?! (?:out"
    r"|to the|for))|\blet (?:him|her|it|them|\w+) go to\b",
    _I,
)
_ANYTHING: Final = re.compile("")
_NEGATIVE_TEST: Final = re.compile(
    r"(?:吹气|呼气)[^，。]{0,8}(?<![不假])阴性|(?:^|[，。！ ])(?:细菌|菌)(?:已经|也|都|终于|总算)*没了"
    r"|\bbreath test\b[^.;]{0,24}\b(?:negative|clear)\b",
    _I,
)
_SCABBED: Final = re.compile(
    r"痂[^，。没不]{0,4}(?:掉|脱)(?:光|完|了|落)|\bscabs? (?:have |has )?(?:all )?(?:fallen|fell|come|came) off\b", _I
)
_OF_SKIN: Final = re.compile(r"疱疹|水痘|湿疹|脓疱|shingles|herpes|chicken ?pox|impetigo", _I)
_OF_INFECTION: Final = re.compile(r"幽门螺|hpv|新冠|支原体|衣原体|链球菌|乙肝|丙肝|梅毒|流感", _I)
_OF_NURSING: Final = re.compile(r"哺乳|喂奶|母乳|breast|nursing", _I)
_OF_ALLERGY: Final = re.compile(r"过敏|皮试|激发|点刺|allerg|challenge|skin test|prick", _I)
_JOBLESS: Final = re.compile(
    r"\blost (?:my|the) job\b|\b(?:got|was|been|were) (?:fired|sacked|laid off|let go"
    r"|made redundant)\b|\bmade redundant\b|\bquit my job\b|\bout of work\b|\bunemployed\b"
    r"|\bretired from\b|\bhanded in my notice\b|被裁|辞职了|离职了|(?:^|[，。！!\s])(?:我)?辞了(?=$|[！!，。])"
    r"|把我辞|暂时没工作"
    r"|被辞退|失业了|丢了工作|工作丢了|被炒|裸辞",
    _I,
)
_FOUND_WORK: Final = re.compile(
    r"\b(?:started|got|found|landed|have|in) (?:a|my) new job\b|\bfound work\b"
    r"|找到(?:了)?(?:新)?工作|入职了|上班了",
    _I,
)
_OUT_OF_WORK: Final = re.compile(r"失业|待业|没工作|下岗|\bunemployed|\bout of work|\blaid off", _I)
_REHOMED: Final = re.compile(
    r"\ba new home\b|\brehomed\b|\bput (?:him|her|it|them) (?:down|to sleep)\b|\bto (?:a"
    r"|the) (?:shelter|sanctuary)\b|安乐死|送养",
    _I,
)
_DONE: Final = re.compile(
    r"(?:'s|\bis|\bwas|\bare) (?:all )?done\b|\ball done\b|\bwent (?:well|fine|smoothly"
    r"|by the book)\b|\b(?:i|we) saw\b|\bwent to see\b|\bi(?:'ve| have) (?:started|begun|finished"
    r"|completed)\b|已经[^，。,]{1,3}了|看过了|见过了|\bhad (?:my|the) \w+ |\bare out\b|\bbeen to\b"
    r"|\bcame back (?:clear|benign|negative|normal|fine|positive|clean)\b|\bresults? (?:are"
    r"|is) (?:in|back)\b|做完了|做好了|查完了|看完了|拔完了|打完了|已经做了",
    _I,
)
_TURNED: Final = re.compile(
    r"讨厌|腻了|(?:再也|一点�?都?|完全|根本)不(?:想)?(?:吃|喝|碰)|反胃|倒胃口|\bcan'?t (?:stand|face)\b"
    r"|\bhate\b|\bput me off\b",
    _I,
)
_COOLED: Final = re.compile(
    r"烧[^，。,不没]{0,4}退|退烧了|不烧了|体温[^，。,]{0,4}正常|\bfever(?:'s| is| has)? (?:broke|gone|went|down)\b",
    _I,
)
_OF_FEVER: Final = re.compile(r"烧|发热|体温|\bfever|temperature", _I)
_LASTING: Final = ("disease",)
_GENERAL: Final = tuple(row.name for row in PREDICATES.values() if row.ends and not row.safety)
ENDINGS: Final = (
    Ending((*_GENERAL, "anticoagulant"), OVER),
    Ending(("symptom",), _FINE),
    Ending(("symptom", "disease"), _SLEEPS, of=_OF_SLEEP),
    Ending(("disease",), re.compile(r"(?<!尿蛋白)(?<!尿)转阴了?"), of=_OF_INFECTION),
    Ending(("disease",), _NEGATIVE_TEST, of=_OF_INFECTION),
    Ending(("disease",), re.compile(r"根除(?:了|成功)"), of=_OF_INFECTION),
    Ending(("disease",), _SCABBED, of=_OF_SKIN),
    Ending(("habit", "like"), _SOBER, of=_OF_ALCOHOL),
    Ending(("habit",), _SMOKE_FREE, of=_OF_SMOKING),
    Ending(("plan",), _NOT_MARRIED, of=OF_MARRIAGE),
    Ending(("family", "state"), _PARTED, of=OF_MARRIAGE),
    Ending(("family",), _PARTED),
    Ending(("family",), _BROKE_UP, of=_OF_LOVE),
    Ending(("pet",), _PET_GONE, anyones=True),
    Ending(("pet",), _REHOMED, of=_ANYTHING, anyones=True),
    Ending(("job",), _JOBLESS, of=_ANYTHING),
    Ending(("state", "job"), _FOUND_WORK, of=_OUT_OF_WORK),
    Ending(("appointment", "plan"), _DONE),
    Ending(("like",), _TURNED, anywhere=_ANYTHING),
    Ending(("symptom", "vital"), _COOLED, of=_OF_FEVER),
    Ending(_LASTING, _RULED_OUT, beside=_RULED_OUT_PLACES),
    Ending(("allergy", "possible_allergy"), _BORNE, anywhere=_OF_ALLERGY),
    Ending(("allergy", "possible_allergy"), _NEGATIVE),
    Ending(("pregnancy", "state"), _BORN, of=OF_PREGNANCY, anyones=True),
    Ending(("plan",), _EXPECTING, of=_OF_A_BABY),
    Ending(("breast_feeding",), _WEANED, of=_ANYTHING, anyones=True),
    Ending(("state",), _WEANED, of=_OF_NURSING, anyones=True),
    Ending(("implant",), _TAKEN_OUT),
    Ending(("implant",), _RING_OUT, of=_OF_RING),
)
MISTAKEN: Final = re.compile(
    r"发错|弄错|搞错|误会|我的没动|没动过|虚惊|\b(?:wrong (?:number|person|patient|one)|by mistake|mix(?:ed)?[- ]up)\b",
    _I,
)
"""Said after it: it was not so."""
NOT_DONE: Final = re.compile(
    rf"(?<![不没])(?:想|打算)|考虑|要不要|该不该|能不能|可不可以|是不是|会不会|差点(?!意思)|险些|(?<!不)准备|建议|以为|如果|{IF_ZH}|假[如设使]"
    r"|万一|倘若|怕|本来|别人|需不需要|\b(?:nearly|almost|thinking|consider\w*|might|should|could|can i"
    r"|want(?:ed)? to(?! (?:let|say|tell|mention|report|update|inform|cancel)\b)"
    r"|(?<!since )(?<!in )(?<!last )may|wish|if|going to|gonna|plan\w* to|whether|about to|tempted|hope|try(?:ing)? to"
    r"|(?<!i )suppose|supposing|what happens when)\b",
    _I,
)
ADVISED: Final = re.compile(
    r"^(?!.*(?:我(?:就|已经|真的?|都|也|自己)?(?:戒|停|不)|\bi (?:did|have|quit|stopped|gave|no longer|don'?t)\b))"
    r".*?(?:(?<!听)[让叫劝催逼求要]我(?:赶紧|赶快|快|一定|必须|把)*[^，。我]{0,6}?(?:戒|停|别)"
    r"|\b(?:tells?|told|asks?|asked|advis\w+|begs?|begged|nags?|nagging|wants?|wanted|urged?) me"
    r" (?:to|i (?:should|must|have to|need to)) (?:quit|stop|give|cut|drop)\b)",
    _I | re.DOTALL,
)
"""Somebody wants it to end: of a habit that is no news."""
DOSE_CHANGED: Final = re.compile(
    r"(?:继续|还是|接着)吃\d|加量|减量|加到|减到|调到|调成|[也再多]加(?:了)?[一二两半三]+[片粒](?=$|[，。！])|现在是(?:一天|每天)[一二两三四]次(?=$|[，。！])"
    r"|改到|改成|改为|换成[^，。]{0,2}\d|减成|用量|从[^，。]{1,4}(?:起|开始)(?:吃|用"
    r"|打)|往上调|往下调|就剩|先减|"
    r"升到|降到|翻倍|剂量|增加到|减少到|减半|\b(?:doubled|halved"
    r"|upped|bumped|increased|reduced|lowered|raised|went up|down to|up to|dropped"
    r"|cut (?:me |it |him |her )?(?:back|down)|(?:has|have|had) cut the|put the \w+ (?:up|down)"
    r"|step(?:ped|ping)? (?:me )?down"
    r"|so it'?s \d+(?:\.\d+)? ?(?:mg|mcg|micrograms?|milligrams?|units?) (?:from|as of) (?:tomorrow|today|tonight"
    r"|next|mon|tues|wed|thurs|fri|sat|sun)"
    r"|settled on|crept up|half what i was on|i meant|my mistake)\b|说错了|记错了|更正一下",
    _I,
)
DENIED: Final = re.compile(
    r"没(?!事|反应|了)|不能|无法|没法|从未|未曾|一直没|还不|\b(?:never|haven'?t|hasn'?t|can'?t"
    r"|cannot|didn'?t|won'?t|not yet)\b",
    _I,
)
"""It has not ended."""
BEFORE: Final = re.compile(
    r"以前|之前|曾经?|上一胎|上次|上回|前[两几]年|第[一二三]胎|头胎|前年|去年|当年|小时候|年前|(?:19|20)\d\d年"
    r"|\b(?:once|my first|my second"
    r"|previously"
    r"|years ago|last (?:year|time))\b|\b(?:in )?(?:19|20)\d\d\b",
    _I,
)
"""It is told of another time."""
_SENTENCE: Final = re.compile(r"[。！？!?；;\n]|\.(?=\s|$)")
"""What ends a sentence."""
_PART: Final = re.compile(r"(?<=[^，,]{6})[，,](?=[^，,]{6})")
"""A comma between two parts that are each long enough to be read alone."""


def says(words: re.Pattern[str], text: str, beside: re.Pattern[str] | None = None) -> bool:
    """Whether a part of a text has these words and is no wish or question, and its sentence has none of `beside`."""
    return any(
        words.search(part) and not NOT_DONE.search(part)
        for sentence in _SENTENCE.split(text)
        if not (beside and beside.search(sentence))
        for part in _PART.split(sentence)
    )


def says_any(text: str) -> bool:
    """Whether a text has words that may end something, or change a dose."""
    return DOSE_CHANGED.search(text) is not None or any(ending.words.search(text) for ending in ENDINGS)
