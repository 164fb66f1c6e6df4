"""Facts of a life that somebody corrects: what was wrong is held no longer, what is right is."""

from memory.model.memory import Kind
from memory.model.search import Filter
from memory.scope import UserScope
from tests.contract.lives import ON_ONE_STORE
from tests.inprocess import World

pytestmark = ON_ONE_STORE

CORRECTED = [
    ("我特别喜欢跑步", "说错了，不是喜欢跑步，是喜欢游泳", "like", "跑步", "游泳"),
    ("我住在苏州", "说错了，我住在杭州，不是苏州", "residence", "苏州", "杭州"),
    ("我是老师", "口误，我不是老师，是护士", "job", "老师", "护士"),
    ("我养了一只猫", "打错了，是狗不是猫", "pet", "猫", "狗"),
    ("我每天吃二甲双胍", "说错了，不是二甲双胍，是格列美脲", "medication", "二甲双胍", "格列美脲"),
    ("I love jazz.", "Sorry, I misspoke, I love blues, not jazz.", "like", "jazz", "blues"),
    ("I live in Boston.", "Correction: I live in Austin, not Boston.", "residence", "Boston", "Austin"),
    ("I'm a teacher.", "I meant nurse, I'm not a teacher.", "job", "teacher", "nurse"),
    (
        "I'm flying to Rome on Friday.",
        "Scratch that, it's Milan, not Rome.",
        "plan",
        "Rome",
        "flying to Milan on Friday",
    ),
    ("I take metformin.", "My mistake, it's glipizide, not metformin.", "medication", "metformin", "glipizide"),
]
UNTOUCHED = [
    ("我喜欢跑步", "今天不是跑步，是游泳", "like", "跑步"),
    ("我养了一只猫", "我没说错，是猫不是狗", "pet", "猫"),
    ("I love jazz.", "It's not jazz, it's the noise.", "like", "jazz"),
    ("I take metformin.", "Sorry, wrong day: it's Monday, not Tuesday.", "medication", "metformin"),
    ("我每天吃阿托伐他汀。", "说错了，昨天来的不是他，是我。", "medication", "阿托伐他汀"),
    ("我每天吃二甲双胍。", "说错了，一天不是二，是三", "medication", "二甲双胍"),
    ("I take metformin.", "I misspoke: it's not me, it's my husband.", "medication", "metformin"),
    ("I take metformin.", "Sorry, not met, just emailed.", "medication", "metformin"),
    ("我每天吃华法林。", "我刚才说错了，我妈吃的不是华法林，是利伐沙班。", "anticoagulant", "华法林"),
    ("I take warfarin.", "Correction: what she takes is not warfarin, it's apixaban.", "anticoagulant", "warfarin"),
    ("我有糖尿病。", "眼睛模糊不是糖尿病，是白内障。", "disease", "糖尿病"),
    ("I have asthma.", "The cough is not asthma, it's GERD.", "disease", "asthma"),
    ("我有哮喘。", "昨晚不是哮喘，是反流性食管炎。", "disease", "哮喘"),
]


async def held(here: World, user: str, *texts: str) -> dict[tuple[str, str], bool]:
    """What holds after a conversation, by predicate and object: whether it is so."""
    for text in texts:
        await here.write(text, "好的。", user, user_id=user)
    await here.finalize(user)
    page = await here.memories.page(UserScope("default", user), Filter(kinds=(Kind.FACT,)), "", 100)
    return {(each.predicate, each.object): each.polarity == "+" for each in page.memories if each.holds}


async def test_what_is_corrected_is_held_no_longer_and_what_is_right_is(here: World) -> None:
    for number, (first, then, predicate, wrong, right) in enumerate(CORRECTED):
        found = await held(here, f"u{number}", first, then)
        said = [text for (name, text), so in found.items() if name == predicate and so]
        assert not any(wrong in text for text in said), (then, found)
        assert right in said, (then, found)
        assert not any(text.startswith(("不是", "not ", "I meant")) for text in said), found


async def test_what_only_sounds_so_ends_nothing(here: World) -> None:
    for number, (first, then, predicate, stays) in enumerate(UNTOUCHED):
        found = await held(here, f"u{number}", first, then)
        assert any(name == predicate and stays in text and so for (name, text), so in found.items()), (then, found)
        assert all(found.values()), found


async def test_an_anticoagulant_is_taken_back_and_a_person_decides(here: World) -> None:
    cases = (
        ("我每天吃华法林。", "口误，不是华法林，是利伐沙班。", "华法林", "利伐沙班"),
        ("I take warfarin every day.", "My mistake, it's apixaban, not warfarin.", "warfarin", "apixaban"),
    )
    for user, (first, then, wrong, right) in enumerate(cases):
        await held(here, f"thinner{user}", first, then)
        context = (await here.query(f"next{user}", user_id=f"thinner{user}", query=""))["context"]
        assert right in context
        assert f"{wrong}（本人已改口，待确认）" in context


async def test_what_an_earlier_session_said_is_corrected_too(here: World) -> None:
    await held(here, "u", "我特别喜欢跑步")
    await here.write("上次我说错了，不是喜欢跑步，是喜欢游泳。", "好的。", "later", user_id="u")
    await here.finalize("later")
    page = await here.memories.page(UserScope("default", "u"), Filter(kinds=(Kind.FACT,)), "", 100)
    likes = {each.object for each in page.memories if each.holds and each.predicate == "like" and each.polarity == "+"}
    assert likes == {"游泳"}


async def test_an_allergy_that_is_corrected_changes_no_medicine_of_the_same_name(here: World) -> None:
    found = await held(here, "u", "我对阿莫西林过敏。", "我以前吃阿莫西林。", "说错了，不是阿莫西林，是头孢。")
    assert found[("allergy", "头孢")]
    assert ("medication", "头孢") not in found
