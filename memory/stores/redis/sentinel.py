"""Sentinels know which server is the primary."""

from typing import Final

from memory.errors import StoreUnavailable
from memory.stores.redis.address import Address, Host
from memory.stores.redis.wire import ask_once, greeting

_PATIENCE: Final = 4
"""A sentinel may take this part of the deadline, so that there is time for the next one and the primary."""


class Sentinels:
    """Those of one address. The one that answered last is asked first."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._hosts = list(address.hosts)

    async def primary(self, deadline_s: float) -> Host:
        """Ask them in turn. Raises StoreUnavailable when none knows it."""
        address, troubles = self._address, []
        question = ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", address.service)
        commands = [*greeting(address.sentinel_username, address.sentinel_password), question]
        for host in list(self._hosts):
            try:
                reply = await ask_once(host, address.tls, commands, deadline_s / _PATIENCE)
            except StoreUnavailable as error:
                troubles.append(error.detail)
                continue
            if reply is None:
                troubles.append(f"{host} watches no service {address.service}")
                continue
            self._hosts.remove(host)
            self._hosts.insert(0, host)
            return Host(reply[0].decode(), int(reply[1]))
        raise StoreUnavailable(f"no sentinel names the primary of {address.service}: {'; '.join(troubles)}")
