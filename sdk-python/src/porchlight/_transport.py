"""One request to the service, repeated as far as that is safe, each try within its own time."""

from __future__ import annotations

import json
import logging
import random
import re
import secrets
import ssl
import time
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional
from urllib.parse import quote, urlencode

from ._connection import Address, Exchange
from ._repeat import Backoff, Repeat, may_repeat
from .errors import PorchlightError, error_of

_log = logging.getLogger("porchlight")

# Waits between tries, seconds, unless the service asks for longer.
_FIRST_WAIT = 0.25
_CAP = 8.0
# Who is asked to wait longer than this, seconds, gets the error instead.
_LONGEST_WAIT = 30
_TOKEN = re.compile(r"[\x21-\x7e]{1,1024}")
_HEADER_VALUE = re.compile(r"[\x20-\x7e]*")


class Answer(NamedTuple):
    """An answer of the service that is no error."""

    status: int
    #: By name in lower case.
    headers: Mapping[str, str]
    #: Parsed; None when there is no body.
    body: Any


class Transport:
    """Sends requests to one service with one token. Threads may share it."""

    def __init__(
        self,
        base_url: str,
        token: Optional[str],
        *,
        timeout: float,
        retries: int,
        context: Optional[ssl.SSLContext] = None,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        # Never shown: an error of a later layer would repeat the token.
        if token is not None and not _TOKEN.fullmatch(token):
            raise ValueError("The token has characters that no token has.")
        self.address = Address(base_url, context)
        self.timeout = timeout
        self.retries = retries
        self.chance = chance
        self._sleep = sleep
        self._token = token

    def headers(self) -> Dict[str, str]:
        """What every request carries."""
        sent = {"x-api-version": "v0", "user-agent": "porchlight-python"}
        if self._token is not None:
            sent["authorization"] = f"Bearer {self._token}"
        return sent

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
        body: Any = None,
        repeat: Repeat,
        timeout: Optional[float] = None,
    ) -> Answer:
        """Raises PorchlightError when the service refuses, or cannot be asked; ValueError for what cannot be sent."""
        sent = {**self.headers(), **_given(headers or {})}
        if repeat == "keyed":
            sent.setdefault("idempotency-key", secrets.token_hex(16))
        content = None
        if body is not None:
            content = json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
            sent["content-type"] = "application/json"
        for name, value in sent.items():
            if not _HEADER_VALUE.fullmatch(value):
                raise ValueError(f"The header `{name}` has characters that no header has.")
        target = with_query(path, query or {})
        backoff = Backoff(_FIRST_WAIT, _CAP, chance=self.chance)
        limit = self.timeout if timeout is None else timeout
        tries = 0
        while True:
            tries += 1
            try:
                return self._try(method, target, sent, content, limit)
            except PorchlightError as error:
                # The answer to the first DELETE was lost, and the second finds nothing left to do.
                if tries > 1 and method == "DELETE" and error.status == 404:
                    return Answer(error.status, {}, None)
                _settle(error, repeat)
                wait = error.retry_after or 0
                if tries > self.retries or wait > _LONGEST_WAIT or not may_repeat(repeat, error):
                    raise
                pause = backoff.next(at_least=wait)
                _log.debug("%s failed (%s), the next try is in %.2f s", method, error.title, pause)
            self._sleep(pause)

    def _try(
        self, method: str, target: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float
    ) -> Answer:
        with Exchange(self.address, timeout) as exchange:
            status = exchange.send(method, target, headers, body)
            content = exchange.read()
            if not 200 <= status < 300:
                raise error_of(status, exchange.headers, content)
            return Answer(status, exchange.headers, _parsed(status, content))


def _settle(error: PorchlightError, repeat: Repeat) -> None:
    """A read has no outcome; that of a write is unknown when it is not the service that has answered."""
    if repeat == "read":
        error.outcome = None
    elif error.title == "Unreadable Answer":
        error.outcome = "unknown"


def with_query(path: str, query: Mapping[str, Any]) -> str:
    """The path with what of the query has a value."""
    pairs = {name: _text(value) for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(pairs, quote_via=quote)}" if pairs else path


def path_of(template: str, parts: tuple[str, ...]) -> str:
    """The template with each `{}` replaced by a part, encoded. Raises ValueError for an empty part."""
    # An empty part would make it the address of the collection.
    if any(part == "" for part in parts):
        raise ValueError("An ID or reference is not empty.")
    return template.format(*[quote(part, safe="") for part in parts])


def _given(headers: Mapping[str, Optional[str]]) -> Dict[str, str]:
    return {name: value for name, value in headers.items() if value is not None}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parsed(status: int, content: bytes) -> Any:
    if content == b"":
        return None
    try:
        return json.loads(content)
    except ValueError as error:
        raise PorchlightError("Unreadable Answer", "The answer is not JSON.", status=status) from error
