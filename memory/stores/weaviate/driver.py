"""The one place that imports the Weaviate client, and makes it keep quiet.

Importing it costs one to two seconds and 70 MB, so nothing outside this package does. Two things are muted: a warning
that one of its dependencies prints on every import, and its logger, which prints the texts and vectors of objects that
the server refused.
"""

import logging
import os
import warnings

import authlib.deprecate  # type: ignore[import-untyped]

# The library puts an "always" filter of its own first; only a later one, put before the import, hides the warning.
warnings.filterwarnings("ignore", category=authlib.deprecate.AuthlibDeprecationWarning)

# gRPC would stop and restart its threads around every fork, which now and then loses a wake-up or crashes the process.
# Whoever forks here runs another program at once and never uses gRPC in between.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc  # type: ignore[import-untyped] # noqa: E402
import httpx  # noqa: E402
from weaviate import WeaviateAsyncClient  # noqa: E402
from weaviate.classes.aggregate import GroupByAggregate  # noqa: E402
from weaviate.classes.config import (  # noqa: E402
    Configure,
    DataType,
    Property,
    StopwordsPreset,
    Tokenization,
    VectorDistances,
)
from weaviate.classes.data import DataObject  # noqa: E402
from weaviate.classes.init import AdditionalConfig, Auth, GrpcConfig, Timeout  # noqa: E402
from weaviate.classes.query import BM25Operator, Filter, MetadataQuery, Sort  # noqa: E402
from weaviate.classes.tenants import Tenant  # noqa: E402
from weaviate.collections import CollectionAsync  # noqa: E402
from weaviate.connect import ConnectionParams  # noqa: E402
from weaviate.exceptions import (  # noqa: E402
    UnexpectedStatusCodeError,
    WeaviateBaseError,
    WeaviateClosedClientError,
    WeaviateConnectionError,
    WeaviateGRPCUnavailableError,
    WeaviateInsertManyAllFailedError,
    WeaviateRetryError,
    WeaviateStartUpError,
    WeaviateTimeoutError,
)

__all__ = [
    "AdditionalConfig",
    "Auth",
    "BM25Operator",
    "CollectionAsync",
    "Configure",
    "ConnectionParams",
    "DataObject",
    "DataType",
    "Filter",
    "GroupByAggregate",
    "GrpcConfig",
    "MetadataQuery",
    "Property",
    "Sort",
    "StopwordsPreset",
    "Tenant",
    "Timeout",
    "Tokenization",
    "UnexpectedStatusCodeError",
    "VectorDistances",
    "WeaviateAsyncClient",
    "WeaviateBaseError",
    "WeaviateClosedClientError",
    "WeaviateConnectionError",
    "WeaviateGRPCUnavailableError",
    "WeaviateInsertManyAllFailedError",
    "WeaviateRetryError",
    "WeaviateStartUpError",
    "WeaviateTimeoutError",
    "grpc",
    "httpx",
]

logging.getLogger("weaviate-client").setLevel(logging.CRITICAL + 1)
