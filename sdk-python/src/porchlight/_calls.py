"""What the generated methods are made of: a call, pages of a collection, and an object with its etag."""

from __future__ import annotations

from typing import Any, Dict, Generic, Iterator, List, Mapping, Optional, TypeVar

from ._repeat import Repeat
from ._transport import Answer, Transport, path_of

T = TypeVar("T")

# Devices get so long, seconds, when the call does not say.
_DEVICES = 10
# An answer on its way gets so much longer than the devices, seconds.
_ON_THE_WAY = 5.0


class Tagged(Generic[T]):
    """An object as it was read, and its `etag` for the `if_match` of a change."""

    def __init__(self, value: T, etag: Optional[str]) -> None:
        self.value = value
        self.etag = etag


class Page(Generic[T]):
    """One page of a collection."""

    def __init__(self, items: List[T], continuation_token: Optional[str]) -> None:
        self.items = items
        #: For the next page; None on the last one.
        self.continuation_token = continuation_token


class Pages(Generic[T]):
    """A collection. A `for` goes through all items, and fetches the pages as they are wanted."""

    def __init__(self, transport: Transport, path: str, query: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        self._transport = transport
        self._path = path
        self._query = query
        self._options = options

    def page(self, continuation_token: Optional[str] = None) -> Page[T]:
        """One page: the first, or the one that a token of the page before stands for."""
        query = {**self._query, "continuationToken": continuation_token}
        body = self._transport.send("GET", self._path, query=query, repeat="read", **self._options).body
        return Page(body["items"], body.get("continuationToken"))

    def pages(self) -> Iterator[Page[T]]:
        """Page after page."""
        token: Optional[str] = None
        while True:
            page = self.page(token)
            yield page
            token = page.continuation_token
            if token is None:
                return

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items

    def all(self) -> List[T]:
        """All items at once: for collections that are known to be small."""
        return list(self)


class Calls:
    """Calls over one transport."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _call(self, method: str, template: str, parts: tuple[str, ...], **options: Any) -> Any:
        return self._answer(method, template, parts, **options).body

    def _tagged(self, method: str, template: str, parts: tuple[str, ...], **options: Any) -> Tagged[Any]:
        answer = self._answer(method, template, parts, **options)
        return Tagged(answer.body, answer.headers.get("etag"))

    def _pages(
        self,
        template: str,
        parts: tuple[str, ...],
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
        timeout: Optional[float] = None,
    ) -> Pages[Any]:
        options = {"headers": headers, "timeout": timeout}
        return Pages(self._transport, path_of(template, parts), query or {}, options)

    def _answer(
        self,
        method: str,
        template: str,
        parts: tuple[str, ...],
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
        body: Any = None,
        repeat: Repeat,
        wait: Optional[int] = None,
        patient: bool = False,
        no_wait: bool = False,
        timeout: Optional[float] = None,
    ) -> Answer:
        sent: Dict[str, Optional[str]] = dict(headers or {})
        if no_wait:
            sent["prefer"] = "respond-async"
        elif wait is not None:
            sent["prefer"] = f"wait={wait:d}"
        # What it was to match may be what the first try has changed.
        if sent.get("if-match") is not None:
            repeat = "once"
        if timeout is None and patient:
            # A try takes no shorter than the devices may.
            timeout = max(self._transport.timeout, (_DEVICES if wait is None else wait) + _ON_THE_WAY)
        path = path_of(template, parts)
        return self._transport.send(method, path, query=query, headers=sent, body=body, repeat=repeat, timeout=timeout)
