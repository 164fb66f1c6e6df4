"""What a body did: how each language tells harm, and what may be harm or only disgust."""

import re
from typing import Final

from memory.clinical.sketch import pattern

HARM_ZH: Final = pattern(
    r"起(?:了|过)?(?:一身|满身|全身|一脸|好多|很多|一片|大片|大)?的?(?:红|风|小|大)?(?:疹|疙瘩|包|泡|坨"
    r"|团)|(?:<G>|嘴|脸|唇|眼|喉|嗓子?|舌|浑身|全身|身上|皮肤|手|脚|脖子?|胳膊|腿|背|头皮|气管"
    r"|胸口?)[^，。,.;；!！?？\n没]{0,6}?(?:(?<!消)肿(?!消|退)|痒|发麻|起?疹|疙瘩|泡|发红|通红|红了?一?片|红得|发紧|堵|烂"
    r"|水泡|裂|鼓包|起包|风团|一片红|红斑|发烫|喘|憋)|(?:血压|意识|人)(?:就|都|一下子?|直接|突然)?(?:掉|降"
    r"|没了|往下掉|不省|晕|昏|倒)|(?<=就)喘|(?<!不)会(?:喘|憋)(?!吗|么|不)|喘得|犯喘|喘不(?:上|过)|上不来气"
    r"|喘不上来|憋(?:得慌|气|醒)"
    r"|(?:送|进|去|拉到|跑)(?:了|到|去)?(?:急诊|急救|抢救室|icu|医院抢救|鬼门关)|(?:打了?|叫了?|拨)120"
    r"|(?:[身背手脸胸颈脖腿臂][上口子]?|胳膊|浑身|满身|满脸)[^，。]{0,4}?(?:全|都|满|起|出|长|冒)(?:是|了|满"
    r"|的)*(?:红|小|大)?<Y>"
    r"|(?<=<S>)(?:会|就|都|后|了|以后|之后)*肿(?:了|起)?(?:<G>|嘴|脸|唇|眼|喉|嗓|舌)|[会就都]肿(?:了|起)?(?:嘴|脸|唇|眼|喉|嗓|舌)|(?<!发)(?:冒|起|出|长)(?:了|一身|满身|好多|很多|些|点)*(?:小|红){1,2}点(?!了)"
    r"|去了?半条命|[要上](?:我|了)?(?:老)?命(?!令|运)|(?:上|打|用)(?:了)?肾上腺素|蜕(?:了)?(?:一层|层)?皮|烧伤科"
    r"|(?:喉咙|气管)[^，。]{0,4}锁|没了?(?:知觉|意识)|失去(?:了)?知觉|不省人事|发绀|嘴唇发紫|差点(?:没命|死|挂|过去"
    r"|没了|没醒"
    r"|交代|没救|丢了?命)|命都快|见了?阎王|🚑|💀|☠"
)
DISLIKED_ZH: Final = re.compile(
    r"讨厌|嫌|不(?:再|怎么|太)?(?:喜欢|爱)|闻(?:到|见|着|一)|一闻|[看闻]都不想|看(?:到|见)就(?:想吐|恶心|反胃)"
    r"|吃腻|吃(?:坏|吐)了|上吐下泻|反胃"
)
DISGUST_ZH: Final = re.compile(r"恶心|反胃|吐|受不了|难受|不舒服|拉|泻|吃坏")
UPSET_ZH: Final = pattern(
    r"跑厕所|[准就直]拉|拉稀|拉肚|咕噜|咕咕叫|肚子?(?:胀|疼|痛|绞)|水泡|流黄?水|淌水|流泪|泪汪汪|鼻涕|喷嚏"
    r"|贴不住|起皮|脱皮|揭(?:下来|掉)[^，。]{0,6}(?:皮|红)|人(?:就)?不行|不省人事|晕过去|晕倒|休克|抢救"
    r"|(?<=<S>)(?:就|会|后|以后|之后|完|了|总|老|都|觉得|感觉|有点)*不(?:太|大|怎么|是很)?舒服"
    r"|肾上腺素笔|哆嗦|受不了|遭罪|难受|反应(?:很|特别|挺|太)?大|进(?:了)?急诊"
)
HARM_EN: Final = pattern(
    r"(?:\b(?:lips?|throat|face|tongue|eyes?|skin|mouth|neck|airway|windpipe|arms?|hands?|chest|ears?"
    r"|legs?|body|head to toe)\b|<G>)[^.;!?\n]{0,24}?\b(?:stream\w*|weep\w*|crust\w*|swell\w*|swoll\w*"
    r"|balloon\w*|puff\w*|itch\w*|clos(?:e[sd]?|ing)(?: up)?|tight\w*|blister\w*|blow\w* up|blew up"
    r"|bright red|went red|goes red|red raw|peel\w*|welts?|numb|tingl\w*|shut|raw|on fire|blotch\w*"
    r"|burning|the size of)\b|\b(?:swell\w*|swoll?e\w*|clos(?:e[sd]?|ing)|tighten\w*|puff\w*|blew|blow"
    r"|blotch\w*|itch\w*) (?:up|all over"
    r"|like|right up|my (?:face|lips|throat|tongue|eyes))|\b(?:couldn'?t|can'?t|could not|cannot|hard to"
    r"|struggl\w* to|trouble|stop(?:ped)?) (?:breath\w*|swallow\w*|get (?:my )?(?:a )?breath)|\b(?:nearly"
    r"|almost) (?:died|killed|did for me|finished me|took me out|croaked|lost (?:me|my life))"
    r"|\b(?:kill(?:s|ed)? me|ambulance|in (?:the )?(?:er|a&e|icu|resus|hospital)\b|to (?:the )?(?:er|a&e"
    r"|icu|hospital)\b|blue light|epi ?-?pen|stopped (?:me )?(?:my )?breathing|bright red head to toe|(?:pressure"
    r"|bp) went through the floor|(?:tongue|<G>) (?:going|gone|went) massive|wheezing on the floor"
    r"|dropped my (?:blood pressure|bp)|flatlined"
    r"|collapsed|out cold|can(?:no|')t breath\b|(?:pressure|bp) (?:crashed|tanked|plummeted)"
    r"|turned me into a (?:tomato|lobster|balloon|beetroot)"
    r"|(?:<G>|face|lips?|eyes?) (?:become|became|becomes|went|goes|get|gets|got) (?:so |very |really )?(?:big|huge"
    r"|fat|round)"
    r"|need(?:ed|s)? (?:the )?(?:adrenaline|epinephrine)"
    r"|(?:came up|<G>|face|lips?|eyes?|tongue) like an? (?:football|balloon|pumpkin|melon|tomato|beetroot|lobster"
    r"|blowfish|puffer ?fish|raspberry|strawberry)"
    r"|clos(?:es|ed|ing) (?:up )?(?:my|the) (?:airways?|throat|windpipe)"
    r"|(?:airways?|throat) (?:up|shut)|locked my (?:neck|jaw)"
    r"|out comes? the (?:adrenaline|epi\w*)|sent me into an? (?:\w+ ){0,3}<R>)|🚑|💀|☠"
)
DISLIKED_EN: Final = re.compile(
    r"\bcan'?t stand (?!up|for|on)|\b(?:smell|sight|look|thought|taste) of|\b(?:even|just) the (?:smell|sight|look)"
    r"|\bgo(?:ne|es) (?:right )?off\b|\bwent (?:right )?off\b|\bfood poisoning\b|\bbad batch\b"
)
DISGUST_EN: Final = re.compile(r"stomach|sick|nause|gag|retch|queasy|vomit|thr[eo]w|puk|awful|stand")
UPSET_EN: Final = re.compile(
    r"\b(?:running to the|on the|straight to the) (?:loo|toilet|bathroom|bog)\b|doubled (?:up|over)"
    r"|cramp\w*|\b(?:bloat\w*|the runs|diarrh\w*|weep\w*|crust\w*|blister\w*|rash\w*|welts?|hives|swell\w*"
    r"|swoll\w*|itch\w*|wheez\w*|stream\w*|skin off|raw|sneez\w*|threw up|throw up|sick as a dog|in bits"
    r"|pay for it|regret it|rough|awful|terrible|a&e|er|hospital|epi-?pen|collapsed|passed out)\b"
)
