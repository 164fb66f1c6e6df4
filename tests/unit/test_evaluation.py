"""The evaluation's metric, ranking and readers, on tiny dialogues of our own."""

import importlib
import json
from datetime import UTC, datetime
from inspect import signature

import pytest

from benchmarks.evaluation import material as sets
from benchmarks.evaluation.__main__ import QUESTIONS_ZH, SAMPLES, main, material_of, options
from benchmarks.evaluation.ablation import ABLATIONS, changed
from benchmarks.evaluation.embedded import _environment
from benchmarks.evaluation.material import Case, Conversation, Material, Message, Place, Question
from benchmarks.evaluation.metric import CUTS, Answered, figures, ranking, recall_at
from benchmarks.evaluation.offline import units_of
from benchmarks.evaluation.report import as_json
from benchmarks.evaluation.run import Observed
from benchmarks.processes import BenchmarkError
from memory.consolidation.derive import dialogue_of
from memory.retrieval import relevance

LOCOMO = [
    {
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bob",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I bought a kite."},
                {"speaker": "Bob", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a red kite"},
            ],
            "session_2_date_time": "12:05 am on 1 June, 2023",
            "session_2": [{"speaker": "Bob", "dia_id": "D2:1", "text": "It broke."}],
            "session_3_date_time": "9:00 am on 2 June, 2023",
        },
        "qa": [
            {"question": "What did Ann buy?", "evidence": ["D1:1", "D1:2"], "category": 4},
            {"question": "When did it break?", "evidence": ["D2:1", "D2:1"], "category": 2},
            {"question": "Joined ids", "evidence": ["D1:1; D2:1"], "category": 1},
            {"question": "No ids", "evidence": [], "category": 3},
            {"question": "No such turn", "evidence": ["D2:9"], "category": 1},
            {"question": "No such session", "evidence": ["D3:1"], "category": 1},
        ],
    }
]
MEMORYBANK = {
    "甲": {
        "history": {"2023-04-27": [{"query": "我养了猫", "response": "真好"}, {"query": "叫豆豆", "response": "好听"}]}
    },
    "乙": {"history": {"2023-04-28": [{"query": "你好", "response": "你好"}]}},
}
CHAT = {
    "conversation_list": [
        {"sender": "user_1", "create_time": "2025-01-01T08:00:00Z", "content": "Hello"},
        {"sender": "robot_1", "create_time": "2025-01-01T08:01:00Z", "content": "Hello to you"},
        {"sender": "user_1", "create_time": "2025-01-02T08:00:00Z", "content": "I am back"},
    ]
}


def place(number, conversation="c"):
    return Place(conversation, number)


def answered(found, *evidence, kind="fact"):
    return Answered(kind, [frozenset(map(place, item)) for item in evidence], [place(number) for number in found])


def test_ranking_of_memories_names_each_message_once_at_its_best_place():
    found = [[place(3)], [place(1), place(2)], [place(3)], [place(2)], [place(4)]]
    assert ranking(found) == [place(3), place(1), place(2), place(4)]


def test_ranking_memory_of_many_messages_is_skipped():
    assert ranking([[place(1), place(2), place(3)], [place(3)]]) == [place(3)]


def test_ranking_same_number_of_two_conversations_is_two_messages():
    assert len(ranking([[place(1, "a")], [place(1, "b")]])) == 2


@pytest.mark.parametrize(("cut", "recall"), [(1, 0.0), (2, 0.5), (3, 0.5), (4, 1.0), (50, 1.0)])
def test_recall_evidence_at_places_two_and_four_grows_with_the_cut(cut, recall):
    assert recall_at(cut, answered([9, 1, 8, 2], [1], [2])) == recall


def test_recall_item_with_two_places_is_found_by_either():
    assert recall_at(5, answered([2], [1, 2], [3, 4])) == 0.5
    assert recall_at(5, answered([1, 2], [1, 2], [3, 4])) == 0.5


def test_figures_two_kinds_are_means_over_questions():
    ranked = list(range(100, 105))
    found = figures([answered([1, *ranked], [1]), answered([*ranked, 1], [1]), answered([7], [1], kind="date")])
    assert found["all"].questions == 3
    assert found["all"].recall[5] == pytest.approx(1 / 3)
    assert found["fact"].recall == {5: 0.5, 10: 1.0, 20: 1.0, 50: 1.0}
    assert found["date"].recall == dict.fromkeys(CUTS, 0.0)


def test_figures_no_questions_are_empty():
    assert figures([]) == {}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:05 am on 1 June, 2023", datetime(2023, 6, 1, 0, 5, tzinfo=UTC)),
        ("12:30 pm on 31 December, 2022", datetime(2022, 12, 31, 12, 30, tzinfo=UTC)),
    ],
)
def test_locomo_time_text_is_a_moment(text, moment):
    assert sets.locomo_time(text) == moment


def test_locomo_sessions_become_conversations_with_names_captions_and_seconds():
    (case,) = sets.read_locomo(json.dumps(LOCOMO)).cases
    first, second = case.conversations
    assert (case.user, first.conversation_id, second.conversation_id) == ("locomo-1", "locomo-1-s1", "locomo-1-s2")
    assert [message.role for message in first.messages] == ["user", "user"]
    assert [message.name for message in first.messages] == ["Ann", "Bob"]
    assert first.messages[1].content == "Look! [a red kite]"
    assert [message.occurred_at for message in first.messages] == [
        "2023-05-08T13:56:00+00:00",
        "2023-05-08T13:56:01+00:00",
    ]


def test_locomo_questions_without_valid_evidence_are_left_out():
    material = sets.read_locomo(json.dumps(LOCOMO))
    (case,) = material.cases
    assert [question.text for question in case.questions] == ["What did Ann buy?", "When did it break?"]
    assert case.questions[0].evidence == [{Place("locomo-1-s1", 1)}, {Place("locomo-1-s1", 2)}]
    assert case.questions[1].evidence == [{Place("locomo-1-s2", 1)}]
    assert case.questions[1].kind == "2 temporal"
    assert material.left_out == 4


def test_memorybank_exchanges_become_pairs_and_evidence_either_of_them():
    asked = [{"user": "甲", "question": "猫叫什么？", "evidence": [["2023-04-27", 1]], "kind": "fact"}]
    material = sets.memorybank_reader(asked)(json.dumps(MEMORYBANK))
    first, second = material.cases
    (day,) = first.conversations
    assert day.conversation_id == "memorybank-1-2023-04-27"
    assert [message.role for message in day.messages] == ["user", "assistant"] * 2
    assert [message.occurred_at for message in day.messages] == sorted({m.occurred_at for m in day.messages})
    assert first.questions[0].evidence == [{Place(day.conversation_id, 3), Place(day.conversation_id, 4)}]
    assert second.questions == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"user": "丙"}, "丙"),
        ({"evidence": [["2023-04-27", 2]]}, "exchange 2"),
        ({"evidence": [["1999-01-01", 0]]}, "1999-01-01"),
    ],
)
def test_memorybank_question_that_does_not_fit_the_dialogues_is_refused(change, told, tmp_path):
    file = tmp_path / "bank.json"
    file.write_text(json.dumps(MEMORYBANK), encoding="utf-8")
    asked = {"user": "甲", "question": "?", "evidence": [["2023-04-27", 0]], "kind": "fact"} | change
    with pytest.raises(BenchmarkError, match=told):
        sets.read(file, sets.memorybank_reader([asked]))


def test_solo_chat_days_become_conversations_of_one_user():
    material = sets.read_solo_chat(json.dumps(CHAT))
    assert [part.conversation_id for part in material.cases[0].conversations] == [
        "solo-chat-2025-01-01",
        "solo-chat-2025-01-02",
    ]
    assert [message.role for message in material.cases[0].conversations[0].messages] == ["user", "assistant"]
    assert (material.language, material.questions, material.messages) == ("en", 0, 3)
    assert len(SAMPLES["en"]) == len(SAMPLES["zh"]) == 10


@pytest.mark.parametrize("data", ["locomo", "memorybank", "solo-chat"])
@pytest.mark.parametrize("text", ["", "not JSON", '{"a": 1}', "[1]"])
def test_read_file_of_another_format_is_refused_with_advice(data, text, tmp_path):
    file = tmp_path / "file.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BenchmarkError, match="README"):
        material_of(data, file, None)


def test_main_missing_file_says_so_and_exits_with_two(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["evaluation", "locomo", "/nowhere/locomo.json"])
    assert main() == 2
    assert "give the path of the data set" in capsys.readouterr().err


def test_main_json_into_no_folder_is_refused_before_the_run(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["evaluation", "locomo", "unread.json", "--json", "/nowhere/figures.json"])
    assert main() == 2
    assert "make it first" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["locomo"], ["other", "f"], ["locomo", "f", "--limit", "0"]])
def test_options_wrong_arguments_are_refused(wrong):
    with pytest.raises(SystemExit):
        options(wrong)


def test_options_memorybank_without_questions_takes_the_bundled_ones():
    assert options(["memorybank", "f"]).questions == QUESTIONS_ZH


def many(users, questions):
    cases = [
        Case(f"u{user}", (), [Question(f"{user}/{number}", (), "fact") for number in range(questions)])
        for user in range(users)
    ]
    return Material("made up", "en", cases)


def test_limited_questions_are_spread_over_the_set():
    limited = sets.limited(many(3, 10), 6)
    assert [question.text for case in limited.cases for question in case.questions] == [
        *("0/0", "0/5", "1/0", "1/5", "2/0", "2/5"),
    ]


def test_limited_users_without_a_question_are_left_out():
    assert [case.user for case in sets.limited(many(3, 10), 1).cases] == ["u0"]
    assert sets.limited(many(3, 10), 30) == sets.limited(many(3, 10), None) == many(3, 10)


def test_history_text_of_a_case_has_every_speaker():
    (case,) = sets.read_locomo(json.dumps(LOCOMO)).cases
    assert sets.history_text(case) == "Ann: I bought a kite.\nBob: Look! [a red kite]\nBob: It broke."


def test_bundled_questions_are_sixty_of_five_people_and_kinds():
    asked = sets.read_questions(QUESTIONS_ZH.read_text(encoding="utf-8"))
    assert len({(one["user"], one["question"]) for one in asked}) == 60
    assert {one["kind"] for one in asked} == {"fact", "date", "preference", "person", "multi"}
    assert len({one["user"] for one in asked}) == 5
    assert all(one["evidence"] for one in asked)


def test_report_of_a_run_can_be_written_as_json():
    observed = Observed(answered=[answered([1], [1])], context_tokens=[50], history_tokens=[200], search_ms=[3.0, 5.0])
    plain = json.loads(json.dumps(as_json(many(1, 1), "none", observed)))
    assert plain["recall"]["all"] == {"questions": 1, **{f"recall@{cut}": 1.0 for cut in CUTS}}
    assert (plain["context_share"], plain["search_ms_median"]) == (0.25, 4.0)


def test_embedded_gateway_environment_has_nothing_of_the_callers():
    current = {"PATH": "/bin", "REDIS_URL": "r", "OPENAI_API_KEY": "k", "ANAMNESIS_RECALL__LIMIT": "1"}
    current |= {"WEAVIATE_URL": "w", "WEAVIATE_GRPC_PORT": "1", "WEAVIATE_API_KEY": "k"}
    environment = _environment(current, "en", "none")
    assert environment["PATH"] == "/bin"
    assert {name for name in environment if name.startswith("ANAMNESIS_")} == {
        "ANAMNESIS_SESSION__LOCALE",
        "ANAMNESIS_EMBEDDINGS__PROVIDER",
        "ANAMNESIS_SERVER__PROCESSES",
    }
    assert not {"REDIS_URL", "OPENAI_API_KEY", "WEAVIATE_URL", "WEAVIATE_GRPC_PORT"} & set(environment)
    assert "WEAVIATE_API_KEY" not in environment


def test_store_of_the_gateway_that_is_started_is_sqlite_unless_another_is_asked_for():
    assert options(["locomo", "f.json"]).store == "sqlite"
    assert options(["locomo", "f.json", "--store", "weaviate"]).store == "weaviate"


def test_offline_units_of_a_conversation_read_back_as_its_dialogue():
    conversation = Conversation("c", [Message("user", "I ski.", "2023-05-08T13:56:00+00:00", "Ann")])
    (unit,) = units_of("u", conversation)
    (said,) = dialogue_of(unit, "en").messages
    assert (said.seq, said.speaker, said.text) == (1, "Ann", "I ski.")
    assert said.at_ms == int(datetime(2023, 5, 8, 13, 56, tzinfo=UTC).timestamp() * 1000)


def test_ablations_all_change_something_that_is_there_and_put_it_back():
    named = relevance.NAMED
    for ablation in ABLATIONS:
        with changed([*ablation.changes, *ablation.index]):
            assert (relevance.NAMED == 0.0) == any(name == "NAMED" for _, name, _ in ablation.changes)
        assert named == relevance.NAMED
    assert len({ablation.name for ablation in ABLATIONS}) == len(ABLATIONS)


def test_ablations_replace_functions_by_such_as_are_called_alike():
    for module_name, name, value in (change for ablation in ABLATIONS for change in ablation.changes):
        if callable(value):
            there = getattr(importlib.import_module(module_name), name)
            assert len(signature(value).parameters) == len(signature(there).parameters), name


def test_pending_leaves_the_last_conversations_alive_and_says_whose_evidence_they_hold():
    def said(name: str) -> Conversation:
        return Conversation(name, [Message("user", name, "2023-05-08T13:56:00+00:00")])

    asked = [Question("q", [frozenset({Place(name, 1)})], "kind") for name in ("a", "b", "c")]
    made = sets.pending(Material("m", "en", [Case("u", [said("a"), said("b"), said("c")], asked)]), 2)
    (case,) = made.cases
    assert [one.lives for one in case.conversations] == [False, True, True]
    assert [one.kind for one in case.questions] == ["evidence in memory", "evidence pending", "evidence pending"]


def test_ablation_of_a_name_that_is_gone_is_refused():
    with (
        pytest.raises(BenchmarkError, match="NO_SUCH"),
        changed([("memory.retrieval.relevance", "NAMED", 9.0), ("memory.retrieval.relevance", "NO_SUCH", 0.0)]),
    ):
        pass
    assert relevance.NAMED == 1.0
