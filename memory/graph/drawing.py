"""A graph as text: Mermaid for reading, GraphML and DOT for tools. Labels are escaped, and shown."""

import re
from typing import Final
from xml.etree import ElementTree as ET

from memory.graph.triples import Graph
from memory.visible import visible, visible_line

_NAMESPACE: Final = "http://graphml.graphdrawing.org/xmlns"
_FIELDS: Final = (
    ("label", "node", "string"),
    ("kind", "node", "string"),
    ("relation", "edge", "string"),
    ("memory_id", "edge", "string"),
    ("valid", "edge", "boolean"),
)
_NOT_XML: Final = re.compile("[\ufffe\uffff]")
"""Of what is left visible, XML 1.0 allows these not even escaped."""
_SPACE: Final = re.compile(r"\s+")
_MERMAID: Final = str.maketrans(
    {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;", "&": "#amp;", "\\": "#92;"}
)


def mermaid(graph: Graph) -> str:
    """A flow chart: people round, things square, what holds no longer dotted."""
    places = {node.key: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines = ["graph LR"]
    for node in graph.nodes:
        opening, closing = ("(", ")") if node.kind == "person" else ("[", "]")
        lines.append(f'  {places[node.key]}{opening}"{_plain(node.label)}"{closing}')
    for edge in graph.edges:
        arrow = "-->" if edge.valid else "-.->"
        lines.append(f'  {places[edge.source]} {arrow}|"{_plain(edge.relation)}"| {places[edge.target]}')
    return "\n".join(lines) + "\n"


def graphml(graph: Graph) -> str:
    """A GraphML document; what a terminal obeys is shown as its escape, and what XML cannot hold is left out."""
    root = ET.Element("graphml", {"xmlns": _NAMESPACE})
    for name, of, kind in _FIELDS:
        ET.SubElement(root, "key", {"id": name, "for": of, "attr.name": name, "attr.type": kind})
    whole = ET.SubElement(root, "graph", {"id": "memory", "edgedefault": "directed"})
    places = {node.key: f"n{number}" for number, node in enumerate(graph.nodes)}
    for node in graph.nodes:
        element = ET.SubElement(whole, "node", {"id": places[node.key]})
        _data(element, label=node.label, kind=node.kind)
    for number, edge in enumerate(graph.edges):
        ends = {"id": f"e{number}", "source": places[edge.source], "target": places[edge.target]}
        element = ET.SubElement(whole, "edge", ends)
        valid = "true" if edge.valid else "false"
        _data(element, relation=edge.relation, memory_id=edge.memory_id, valid=valid)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def dot(graph: Graph) -> str:
    """A document for Graphviz: people round, things square, what holds no longer dotted."""
    places = {node.key: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines = ["digraph memory {", "  rankdir=LR;"]
    for node in graph.nodes:
        shape = "ellipse" if node.kind == "person" else "box"
        lines.append(f"  {places[node.key]} [label={_quoted(node.label)}, shape={shape}];")
    for edge in graph.edges:
        style = "" if edge.valid else ", style=dotted"
        lines.append(f"  {places[edge.source]} -> {places[edge.target]} [label={_quoted(edge.relation)}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def _data(element: ET.Element, **values: str) -> None:
    for name, value in values.items():
        ET.SubElement(element, "data", {"key": name}).text = _NOT_XML.sub("", visible(value))


def _quoted(text: str) -> str:
    """A string of Graphviz: backslashes and quotes are what end it."""
    plain = visible_line(_SPACE.sub(" ", text).strip())
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _plain(text: str) -> str:
    return visible_line(_SPACE.sub(" ", text).strip()).translate(_MERMAID)
