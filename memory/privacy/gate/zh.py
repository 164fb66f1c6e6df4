"""The gate's Chinese rules: one clause after the other, the first that tells something decides."""

import re
from typing import Final

from memory.language.clauses import Clause
from memory.language.vocabulary import kinds_of
from memory.privacy.verdict import MEDICAL, judge_question

BORDER: Final = re.compile(r"[。！!？?\n…～~，,；;（）()“”\"\s]+|(?<!\d)\.+|\.+(?!\d)")

_FILLER: Final = re.compile(
    r"(?:医生|大夫|老师|专家|您好|你好|亲|小助手|那个|那么|那|嗯+|哦+|啊|呃|哎|唉|噢|对了|"
    r"其实|另外|还有|然后|所以|因为|而且|但是?|不过|就是|请问(?:一下)?|话说|好的|好吧?)++(?=.)"
)
_COURTESY_WORDS: Final = (  # longest first: the pattern never looks back
    "原来是这样 不好意思 原来如此 原来这样 工作顺利 换个话题 新年快乐 生活愉快 身体健康 对不起 换一个 "
    "换话题 有意思 有道理 没什么 没关系 没问题 等一下 OK ok 一下 一定 上午 下午 下次 不是 不用 中午 了解 "
    "你的 再见 加油 医生 十分 午安 厉害 受教 可以 同意 后天 周末 哈喽 哪里 嗯嗯 回复 回头 回答 回见 多谢 "
    "大夫 大家 好吧 好的 好笑 如此 客气 尽快 帮助 建议 当然 快乐 您的 想想 愉快 意见 感谢 打扰 抱歉 拜拜 "
    "指导 按照 换个 搞笑 收到 改天 放心 方法 早上 早安 明天 明白 是的 晚上 晚安 有用 有趣 没事 没有 没错 "
    "注意 清楚 照做 看看 真的 知道 稍等 等等 继续 老师 考虑 耐心 聊聊 聪明 解答 试试 详细 说得 说错 谢谢 "
    "辛苦 这个 这样 那个 问题 随便 非常 麻烦 不 也 了 会 你 做 先 去 吧 听 呀 呢 呵 哇 哈 哦 啊 啦 喂 "
    "喔 嗨 嗯 嘛 嘻 嘿 噢 在 多 太 好 它 安 对 就 很 恩 您 懂 我 按 早 是 晚 棒 没 的 真 祝 算 给 行 见 "
    "话 说 谢 还 那 都 错"
)
_COURTESY: Final = re.compile(rf"(?:{'|'.join(_COURTESY_WORDS.split())})++")
_COMMAND: Final = re.compile(
    r"^(?:请|麻烦|能不能|可不可以|可以|能|再|先|现在|来|你|您|快|给我|帮我|帮忙|那你?|接着)*"
    r"(?:帮我?|给我|替我|讲|推荐|播放|放一?[首个]|翻译|解释|介绍|写|查|搜|搜索|算|列出?|设|"
    r"设置|定|打开|关闭|关掉|告诉我|说说|谈谈|生成|总结|画|唱|订|背|念|读|创建|调|举|换|停|"
    r"暂停|继续|"
    r"教我?|计算|描述|比较|分析|润色|改写|来[一首个段]|跟我讲|陪我聊)(?![过了])"
)
_REMEMBER: Final = re.compile(r"记住|记一下|记下|记得|别忘|提醒|以后(?:叫|喊)我|备忘")
_KIN: Final = (
    r"爸爸?|妈妈?|父亲|母亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|老婆|丈夫|妻子|媳妇|儿子|女儿|"
    r"闺女|孩子|宝宝|小孩|哥哥?|姐姐?|弟弟|妹妹|男朋友|女朋友|男友|女友|"
    r"孙子|孙女|岳父|岳母|婆婆|公公|对象|未婚[夫妻]|父母|爸妈|家人|表[哥姐弟妹]"
)
_KIN_AT_START: Final = re.compile(
    r"^(?:昨天|今天|明天|最近|前几天|上周|下周|这几天|晚上|早上|刚才|刚刚|带|陪|给|跟|和|"
    rf"我家?的?)*(?:{_KIN})(?!们|的话|应该|怎么)"
)
_MY_PEOPLE: Final = re.compile(rf"我家?的?(?:{_KIN}|同事|朋友|同学|老板|猫|狗|生日)|给(?:{_KIN})")
_SELF: Final = re.compile(
    r"(?<!给)(?<!帮)(?<!替)(?<!教)(?<!陪)(?<!告诉)(?:我|本人|俺|咱)(?!国|的天|去$|靠|晕$|"
    r"擦|们的祖国|方|市)|自己|家里|我家"
)
_QUESTION: Final = re.compile(
    r"[吗么]$|(?<!着)呢$|怎么|怎样|怎么样|什么|啥|是不是|会不会|能不能|可不可以|要不要|有没有|"
    r"需不需要|好不好|行不行|是否|能否|可否|多少|多久|多长|多大|多高|多远|哪|谁|为何|如何|"
    r"几[个点天次号岁]|"
    r"有无|咋|区别$|还是.{1,10}好"
)
_NO_QUESTION: Final = re.compile(
    r"没有?什么|没什么|没有?啥|没怎么|不怎么|什么都|什么也|不知道为什么|不知道怎么|怎么都|"
    r"谁都|谁也|哪都|哪里都|怎么也|没谁"
)
_EMPTY: Final = re.compile(
    r"^(?:我)?(?:就|还|也|现在|真的|再|先|只是|都|终于|大概|完全|已经|这下|又|会|很|非常|不太|不|没|没有)*"
    r"(?:想问|想请问|想知道|想咨询|想了解|想请教|咨询|请教|问(?:一下|个)|明白|知道|了解|懂|"
    r"清楚|听懂|会注意|注意的|会按|会去|会考虑|会试|会听|考虑一下|试试|听说|看到|听到|同意|"
    r"相信|理解|觉得(?:也|是|对|不错|有道理|很好|挺好|可以)|"
    r"记住了|收到|放心|(?:没|没有)问题|爱你|喜欢你|谢谢|感谢|看新闻|好奇|在听|开玩笑|随便|"
    r"没意见|没话|等你|看看|就放心|也这么|也是这么|也觉得|等下|这就|马上|再想想|有个?问题|"
    r"有一个问题|还有问题|的意思|的问题|要投诉|懂了|试一下|想听|想看|要听|想聊|要看|要查|"
    r"想查)"
)
_EMPTY_BUT: Final = re.compile(r"想问|想知道|想咨询|想了解|请教|咨询|听说")
_GENERAL: Final = re.compile(
    r"患者|病人|人群|是一种|是指|属于|一般|通常|往往|常见|引起|导致|引发|会传染|称为|叫做|"
    r"的人|的首都|被称|主要(?:由|包括|分布|成分)|包括|孕妇(?:不|要|应|可|禁|慎|能)|人们|成年人|"
    r"老年人|儿童|婴儿|人体|"
    r"^[\u4e00-\u9fff]{2,8}是[^了]{0,12}(?:动物|植物|星球?|国家|城市|诗人|作家|疾病|药物|"
    r"季节|语言|元素|食物|水果|之一|首都|节日|器官|维生素|细菌|病毒|疫苗)$|主要通过|世界|"
    r"能治|可以治|有助于|治疗.{1,6}[用靠]|的作用|的功效|预防|潜伏期|研究|科学|专家|据|(?:药|"
    r"素|林|唑)(?:是|能|可以|属于)|含有|有利于|传播|疫苗(?:能|可以)|应该?[少多]|要[少多]吃|"
    r"[少多]吃.{0,6}(?:好|有益|健康)"
)
_HEALTH: Final = re.compile(
    r"血压|血糖|心率|体温|体重|身高|经期|例假|姨妈|[抽吸]烟|[抽吸].{0,3}烟|[喝饮].{0,3}酒|"
    r"伤口|划伤|擦伤|烫伤|咬|摔|扭[到了伤]|撞[到了伤]|被.{1,4}(?:咬|抓|撞|夹|砸|烫|踢|打)|"
    r"淤血|流血|出血|手术|住院|复查|体检|胃镜|CT|核磁|B超|彩超|化验|"
    r"做过|吃过|吃了|用过|用了|打了|打过|查出|确诊|度[多左]|38|39|37\.|不舒服|难受|睡不|失眠|"
    r"长了|起了|疼|痛|痒|肿|麻|晕|胀|酸"
)
_FEELING: Final = re.compile(
    r"开心|高兴|难过|伤心|迷茫|好累|累[死了坏]|好烦|烦死|郁闷|焦虑|孤独|压力|生气|委屈|失落|"
    r"崩溃|害怕|想哭|心情|好饿|好困|无聊死|兴奋|期待|紧张|失望|后悔|尴尬|幸福|感动|舍不得|"
    r"想家"
)
_EVENT: Final = re.compile(
    r"终于|升职|加薪|加班|失业|辞职|离职|裁员|分手|离婚|结婚|领证|搬家|毕业|面试|出差|考上|"
    r"考过|没考|挂科|考试|考研|开学|上班|下班|下课|放学|吵架|吵了|相亲|恋爱|表白|生日|纪念日|"
    r"旅游|旅行|度假|搬到|买了|卖了|养了|"
    r"丢了|去世|生病|跑完|跑步|健身|做饭|学会|报名|约了|约好|回家|回来|到家|出门|住在|不吃|"
    r"爱吃|喜欢|讨厌|习惯|失眠|熬夜|通宵|中奖|入职|转正|租了|买房|买车|订了|看完|写完|做完|"
    r"交稿|汇报|答辩|开会|聚会|聚餐"
)
_TIME: Final = (
    r"(?:今|昨|明|前|后)[天晚早日]|今年|去年|明年|前年|上周|下周|本周|这周|周末|上个?月|下个?月|"
    r"这个月|刚刚?|刚才|最近|近来|这几天|这两天|前几天|前段时间|从小|小时候|以前|早上|早晨|"
    r"上午|中午|下午|傍晚|晚上|半夜|夜里|凌晨|"
    r"每[天周晚早]|平时|一直|经常|周[一二三四五六日]|星期[一二三四五六日]|国庆|春节|暑假|寒假"
)
_WHEN: Final = re.compile(_TIME)
_NUMBER: Final = r"(?:\d+(?:\.\d+)?|[一二两三四五六七八九十百半几好]+)"
_BARE_TIME: Final = re.compile(
    rf"(?:(?:大概|大约|差不多|从|有|已经|就|快|持续|也就|得有|应该)*(?:{_TIME}|{_NUMBER}(?:多|"
    r"来)?个?(?:多|半)?(?:年|月|周|星期|礼拜|天|日|小时|分钟|次|岁|斤|公斤|度)(?:多|半)?)+(?:左右|"
    r"以?前|以来|开始|起|了|吧|的|多|才|上下)*)"
)
_WORLD: Final = re.compile(
    r"天气|新闻|股市|股票|比赛|电影上映|是什么日子|星期[一二三四五六日]$|是.{1,6}节$|下雨了?$|好热$|好冷$|真[好热冷]$"
)
_OTHERS: Final = re.compile(r"^(?:你|您|他|她|它|这|那|人家|别人|大家)")


def judge(clause: Clause) -> tuple[bool, str]:
    """Whether a clause tells something about its user, and by which rule."""
    text = clause.text
    if _REMEMBER.search(text) and not clause.asked:
        return True, "remember"
    if _COURTESY.fullmatch(text):
        return False, "courtesy"
    text = _FILLER.sub("", text, count=1) if _FILLER.match(text) else text
    if _BARE_TIME.fullmatch(text):
        return True, "time"
    if _COMMAND.match(text):
        return (True, "my-people") if _MY_PEOPLE.search(text) else (False, "command")
    return _judge_statement(text, asked=clause.asked)


def _judge_statement(text: str, *, asked: bool) -> tuple[bool, str]:
    own = _SELF.search(text) is not None or _KIN_AT_START.match(text) is not None
    if asked or (_QUESTION.search(text) and not _NO_QUESTION.search(text)):
        return judge_question(text, own=own, hypothetical=text.startswith(("如果", "要是")))
    if _EMPTY.match(text) and not _MY_PEOPLE.search(text):
        return False, "empty"
    return (True, "self") if own else _judge_report(text)


def _judge_report(text: str) -> tuple[bool, str]:
    """Told without a subject, as one answers a doctor or a friend."""
    if _GENERAL.search(text) or _WORLD.search(text) or _OTHERS.match(text):
        return False, "general"
    if _HEALTH.search(text) or kinds_of(text) & MEDICAL:
        return True, "report"
    if _FEELING.search(text):
        return True, "feeling"
    if _EVENT.search(text):
        return True, "event"
    if _WHEN.search(text) and "是" not in text:
        return True, "when"
    return False, "nothing"
