import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.privacy import checks
from memory.privacy.identifiers import find_identifiers
from tests.fixtures.identifiers_zh import sentences
from tests.growth import assert_grows

APART = {"name", "address"}
SEED = 9268


def found(text):
    return [(text[span.start : span.end], span.kind) for span in find_identifiers(text)]


def joined():
    path = Path(__file__).resolve().parent.parent / "fixtures" / "identifiers_joined.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# Identifiers beside a date, a code, a hyphen or each other: 9 of 36 were right before there were rules for it.
@pytest.mark.parametrize("row", joined(), ids=lambda row: row["text"])
def test_identifiers_beside_other_signs_are_found_whole(row):
    assert found(row["text"]) == [tuple(identifier) for identifier in row["identifiers"]]


def test_identifiers_of_made_chinese_sentences_are_found_with_f1_of_095():
    tally = Counter()
    wrong = []
    for text, labelled in sentences(SEED, 300):
        expected = {span for span in labelled if span[2] not in APART}
        got = {tuple(span) for span in find_identifiers(text) if span.kind not in APART}
        tally.update(right=len(got & expected), extra=len(got - expected), missed=len(expected - got))
        wrong += [(text, sorted(got ^ expected))] if got != expected else []
    f1 = 2 * tally["right"] / (2 * tally["right"] + tally["extra"] + tally["missed"])
    print(f"f1 {f1:.4f}", dict(tally))
    assert f1 >= 0.95, wrong[:10]


def test_names_of_made_chinese_sentences_are_found_with_f1_of_09():
    tally = Counter()
    for text, labelled in sentences(SEED + 1, 300):
        expected = {span for span in labelled if span[2] == "name"}
        got = {tuple(span) for span in find_identifiers(text) if span.kind == "name"}
        tally.update(right=len(got & expected), extra=len(got - expected), missed=len(expected - got))
    assert 2 * tally["right"] / (2 * tally["right"] + tally["extra"] + tally["missed"]) >= 0.9


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("发到a.b+c@mail.example.com谢谢", [("a.b+c@mail.example.com", "email")]),
        ("看https://example.com/a?b=1。谢谢", [("https://example.com/a?b=1", "url")]),
        ("See www.example.org, please.", [("www.example.org", "url")]),
        ("１３８１２３４５６７８打我", [("１３８１２３４５６７８", "mobile")]),
        ("𝟏𝟑𝟖𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖", [("𝟏𝟑𝟖𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖", "mobile")]),
        ("138 1234 5678和139–1234–5678", [("138 1234 5678", "mobile"), ("139–1234–5678", "mobile")]),
        ("+86 13812345678", [("+86 13812345678", "mobile")]),
        ("(010)62345678转801", [("(010)62345678转801", "landline")]),
        ("打400-800-1234", [("400-800-1234", "landline")]),
        ("11010519491231002X", [("11010519491231002X", "id_card")]),
        ("身份证号是110105 19491231 0021", [("110105 19491231 0021", "id_card")]),
        ("110105491231002", [("110105491231002", "id_card")]),
        ("卡号 4111 1111 1111 1111 过期", [("4111 1111 1111 1111", "card")]),
        ("IBAN DE89 3704 0044 0532 0130 00 is mine", [("DE89 3704 0044 0532 0130 00", "iban")]),
        ("from GB82WEST12345698765432", [("GB82WEST12345698765432", "iban")]),
        ("My SSN is 536-90-4399.", [("536-90-4399", "ssn")]),
        ("social security number: 536904399", [("536904399", "ssn")]),
        ("服务器192.168.1.20挂了", [("192.168.1.20", "ip")]),
        ("at 2001:db8::8a2e:370:7334 now", [("2001:db8::8a2e:370:7334", "ip")]),
        ("护照E12345678", [("E12345678", "passport")]),
        ("passport number is 123456789", [("123456789", "passport")]),
        ("车牌沪A·D12345和京A12345", [("沪A·D12345", "plate"), ("京A12345", "plate")]),
        ("生日是1990年1月2日", [("1990年1月2日", "birth")]),
        ("DOB: 02/01/1990", [("02/01/1990", "birth")]),
        ("born on 2 January 1990", [("2 January 1990", "birth")]),
        ("微信号abc_12345，QQ：123456789", [("abc_12345", "account"), ("123456789", "account")]),
        ("Call me at (415) 555-0132 x12", [("(415) 555-0132 x12", "phone")]),
        ("+44 7700 900123", [("+44 7700 900123", "phone")]),
        ("Phone: 451 5986", [("451 5986", "phone")]),
        ("我叫王小明，今年30岁", [("王小明", "name")]),
        ("Dr. Jane Smith", [("Jane Smith", "name")]),
        ("我住在北京市海淀区中关村大街27号", [("北京市海淀区中关村大街27号", "address")]),
        ("I live at 12 Baker Street, near you", [("12 Baker Street", "address")]),
    ],
)
def test_identifier_in_its_usual_dress_is_found_whole(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "阿莫西林0.5g，每日3次，每次2片，连服7天",
        "血压150/95mmHg，空腹血糖6.8，心率88次/分，白细胞12.5×10^9/L",
        "谷丙转氨酶120 U/L，肌酐 78.5 umol/L，体温38.5度",
        "2024-05-07 10:30:00复查，2024年5月7日出院，05/07/2023",
        "昨天下午3点半，明天8:00-17:30",
        "一共12800.50元，¥1,299.00，$1999",
        "订单号202405071234567，快递单号7712345678901",
        "打120，报警110，火警119，客服12345",
        "版本号3.12.1.4，v1.2.3.4",
        "身高175cm，体重70kg，BMI 22.9",
        "123456789012345678",
        "4111111111111112",
        "100000-200000人，2019-2023年",
        "我的手机坏了，邮箱满了，身份证丢了",
        "Take 500 mg every 8 hours for 10 days, 1-2 tablets",
        "Call 911 or 112. It costs 1,000,000 dollars.",
        "From 2019 2020 on, 10 20 30 40, pages 12-15",
        "ISBN 978-7-111-12345-6",
        "I work at 9 and call it a day at 18",
        "std::vector and 10:30:45",
        "医生您好，先生贵姓，女士优先",
        "患者要注意休息，病人说还好",
        "患者：平时的话会吃辣椒\n患者：谢谢医生，那么医生怎么看",
        "Does WeChat location sharing work?",
    ],
)
def test_text_without_identifiers_gives_none(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        (checks.luhn, "4111 1111 1111 1111", "4111111111111112"),
        (checks.luhn, "6222021234567890128", "0000000000000000"),
        (checks.id_card_18, "11010519491231002X", "110105194912310021"),
        (checks.id_card_18, "110105 19491231 002x", "11010519491331002X"),
        (checks.id_card_18, "11010519491231002X", "99010519491231002X"),
        (checks.id_card_15, "110105491231002", "110105491331002"),
        (checks.iban, "DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 01"),
        (checks.iban, "GB82WEST12345698765432", "GB82WEST1234569876543"),
        (checks.ipv6, "fe80::1ff:fe23:4567:890a", "fe80::1ff::890a"),
        (checks.ipv6, "2001:0db8:0:0:0:0:2:1", "10:30:45"),
        (checks.us_ssn, "536-90-4399", "666-90-4399"),
        (checks.phone_digits, "+44 7700 900123", "11111111"),
    ],
)
def test_check_tells_a_right_number_from_one_that_is_near(check, right, wrong):
    assert check(right)
    assert not check(wrong)


def test_overlapping_identifiers_are_found_once_by_the_first_rule():
    spans = find_identifiers("电话13812345678，邮箱13812345678@qq.com，身份证11010519491231002X")
    assert [span.kind for span in spans] == ["mobile", "email", "id_card"]


@given(
    st.one_of(
        st.text(),
        st.text(alphabet="0123456789-. +@aEx:号卡住张：()１"),
        st.lists(st.sampled_from(["身份证", "卡号", "138", "@", "路", "张", "www."])),
    )
)
def test_identifiers_of_any_text_are_ordered_and_inside_it(text):
    text = "".join(text)
    spans = find_identifiers(text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))


@pytest.mark.parametrize(
    "piece",
    ["1", "1 ", "1-", "1.", "1:", "a", "a.", "a@", "@", "a@b.", "http://", "www.a", "王", "住在省", "我叫王", "A1",
     "E1", "(1)", "13812345678 ", "1.1.1.1 ", "卡号1", "phone 1", "Dr. A", "2024-", "1 (", "地址中", "微信a", "+1"],
)  # fmt: skip
def test_identifiers_take_time_linear_in_the_length_of_a_hostile_text(piece):
    assert_grows(find_identifiers, lambda chars: (piece * chars)[:chars], 20_000)
