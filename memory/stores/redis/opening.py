"""Which kind of connection a Redis needs."""

from dataclasses import replace

from memory.stores.redis.address import Address, Topology
from memory.stores.redis.cluster import ClusterConnection
from memory.stores.redis.connection import NODE_OF_A_CLUSTER, Connection, ConnectionSettings

AnyConnection = Connection | ClusterConnection


async def open_redis(settings: ConnectionSettings) -> AnyConnection:
    """Start a connection: to a server, by sentinels, or to a cluster, also when the URL names one of its nodes simply.

    It may not be connected yet: see `connected`. Raises SetupError for an URL that cannot be.
    """
    address = Address.parse(settings.url)
    if address.topology is not Topology.CLUSTER:
        connection = Connection(settings, address)
        await connection.start()
        if connection.last_error != NODE_OF_A_CLUSTER or address.database:
            return connection
        await connection.close()
        address = replace(address, topology=Topology.CLUSTER)
    cluster = ClusterConnection(settings, address)
    await cluster.start()
    return cluster
