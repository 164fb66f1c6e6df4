"""GetMemoryTools: what a model is given to keep memory with."""

from typing import Final

from memory.graph.tools import forms
from memory.model.graph_calls import GetMemoryToolsRequest, GetMemoryToolsResponse

_FORMS: Final = {"openai": forms.openai, "openai_strict": forms.openai_strict, "mcp": forms.mcp}


def memory_tools(request: GetMemoryToolsRequest) -> GetMemoryToolsResponse:
    """The tools by which a model builds memory, or the prompt that says when to use them."""
    made = _FORMS[request.format](request.locale) if request.format in _FORMS else None
    return GetMemoryToolsResponse(
        format=request.format,
        tools=made,
        prompt=None if made else forms.prompt(request.locale),
        operations=dict(forms.OPERATIONS),
    )
