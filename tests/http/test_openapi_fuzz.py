"""Requests made from the OpenAPI document, right ones and wrong ones, against a live gateway with API keys.

TEST_SCALE multiplies the number of requests: 1 is what CI runs.
"""

import os

import pytest
import schemathesis
import schemathesis.specs.openapi.schemas  # otherwise from_url imports it late, which a garbage collection can break
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from gateway import operations
from tests.gateways import GatewayProcess
from tests.http.conftest import Keys
from tests.sampling import sampled

SCALE = float(os.environ.get("TEST_SCALE", "1"))
EXAMPLES = max(1, round(20 * SCALE))
DRAWN = 20
"""Operations of each kind of request; `make test-all` asks the others too."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]

REFUSALS = [400, 401, 403, 404, 409, 413, 415]
"""How a wrong request may be answered. A body over its limit is one: generated texts grow to megabytes."""
OPERATIONS = ["/health", "/live", "/metrics"] + [operation.path for operation in operations.OPERATIONS]

pytestmark = pytest.mark.timeout(max(900, round(120 * SCALE)))


@pytest.fixture(scope="module")
def live_schema(keyed_gateway: GatewayProcess) -> schemathesis.BaseSchema:
    config = schemathesis.Config.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}}})
    return schemathesis.openapi.from_url(f"{keyed_gateway.url}/openapi.json", config=config)


def check_generated(
    schema: schemathesis.BaseSchema, operation: str, mode: schemathesis.GenerationMode, key: str
) -> None:
    """Send generated requests; right ones are all about one conversation, so that answers have something in them."""
    method = "POST" if operation.startswith("/v1/") else "GET"
    headers = {"Authorization": f"Bearer {key}"}

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=schema[operation][method].as_strategy(generation_mode=mode))
    def check(case: schemathesis.Case) -> None:
        if mode.is_positive and isinstance(case.body, dict):
            case.body.update({name: "fuzz" for name in ("conversation_id", "user_id") if name in case.body})
        case.call_and_validate(checks=CHECKS, headers=headers, timeout=60)

    check()


@pytest.mark.parametrize("operation", sampled(OPERATIONS, DRAWN))
def test_right_requests_are_answered_as_documented(
    live_schema: schemathesis.BaseSchema, keys: Keys, operation: str
) -> None:
    check_generated(live_schema, operation, schemathesis.GenerationMode.POSITIVE, keys.admin)


@pytest.mark.parametrize("operation", sampled([path for path in OPERATIONS if path.startswith("/v1/")], DRAWN))
def test_wrong_requests_are_refused_as_documented(
    live_schema: schemathesis.BaseSchema, keys: Keys, operation: str
) -> None:
    check_generated(live_schema, operation, schemathesis.GenerationMode.NEGATIVE, keys.admin)


def test_gateway_after_generated_requests_has_answered_no_500(keyed_gateway: GatewayProcess) -> None:
    assert keyed_gateway.healthy()
    assert b'status="500"' not in keyed_gateway.get("/metrics").body
    assert "Traceback" not in keyed_gateway.log_text()
