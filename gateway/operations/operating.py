"""The gateway itself: its settings, and how the parts are that it runs on. They are the same for all tenants."""

from typing import Final

from gateway.operating import operating_calls as calls
from gateway.operations.operation import OPERATE, Answerer, Effect, Operation

OPERATING: Final = (
    Operation(
        "GetSettings", calls.GetSettingsRequest, calls.GetSettingsResponse,
        OPERATE, "settings", "Operations", {"section": "session"},
        effect=Effect.READS,
        zh="查看本网关的每一项设置：当前值、默认值、由什么设定、单位、用途，以及各部分的版本；不含任何密钥或密码。",
        by=Answerer.GATEWAY,
    ),
    Operation(
        "RunDoctor", calls.RunDoctorRequest, calls.RunDoctorResponse,
        OPERATE, "run-doctor", "Operations", {},
        effect=Effect.READS,
        zh="检查本网关所依赖的各个部分：哪里不对、该怎么办。配置了模型时会真实调用一次，花费少量 token。",
        by=Answerer.GATEWAY,
    ),
)  # fmt: skip
