"""Which medicines are taken for the same: by the shapes of their names, and by what people call their kind."""

import re
from typing import Final

FAMILIES: Final = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        r"普利|沙坦|地平|洛尔|噻嗪|吲达帕胺|pril\b|sartan|dipine|olol\b|thiazide|indapamide",
        r"他汀|依折麦布|statin|ezetimibe",
        r"双胍|格列|列汀|列净|鲁肽|胰岛素|metformin|gliclazide|glimepiride|glipizide|gliptin|gliflozin|glutide|insulin",
        r"拉唑|替丁|prazole|tidine",
        r"沙班|华法林|达比加群|xaban|warfarin|dabigatran|coumadin|eliquis|xarelto",
        r"西汀|舍曲林|西酞普兰|法辛|曲唑酮|米氮平|oxetine|sertraline|citalopram|faxine|mirtazapine|trazodone|bupropion",
        r"别嘌醇|非布司他|苯溴马隆|allopurinol|febuxostat",
        r"唑仑|西泮|唑吡坦|佐匹克隆|zolam|zepam|zolpidem|zopiclone",
        r"甲氨蝶呤|来氟米特|羟氯喹|木单抗|依那西普|methotrexate|leflunomide|hydroxychloroquine|limumab|etanercept",
        r"氯雷他定|西替利嗪|依巴斯汀|loratadine|cetirizine|fexofenadine",
        r"羟考酮|吗啡|芬太尼|曲马多|可待因|oxycodone|morphine|fentanyl|tramadol|codeine|buprenorphine|tapentadol",
        r"三嗪|托吡酯|丙戊酸|西平|西坦|lamotrigine|topiramate|valpro|carbazepine|levetiracetam|brivaracetam",
        r"硫平|哌唑|氮平|利培酮|帕利哌酮|tiapine|piprazole|lanzapine|peridone|ziprasidone|clozapine|haloperidol",
        r"膦酸|地舒单抗|dron|denosumab|prolia|teriparatide|romosozumab|特立帕肽",
        r"前列素|布林佐胺|噻吗洛尔|溴莫尼定|prost\b|timolol|brinzolamide|brimonidine|dorzolamide",
        r"替卡松|米松(?!龙)|布地奈德|福莫特罗|沙美特罗|噻托溴铵|ticasone|clometasone|budesonide|formoterol|tiotropium",
        r"雌二醇|雌激素|estradiol|oestr|estrogen|conjugated",
        r"孕酮|屈螺酮|孕二烯酮|gestrel|norethist|drospirenone|gestodene|contracepti|避孕|estradiol/|炔雌醇",
        r"哌甲酯|托莫西汀|amphetamine|lisdexamf|vyvanse|methylphenidate|atomoxetine|guanfacine",
        r"恩替卡韦|替诺福韦|拉米夫定|阿德福韦|entecavir|tenofovir|lamivudine",
        r"氟桂利嗪|托吡酯|普萘洛尔|flunarizine|topiramate|propranolol|pizotifen|candesartan",
        r"琥珀酸亚铁|富马酸亚铁|硫酸亚铁|多糖铁|蛋白琥珀酸铁|ferrous|ferric|\biron\b",
        r"humira|adalimumab|etanercept|enbrel|infliximab|amgevita|柳氮磺吡啶|甲氨蝶呤|sulfasalazine|methotrexate",
    )
)
"""Of medicines that are taken for the same and seldom together, in the shapes of their names (WHO INN stems)."""
KINDS: Final = tuple(
    (re.compile(name, re.IGNORECASE), re.compile(members, re.IGNORECASE))
    for name, members in (
        (r"钙片|calcium supplement", r"钙|calcium"),
        (r"iron supplement|铁剂|铁片", r"ferr(?:ous|ic)|\biron\b|铁"),
        (r"statins?|他汀(?:类药?物?)?", r"statin\b|他汀"),
        (r"antibiotics?|抗生素|消炎药", r"cillin|mycin|oxacin|\bcef|cycline|metronidazole|西林|霉素|沙星|头孢|甲硝唑"),
        (r"steroids?|激素", r"predniso|dexameth|泼尼松|地塞米松|泼尼龙|糠酸莫米松|可的松"),
        (r"anticoagulants?|抗凝药", r"xaban|warfarin|dabigatran|沙班|华法林|达比加群"),
        (
            r"blood pressure medication|降压药",
            r"pril\b|sartan|dipine|olol\b|thiazide|indapamide|普利|沙坦|地平|洛尔|噻嗪|吲达帕胺",
        ),
        (r"antidepressants?|抗抑郁药", r"oxetine|sertraline|citalopram|faxine|mirtazapine|西汀|舍曲林|西酞普兰|法辛"),
        (r"insulin|胰岛素", r"insulin|胰岛素"),
        (r"sleeping pills?|安眠药", r"zolpidem|zopiclone|zolam|zepam|唑吡坦|佐匹克隆|唑仑|西泮"),
        (r"ppi|胃药", r"prazole|拉唑|tidine|替丁"),
        (r"painkillers?|止痛药", r"codeine|tramadol|ibuprofen|naproxen|paracetamol|布洛芬|曲马多|氨酚"),
        (r"(?:blue |reliever |rescue )?inhaler|吸入剂", r"inhaler|albuterol|salbutamol|沙丁胺醇|吸入剂"),
        (r"combined oral contraceptive|避孕药", r"gestrel|contracept|norethist|drospirenone|孕酮|屈螺酮|炔雌醇"),
    )
)
"""What people call a kind of medicines, as a whole name, and the shapes of the names of those that are of it."""
