"""The client: one object for one service and one token."""

from __future__ import annotations

import ssl
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence

from ._connection import Exchange
from ._operations import Operations
from ._repeat import Repeat
from ._transport import Answer, Transport
from .errors import PorchlightError, error_of
from .events import EventStream, Lost


class Porchlight(Operations):
    """Calls of the API, one for each operation of its OpenAPI document; each raises PorchlightError.

    Threads may share it. It opens a connection for each call, and keeps none.
    """

    def __init__(
        self,
        base_url: str,
        token: Optional[str] = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """Raises ValueError for an address or a token that cannot be one.

        - `base_url`: the service's address, without `/api`.
        - `token`: of any kind; without one only what needs none can be called.
        - `timeout`: seconds that one try may take. Calls that wait for devices get longer.
        - `retries`: how often a request is repeated at most, where that is safe.
        - `context`: for TLS with an authority of your own; Python's default when left out.
        """
        super().__init__(Transport(base_url, token, timeout=timeout, retries=retries, context=context))

    def __repr__(self) -> str:
        # Without the token.
        return f"Porchlight({self._transport.address.base_url!r})"

    def events(
        self,
        *,
        ecosystem_id: Optional[str] = None,
        environment_id: Optional[str] = None,
        types: Optional[Sequence[str]] = None,
        snapshot: bool = False,
        after: Optional[int] = None,
        silence: float = 20.0,
        on_lost: Optional[Callable[[Lost], None]] = None,
    ) -> EventStream:
        """Events as they happen. A broken connection resumes without a gap or a repeat.

        `GET /api/events`

        - `types`: types, or `prefix.*`; all when left out.
        - `snapshot`: begin with all current values, and begin so again after a reset.
        - `after`: sequence of the last event that was seen; from now on when left out.
        - `silence`: after so many seconds without a byte the connection is taken for dead; the service sends some
          every 5 seconds.
        - `on_lost`: called whenever a connection has ended and another is waited for.
        """
        return EventStream(
            self._transport,
            ecosystem_id=ecosystem_id,
            environment_id=environment_id,
            types=types,
            snapshot=snapshot,
            after=after,
            silence=silence,
            on_lost=on_lost,
        )

    def download_account_export(self, *, silence: float = 30.0) -> Iterator[bytes]:
        """The archive of the last export of the account, a zip file, part by part as it comes.

        `GET /api/account/export/archive`

        Raises PorchlightError: "Export Not Found" when none is ready, "Connection Failed" when it has broken off.

        - `silence`: after so many seconds without a byte the connection is taken for dead.
        """
        path = "/api/account/export/archive"
        with Exchange(self._transport.address, silence) as exchange:
            status = exchange.send("GET", path, self._transport.headers(), None)
            if status != 200:
                raise error_of(status, exchange.headers, exchange.read())
            missing = int(exchange.headers.get("content-length", "0"))
            for part in exchange.chunks(silence):
                missing -= len(part)
                yield part
            if missing > 0:
                raise PorchlightError("Connection Failed", f"The connection broke {missing} bytes before the end.")

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
        body: Any = None,
        repeat: Repeat = "once",
        timeout: Optional[float] = None,
    ) -> Answer:
        """Any request, for what the methods do not give: headers of an answer, or a route of a newer service.

        - `path`: from `/api` on, encoded.
        - `repeat`: what a repeat can do: "read" and "replace" nothing, "keyed" nothing under its idempotency key,
          "once" may happen twice.
        """
        return self._transport.send(
            method, path, query=query, headers=headers, body=body, repeat=repeat, timeout=timeout
        )
