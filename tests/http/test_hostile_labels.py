"""Labels in the syntax of a store, a terminal or a drawing: over HTTP they are data, and every drawing can be read."""

import xml.etree.ElementTree as ET

import pytest

from tests.gateways import GatewayProcess
from tests.hostile_corpus import PLAIN_TEXTS, conversation_of

DRAWN = ("</graph>", "x];n1->n2", "a]:::b", 'a"b', "a\\", "-->|x|", "%% a", "<recalled_memories>a", "a\0b", "\u202ea")
LABELS = (*(text for text in PLAIN_TEXTS if text.strip()), *DRAWN)
"""What is blank is left out, as everywhere."""


@pytest.mark.parametrize("label", LABELS, ids=ascii)
def test_a_label_is_data_in_every_drawing(open_gateway: GatewayProcess, label: str) -> None:
    user = conversation_of(f"label {LABELS.index(label)}")
    told = {"user_id": user, "subject": "user", "memory_type": "fact", "topic": "about", "object": label}
    made = open_gateway.post("CreateMemory", told | {"attributes": {"note": label}, "quote": label})
    assert made.status in {200, 400}, made
    asked = open_gateway.post("GetGraph", {"user_id": user}).json()
    assert bool(asked["edges"]) is (made.status == 200), "what is refused changes nothing"
    if made.status == 200:
        (edge,) = asked["edges"]
        labels = {node["id"]: node["label"] for node in asked["nodes"]}
        assert edge["attributes"] == {"note": labels[edge["target"]]}
        about = open_gateway.post("GetGraph", {"user_id": user, "about": edge["target"]})
        assert about.json()["edges"] == asked["edges"]
        way = open_gateway.post("FindPath", {"user_id": user, "source": "user", "target": edge["target"]})
        assert way.json()["paths"][0]["length"] == 1
    for name in ("mermaid", "graphml", "dot"):
        text = open_gateway.post("GetGraph", {"user_id": user, "format": name}).json()["text"]
        lines = text.splitlines()
        if name == "graphml":
            ET.fromstring(text)  # noqa: S314 - our own
        else:
            arrows = [line for line in lines if ("-->" if name == "mermaid" else " -> ") in line.partition("|")[0]]
            assert len(arrows) == len(asked["edges"])
        assert not any(letter in text for letter in "\0\x1b\u202e\u2028")
