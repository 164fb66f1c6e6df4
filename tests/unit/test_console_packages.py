"""What the console is built from: few packages, under licences that allow it, and no address of where they were had."""

import json
from typing import Any

from tests.gateways import ROOT

LOCK = ROOT / "console" / "package-lock.json"
ALLOWED = {"MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD", "MPL-2.0"}
PACKAGES_MAX = 120


def packages() -> dict[str, Any]:
    found = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    return {name: told for name, told in found.items() if name}


def test_packages_are_few() -> None:
    assert 0 < len(packages()) <= PACKAGES_MAX


def test_licences_allow_it() -> None:
    licences = {name: told.get("license") for name, told in packages().items()}
    assert {name: licence for name, licence in licences.items() if licence not in ALLOWED} == {}


def test_each_package_is_known_by_its_digest() -> None:
    assert [name for name, told in packages().items() if "integrity" not in told] == []


def test_lock_files_name_no_address() -> None:
    locks = [LOCK, ROOT / "console" / "requirements.lock", *ROOT.glob("requirements*.lock")]
    assert len(locks) == 4
    assert [lock.name for lock in locks if "://" in lock.read_text(encoding="utf-8")] == []
