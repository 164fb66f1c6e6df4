"""A body part and what was done with it: how each language says that somebody was operated on. Group x is the part."""

from typing import Final

from memory.clinical.sketch import pattern

_ORGAN: Final = r"(?:<G>|[胆胃脾肾肝肺肠乳眼牙肛痔胯髋宫])"
OPERATED_ZH: Final = (
    pattern(r"(?P<x><D>)(?:左侧|右侧|双侧|单侧)?(?:全切|次全切|根治)(?:术)?后"),
    pattern(rf"(?P<x>{_ORGAN})[^，。；！？\n]{{0,6}}?换(?:了|过)(?:一?个|人工)*<V>"),
    pattern(rf"(?P<x>{_ORGAN}|肩袖|韧带|半月板|跟腱)[^，。；！？\n]{{0,10}}手术[^，。；！？\n]{{0,3}}缝(?:过|了|合)"),
    pattern(r"(?P<x>打(?:过|了)(?:骨水泥|<V>))(?![吗么])"),
    pattern(rf"(?P<x>{_ORGAN})(?:已经?|早已|均已)[切摘]除?(?!片|开)"),
    pattern(
        r"(?P<x>(?:搭(?:过|了)(?:[一二两三四五六几\d]?[个根条])?桥|隆(?:过|了)[胸鼻乳]|结(?:过|了)扎|绝(?:过|了)育"
        r"|开(?:过|了)颅"
        r"|割(?:过|了)(?:双眼皮|包皮)|剖(?:过|了)(?:[一二两三1-3]|好几)[胎次个回]|捐(?:过"
        r"|了)(?:[一1]?[个颗只边])?[肾肝]))(?![吗么]|多久|还)"
    ),
    pattern(
        rf"(?P<x>{_ORGAN})(?:做|行)(?:过|了)(?:[一二两三几]次)?(?:矫正|修补|重建|成形|整形|移植|置换|融合|切除|缝合"
        rf"|固定|搭桥)"
    ),
    pattern(r"(?P<x><D>)[，,]\s?(?:当年|当时|后来|去年|前年|都|就|早就)?(?:全|次全|都|部分)切(?:除|掉)?了"),
    pattern(rf"(?P<x>{_ORGAN})[^。；！？\n]{{0,12}}?捐(?:给[^，。\n]{{1,5}}了|了|出去)"),
    pattern(r"(?P<x><O>)生(?:的|了|下)"),
    pattern(r"(?<![要想该])(?:切|摘|割)的(?P<x><G>)(?!部分|哪)"),
    pattern(
        r"(?:切|摘|割|开|取|碎|打|拔|电)(?:过|了|掉)(?:[一两二三四五六七八九十几\d]{1,2})?[个颗粒只处块]?(?:左|右"
        r"|双)?(?:侧|眼)?"
        r"(?P<x><D>)(?!吗|要|多)"
    ),
    pattern(r"(?:拔|种)(?:过|了)[^，。；\n]{0,3}?(?P<x><G>)(?!吗|要|多)|(?P<x2>种(?:过|了)[^，。；\n]{0,3}牙)(?!吗)"),
    pattern(r"(?P<x><D>)(?:修补|缝合|修复|缝)(?:过|了)(?!吗)"),
    pattern(r"(?<![要想能])做(?:了|的|过)(?:个)?(?P<x><D>)(?=[，。,.！]|$)"),
    pattern(r"(?P<x><G>)切(?:掉|除|了)(?:了)?(?:[一二三四五六七八九十\d]+分之|大半|一半|半)"),
    pattern(
        r"(?:(?<=^)|(?<=[，,。；\s]))(?:身上|腰上|里面|里头)?(?P<x>(?:打|植)(?:了|过"
        r"|着)[一二两三四五六七八九十几\d]+[颗根枚块个]"
        r"(?:钉子?|钢[板钉针筋]?|螺丝钉?))"
    ),
    pattern(r"做(?:了|过)(?:那个|一个|个)?(?P<x><G>)的?(?:手术|微创)(?!吗|要)"),
    pattern(r"(?P<x><G>)(?:都?是(?:后来)?换的|换(?:的|了|过)?(?:是)?(?:个|的)?<V>)"),
    pattern(r"(?<=\ue001)[，,]\s?(?P<x>(?:左|右|双|两)(?:边|侧)?(?:都)?全?切(?:除|掉)?了)"),
    pattern(r"(?P<x><D>)做的(?:全切|次全切|部分切除|切除|手术|根治)"),
    pattern(rf"(?P<x>{_ORGAN})搭(?:过|了|的)[^，。；\n]{{0,3}}桥"),
    pattern(
        r"(?:做|行)(?:了|过|的)(?P<x>[左右双两]?侧?<G>(?:修补|置换|切除|重建|缝合|融合|成形|摘除)(?:术)?)(?!吗|要|多)"
    ),
    pattern(r"(?P<x>[左右双]?侧?<G>(?:修补|置换|切除|重建|缝合|融合)(?:术)?)(?=\s*[（(]?(?:19|20)\d\d)"),
    pattern(r"(?P<x><D>)[^。；！？\n]{0,10}?(?:夹|切|摘|取|割|剥|拔|清)(?:掉|除|闭|出|走|干净)+了?(?![吗么]|要|多)"),
    pattern(r"(?P<x><DG>)[^。；！？\n]{0,8}?(?:挨|吃)(?:了|过)[一两三]?刀"),
    pattern(
        r"(?P<x><G>|[腰腿胯背颈踝])[^，。；！？\n]{0,6}?(?:打|上|装|放|植|钉)(?:了|着"
        r"|过)(?:[一二两三四五六七八九十几\d]+)?[颗根枚块个片]?(?:钉子?|钢[板钉针筋]?|螺丝钉?|支架|假体)"
    ),
    pattern(r"行[^。；，,\n]{0,8}?(?P<x><D>)(?:修补|切除|根治|碎石|夹闭|栓塞|消融|造口|修复|剥脱)术"),
    pattern(rf"(?P<x>{_ORGAN})(?:[^。；！？，\n没不未想]){{0,6}}?(?:割|切|摘)没了"),
    pattern(
        r"(?P<x><D>)(?:(?!要|需|该|能|一般|才|不用)[^。；！？，,\n]){0,10}?[动做开](?:过|了)?(?:刀|手术)(?!吗|要|多|能)"
    ),
    pattern(
        rf"(?P<x>{_ORGAN})(?:(?![没不未别想怎]|准备|打算|该|能|要)[^。；！？\n]){{0,26}}?(?:切|割|摘|拿|取|换"
        r"|剌)(?:除|掉|走|出|去)*(?:了|过|的(?=[，。,]|$))(?!药|医|成药|别的|其他|牌|一?[家种](?!人工)|怎么)"
    ),
    pattern(rf"(?P<x>{_ORGAN})(?:早就|已经|全|都)?没(?:有)?了(?!感觉|知觉|力|劲|反应|什么)"),
    pattern(rf"我(?:早就|已经)?没有?(?P<x>{_ORGAN})(?:了)?(?=[，,。]|$)"),
    pattern(rf"割(?P<x>{_ORGAN})(?:留下|的疤|的刀口)"),
    pattern(r"刮(?:过|了)(?:[一两二三几]?次)?(?P<x>宫)|(?P<x2>刮宫)(?:过|了|两次|一次)"),
    pattern(r"(?:夹|堵|栓|补)(?:过|了)(?:一?个)?(?P<x><D>)|(?P<x2><D>)(?:补|割|切|剥|挖|夹|堵|刮)(?:过|了|掉)"),
    pattern(
        rf"(?P<x>{_ORGAN})(?:的|[一二三两四五六分之半]|这个?|都|也|上|里|那|早|早就|已经?|被|给|全|整个|右边?"
        rf"|左边?|一侧|双侧|里面的?|部分|[一二两三四五六七八九十\d几多]+(?:来|多|几|个){{0,3}}(?:年|月|天"
        r"|周)(?:前|多)?|两只眼睛|两个?|来|前年|去年|让医生|当年|\s)*+(?:切除?|割|摘除?|拿|取|换|剌)(?:掉|脱|了"
        r"|过|除|出|去|走|除了|的|成|没)+(?!怎么|[个一道]{1,2}(?:口|伤))(?:<VO>)?"
    ),
    pattern(
        r"(?:(?:切|割|摘|换|取|拿)(?:除|掉|出)?(?:过|了)|[切割摘]掉)(?:一?[次个颗侧边半只条根叶]|大?小?半[个边拉]?"
        r"|一[段截]|一部分"
        r"|[左右][上中下]|大部分|部分|左侧?"
        rf"|右侧?|两[个侧]|双侧|半边|个|我的|右|左|双|人工|\s)*(?P<x>{_ORGAN})"
    ),
    pattern(
        rf"(?P<x>{_ORGAN})(?:上|里|那儿?|都|也|以前|之前|小时候|曾经|年轻时|前年|去年|\d+年|[，,]?我|手术"
        r"|的)*(?:动|做|开|挨)(?:过|了)(?:[一两二三几]?[次个台]?)(?:大|小|微创)?(?:手术|刀)"
    ),
    pattern(rf"(?:动|做|开)(?:过|了)(?P<x>{_ORGAN})(?:的)?(?:大|小|微创)?(?:手术|刀)"),
    pattern(
        rf"(?P<x>{_ORGAN})(?:微创|置换|切除|修补|移植|摘除|手术|造瘘|成形|重建|融合|介入|支架"
        r"|搭桥)+(?:术)?(?:史|后|了|过|术后|以后|[一二三四五六七八九十几两半\d]+(?:多|个)?(?:年|月|周))"
    ),
    pattern(
        rf"(?P<x>{_ORGAN})(?:里|上|内|那|两根|里面|处)*(?:打|上|放|装|植|安|搭|埋|塞)(?:了|过|着|的|入"
        r"|有)(?:[一二两三四五几\d]*[根个块枚颗条])?(?:<VO>|钢|架|桥|管)"
    ),
    pattern(r"(?:肚子|腿|腰|胸口?|背|头)(?:上|里)?(?:挨|动|开)过(?P<x>刀)"),
    pattern(
        r"(?:做|动)(?:了|过|完)(?:一?[个次台]|个"
        r"|的)?(?P<x>(?![一两三\d个次台大小微这那])[\u4e00-\u9fff]{1,7}?)(?:的)?手术(?!吗|要|多|能|费)"
    ),
    pattern(r"(?P<x>剖)(?:的|出来|了|过|下来)"),
    pattern(r"(?P<x>(?:换|移植)(?:过|了)(?:一?[个颗只])?(?:肾|肝|心|骨髓|角膜))"),
    pattern(
        r"(?P<x><D>)(?:两只眼睛?|两只|双|两边|手术|前年|去年|都|已经?|早|两眼|<G>|\d+年|左边|右边|前几年"
        r"|的时候)*(?:做(?:好|过|完|掉)?了|做完(?=[\d一二两三四五六七八九十几半])|开了刀|动了?手术|切(?:除|掉)?了"
        r"|割(?:掉)?了|手术(?:做|过|了|后))"
    ),
)
OPERATED_EN: Final = (
    pattern(
        r"(?P<x><G>(?:,? (?:and|&|n) (?:my )?<G>)?) (?:(?:are |is |were )?(?:both|all|long) gone|gone already"
        r"|gone since)\b"
    ),
    pattern(
        r"\bmy (?P<x><G>) (?:came|is) from (?:my|a|his|her) (?:\w+ )?(?:donor|sister|brother|mum|mom|dad|wife"
        r"|husband|son"
        r"|daughter|friend|stranger)"
    ),
    pattern(r"\b(?:born|arrived|came|delivered) (?:\w+ )?by (?:an? |emergency )*(?P<x><O>)"),
    pattern(
        r"\bcut (?:a|an|some|about|half|two|three|several|\d+| |foot|feet|bit|piece|inch(?:es)?|lump|chunk"
        r"|cm)* of (?:my )?(?P<x><G>)"
    ),
    pattern(
        r"\b(?:whipped|took|taken|had) (?:the lot|everything|it all|them all) (?:out|away)\b[^.;!?\n]{0,30}?(?P<x><G>)"
    ),
    pattern(
        r"\b(?:had|have had|i've had|got|have)\b(?: (?:both|half|part|one|most|some|all|of|my|me|the|a|an|two"
        r"|three|right|left|whole|old))*\s(?P<x><GD>s?)(?: \w+){0,2}? (?:yanked|pulled|extracted|swapped"
        r"|redone|stitched|sewn|plumbed|replumbed|scraped|drained|lanced|clipped|zapped|frozen|chopped|nipped"
        r"|snipped|whipped|taken)"
    ),
    pattern(
        r"\b(?:home|back|out|recovering|recovered|healing) (?:from|after|of) (?:the|my|a"
        r"|having)(?: \w+)? (?P<x><DGO>)(?: \w+)? ?(?:op|operation|surgery|repair|procedure)?\b"
    ),
    pattern(r"\b(?:gave|donated) (?:a|my|one|one of my)(?: left| right)? (?P<x><G>) to (?:my|a|his|her)\b"),
    pattern(
        r"\b(?:swapped|changed|donated|gave away|fixed|redid|stitched(?: up)?|clipped|yanked"
        r"|pulled) (?:out )?(?:my|me|both|the|one|a)(?: (?:my|left|right|other|of|my))* ?(?P<x><GD>)"
    ),
    pattern(
        r"(?P<x><G>s?)(?:(?:'s| has|s have) been| (?:is|are|was|were|both|all|half|now))* (?:titanium|plastic"
        r"|artificial|bionic|ceramic|steel|<S>(?= since\b))"
    ),
    pattern(
        r"\b(?:had|have had|i've had|got|getting|have)\b(?: (?:had|both|half|part|one|most|some|all|a foot"
        r"|a bit|a piece|of|my|the|a|an|two|three|right|left|whole|new|\d+))*\s(?P<x>(?:a |an |half "
        r"|part of )?<GD>s?)(?: \w+){0,2}? (?:taken|cut|whipped|removed|yeeted|out\b|replaced|transplanted|fused"
        r"|repaired|mended|done|operated|rebuilt|reconstructed|pinned|fixed|lasered|ablated|off\b|stapled)"
    ),
    pattern(
        r"\b(?:removed|took(?: out)?|cut out|whipped out|replaced|fused|repaired|operated on|taken out|lost"
        r"|chopped(?: off| out)?|transplanted)\b(?: (?:out|about|a|an|foot|bit|piece|part|half|all|most|some"
        r"|one|both|two|of|my|the|left|right|off|was|whole))*\s(?P<x><G>)"
    ),
    pattern(
        r"(?P<x><GD>s?)(?: (?:is|are|was|were|got|came|has been|have been|both|had to|all|be|come|have|had|now"
        r"|taken|metal))*\s(?:taken out|cut out|removed|fixed(?: up)?|done|pinned|yanked|swapped|came out"
        r"|come out|out (?=in|at|years|when|as|last|a|two|three|\d)|replaced|fused|operated on|whipped out"
        r"|is metal|metal now|metal|gone since|done in \d{4})"
    ),
    pattern(r"\b(?:new|artificial|replacement|metal|titanium|fake|prosthetic) (?:left |right )?(?P<x><G>)"),
    pattern(r"\bcut (?:off |out )?(?:all |half |part )?(?:of )?my (?P<x><G>)"),
    pattern(r"(?P<x><D>) mesh\b(?! (?:is|was) (?:an option|offered|suggested))"),
    pattern(
        r"(?P<x><G> (?:replacement|transplant|surgery|removal|repair|fusion|reconstruction|resection|bypass"
        r"|operation|op|graft|biopsy|ablation|lift|tuck|reduction|implants?))\b(?! (?:next|tomorrow|on"
        r"|scheduled|booked|list))"
    ),
    pattern(
        r"(?P<x><D>) (?:repair|removal|surgery|operation|excision|resection|fixation)\b(?! (?:next|tomorrow|on"
        r"|scheduled|booked|list|date))"
    ),
    pattern(
        r"(?P<x><G>) (?:that |which )?(?:they|the surgeons?|the hospital) "
        r"(?:replaced|removed|fixed|took out|operated on|rebuilt|fused)\b"
    ),
    pattern(r"(?P<x><G>) (?:came off|come off|had to come off|were taken off|was taken off)\b"),
    pattern(r"\bthey take out (?:of )?my (?P<x><G>)"),
    pattern(r"\bone (?P<x><G>)[^.;!?\n]{0,12}?\bgave the other\b|\bgave (?:one|a) (?P<x2><G>) to my\b"),
    pattern(
        r"\b(?:rods?|screws?|pins?|plates?|cages?|metal\w*)\b[^.;,!?\n]{0,16}?\b(?:holding|in|along|up|down|through"
        r"|round) (?:up |together )?my (?P<x><G>)"
    ),
    pattern(
        r"\b(?P<x>(?:took|taken|removed|lost) (?:a |one |both |my |the |left |right |fallopian )*tubes?(?: out)?)\b"
    ),
    pattern(
        r"\b(?:no|without a|don'?t have (?:a|an|my)) (?P<x><G>) (?:here|any ?more|since|now|left|cos|because|after)"
    ),
    pattern(
        r"\b(?:surgery|operation|op|operated|knife|stents?|screws?|pins?|plates?|rods?|metal(?:work)?"
        r"|balloon)\b(?: (?:put|was|were|placed|done|in|on|for|to|my|the|a|left|right|and|screws|plate|fitted"
        r"|both|into))*\s(?P<x>(?:on |in )?(?:my )?<G>)"
    ),
)
