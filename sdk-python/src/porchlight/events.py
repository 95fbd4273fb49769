"""Events as they happen: a stream that resumes where it broke, without a gap or a repeat."""

from __future__ import annotations

import json
import re
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, Literal, NamedTuple, Optional, Sequence, TypedDict, Union

from ._connection import Exchange
from ._repeat import Backoff
from ._sse import Message, Parser
from ._transport import Transport, with_query
from .errors import PorchlightError, error_of
from .types import PropertyItem

# Waits before the next connection, seconds; one that has lasted for _STABLE makes them short again.
_FIRST_WAIT = 0.5
_CAP = 30.0
_STABLE = 10.0


class _Event(TypedDict):
    id: str
    # Grows with every event of the ecosystem.
    sequence: int
    type: str
    createdAt: str
    ecosystemId: str
    # What happened, by its type: see the table in docs/api.md.
    data: Any


class Event(_Event, total=False):
    """An event, as a stream and a webhook tell it."""

    environmentId: str


class Happened(NamedTuple):
    """An event of the stream."""

    event: Event
    kind: Literal["event"] = "event"


class Snapshot(NamedTuple):
    """All current values, and the sequence that they stand at."""

    sequence: int
    items: List[PropertyItem]
    kind: Literal["snapshot"] = "snapshot"


class Reset(NamedTuple):
    """Events were missed that are no longer kept: what is known from before may be wrong.

    A snapshot follows if one was asked for.
    """

    kind: Literal["reset"] = "reset"


StreamItem = Union[Happened, Snapshot, Reset]


class Lost(NamedTuple):
    """A connection has ended, or could not be made: `next_try` is in seconds from now."""

    next_try: float
    cause: Optional[PorchlightError]


class EventStream:
    """Goes on until it is closed. Use it in a `with`, or close it: any thread may.

    A `for` over it raises PorchlightError when the service refuses (400, 401, 403, 404).
    """

    def __init__(
        self,
        transport: Transport,
        *,
        ecosystem_id: Optional[str],
        environment_id: Optional[str],
        types: Optional[Sequence[str]],
        snapshot: bool,
        after: Optional[int],
        silence: float,
        on_lost: Optional[Callable[[Lost], None]],
    ) -> None:
        #: Sequence after which the stream continues. Keep it to continue from there later.
        self.after = after
        self._transport = transport
        self._query = {
            "ecosystemId": ecosystem_id,
            "environmentId": environment_id,
            "types": None if types is None else ",".join(types),
        }
        self._wants_snapshot = snapshot
        self._snapshot_next = snapshot
        self._silence = silence
        self._on_lost = on_lost
        self._exchange: Optional[Exchange] = None
        self._closed = threading.Event()
        self._items = self._all()

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[StreamItem]:
        return self

    def __next__(self) -> StreamItem:
        return next(self._items)

    def close(self) -> None:
        """Ends the stream, also one that another thread waits for."""
        self._closed.set()
        exchange = self._exchange
        if exchange is not None:
            exchange.close()

    def _all(self) -> Iterator[StreamItem]:
        backoff = Backoff(_FIRST_WAIT, _CAP, _STABLE, self._transport.chance)
        while not self._closed.is_set():
            began = time.monotonic()
            cause: Optional[PorchlightError] = None
            try:
                yield from self._connection()
            except Exception as error:
                # Whoever closes it takes the connection away from under this thread.
                if self._closed.is_set():
                    return
                if not isinstance(error, PorchlightError) or not _is_passing(error):
                    raise
                error.outcome = None
                cause = error
            if self._closed.is_set():
                return
            asked = 0 if cause is None else cause.retry_after or 0
            wait = backoff.next(time.monotonic() - began, asked)
            if self._on_lost is not None:
                self._on_lost(Lost(wait, cause))
            self._closed.wait(wait)

    def _connection(self) -> Iterator[StreamItem]:
        """Items until the connection ends, or falls silent."""
        parser = Parser()
        with Exchange(self._transport.address, self._silence) as exchange:
            self._exchange = exchange
            if self._closed.is_set():
                return
            self._open(exchange)
            for chunk in exchange.chunks(self._silence):
                for message in parser.feed(chunk):
                    if self._closed.is_set():
                        return
                    position = _position_of(message)
                    item = _item_of(message)
                    if item is None:
                        self.after = self.after if position is None else position
                        continue
                    if not self._is_news(item, position):
                        continue
                    yield item
                    # The snapshot after it comes with another connection.
                    if item.kind == "reset" and self._snapshot_next:
                        return

    def _open(self, exchange: Exchange) -> None:
        headers = {**self._transport.headers(), "accept": "text/event-stream"}
        if self.after is not None:
            headers["last-event-id"] = str(self.after)
        query: Dict[str, Any] = {**self._query, "snapshot": True if self._snapshot_next else None}
        status = exchange.send("GET", with_query("/api/events", query), headers, None)
        if status != 200:
            raise error_of(status, exchange.headers, exchange.read())

    def _is_news(self, item: StreamItem, position: Optional[int]) -> bool:
        """Keeps the place of the stream. False for an event that was given before."""
        if item.kind == "event":
            sequence = item.event["sequence"]
            # What was on its way when the connection broke is given once.
            if self.after is not None and sequence <= self.after:
                return False
            self.after = sequence
        elif item.kind == "snapshot":
            # Less than the sequence of the snapshot if events before it are still to come.
            self.after = item.sequence if position is None else position
            self._snapshot_next = False
        else:
            self.after = position
            self._snapshot_next = self._wants_snapshot
        return True


def _position_of(message: Message) -> Optional[int]:
    """The sequence after which the stream continues, if the message has one."""
    text = message.id
    return int(text) if text is not None and re.fullmatch("[0-9]{1,16}", text) else None


def _item_of(message: Message) -> Optional[StreamItem]:
    """None of a position alone. Raises PorchlightError "Unreadable Answer", after which the stream goes on from the last event."""
    if message.data is None:
        return None
    if message.event == "reset":
        return Reset()
    try:
        parsed = json.loads(message.data)
        if message.event == "snapshot":
            return Snapshot(int(parsed["sequence"]), parsed["items"])
        int(parsed["sequence"])
        return Happened(parsed)
    except (ValueError, TypeError, LookupError) as error:
        raise PorchlightError("Unreadable Answer", "An event is not as the service writes them.", status=502) from error


def _is_passing(error: PorchlightError) -> bool:
    """Whether another connection may go better."""
    return error.status == 0 or error.status == 429 or error.status >= 500
