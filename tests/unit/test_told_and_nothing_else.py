"""What a plain message tells of safety, all of it: harm for want of a thing, what was outgrown, attacks, a birth."""

import pytest

from memory.clinical.safety import read_safety

TOLD = [
    ("I'm allergic to my cat. It has diabetes.", {("allergy", "cat")}),
    ("My dog is ill and I feel sick", set()),
    ("舍曲林断了头晕", set()),
    ("咖啡不喝就头疼", set()),
    ("If I don't drink coffee I get a headache", set()),
    ("我每天晚上要喝二两白酒，不喝睡不着", set()),
    ("吃头孢喝了酒，脸红心慌", set()),
    ("I outgrew the egg allergy.", set()),
    ("我鸡蛋过敏已经好了", set()),
    ("小时候对芒果过敏，长大就好了", set()),
    ("我上个月生了，是个女儿，现在全母乳", {("breast_feeding", "哺乳期")}),
    ("I had an asthma attack", {("disease", "asthma")}),
    ("我哮喘犯了", {("disease", "哮喘")}),
    ("会不会哮喘发作", set()),
    ("我被诊断轻度抑郁，医生建议吃药，我不太想吃，先试试心理咨询", {("disease", "轻度抑郁")}),
]


@pytest.mark.parametrize(("text", "expected"), TOLD, ids=[text[:24] for text, _ in TOLD])
def test_what_is_told_is_found_and_nothing_else(text: str, expected: set[tuple[str, str]]) -> None:
    found = read_safety(text)
    surely = {(each.kind, each.text) for each in found if each.subject == "user" and not (each.possible or each.denied)}

    assert surely == expected
