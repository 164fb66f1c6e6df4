"""What is in git was written here: nothing minified, nothing of others."""

import re
import subprocess
from typing import Final

from tests.gateways import ROOT

WEB: Final = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".css", ".vue", ".html")
LINE_MAX: Final = 5_000
FOREIGN: Final = re.compile(
    r"\.min\.|\.map$|(^|/)(node_modules|bower_components|vendor|vendored|third[-_]party)/", re.IGNORECASE
)
BANNER: Final = re.compile(r"(?i)/\*!|@license|@preserve|sourceMappingURL|\(c\)\s*\d{4}|copyright\s+\d{4}")
"""What those who publish scripts leave at their top."""


def in_git() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def foreign(name: str) -> bool:
    return bool(FOREIGN.search(name))


def minified(text: str) -> bool:
    return bool(BANNER.search(text)) or max(map(len, text.splitlines()), default=0) > LINE_MAX


def test_git_holds_no_file_of_others() -> None:
    names = in_git()
    assert "console/package.json" in names
    assert [name for name in names if foreign(name)] == []


def test_git_holds_no_minified_file() -> None:
    web = [name for name in in_git() if name.endswith(WEB)]
    assert any(name.startswith("console/src/") for name in web)
    assert [name for name in web if minified((ROOT / name).read_text(encoding="utf-8"))] == []


def test_file_of_others_would_be_seen() -> None:
    for name in ("a/axe.min.js", "console/node_modules/vue/index.js", "vendor/d3.js", "x/style.css.map"):
        assert foreign(name), name
    assert not foreign("console/src/lib/vendors.ts")
    for text in ("x" * 5_001, "/*! d3 */", "/** @license MIT */", "//# sourceMappingURL=a.map"):
        assert minified(text), text[:20]
    assert not minified("const a = 1\n" * 9_999)
