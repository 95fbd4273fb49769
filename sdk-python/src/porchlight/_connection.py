"""One connection to the service: the request goes out, and the answer comes in within its time."""

from __future__ import annotations

import contextlib
import http
import http.client
import socket
import ssl
import time
from typing import Dict, Iterator, Mapping, Optional
from urllib.parse import urlsplit

from .errors import Outcome, PorchlightError

_CHUNK = 64 * 1024


class _FinalResponse(http.client.HTTPResponse):
    """An answer without the interim ones before it: `http.client` skips 100 only."""

    def begin(self) -> None:
        """Reads the head of the final answer."""
        super().begin()
        while 100 <= self.status < 200 and self.status != http.HTTPStatus.SWITCHING_PROTOCOLS:
            # What says that the head has been read.
            self.headers = self.msg = None  # type: ignore[assignment]
            super().begin()


class Address:
    """Where the service is. Raises ValueError for what is no address of a service."""

    def __init__(self, base_url: str, context: Optional[ssl.SSLContext]) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("The address of the service begins with https:// or http://, and has a host.")
        # What stands there would be sent nowhere, or show up in logs.
        if parts.username is not None or parts.query or parts.fragment:
            raise ValueError("The address of the service has no user, no query and no fragment.")
        self.base_url = base_url.rstrip("/")
        self._prefix = parts.path.rstrip("/")
        self._host = parts.hostname
        self._port = parts.port
        self._context = (context or ssl.create_default_context()) if parts.scheme == "https" else None

    def open(self, timeout: float) -> http.client.HTTPConnection:
        """A connection that has not connected yet."""
        connection = (
            http.client.HTTPConnection(self._host, self._port, timeout=timeout)
            if self._context is None
            else http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context)
        )
        connection.response_class = _FinalResponse
        return connection

    def target(self, path: str) -> str:
        """What the request line names."""
        return f"{self._prefix}{path}"


class Exchange:
    """One request and its answer, on a connection of its own. Use it in a `with`."""

    def __init__(self, address: Address, timeout: float) -> None:
        self._address = address
        self._ends = time.monotonic() + timeout
        self._connection = address.open(timeout)
        self._socket: Optional[socket.socket] = None
        self._response: Optional[http.client.HTTPResponse] = None
        self._closed = False

    def __enter__(self) -> Exchange:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, method: str, path: str, headers: Mapping[str, str], body: Optional[bytes]) -> int:
        """Sends the request and waits for the head of the answer. Gives its status. Raises PorchlightError."""
        # Until it is connected nothing has been sent.
        with _named_failures("not_sent"):
            self._connection.connect()
        with _named_failures("unknown"):
            # An answer that says `connection: close` takes the socket away from the connection.
            self._socket = self._connection.sock
            if self._closed:
                self.close()
            self._limit()
            self._connection.request(method, self._address.target(path), body, dict(headers))
            self._limit()
            self._response = self._connection.getresponse()
            return self._response.status

    @property
    def headers(self) -> Dict[str, str]:
        """Headers of the answer, by name in lower case."""
        return {} if self._response is None else {name.lower(): value for name, value in self._response.getheaders()}

    def read(self) -> bytes:
        """The whole body, within the time of the exchange. Raises PorchlightError."""
        parts = []
        with _named_failures("unknown"):
            response = self._response
            while response is not None:
                self._limit()
                part = response.read1(_CHUNK)
                if part == b"":
                    # The end that was promised, or the end of the connection before it.
                    if response.length:
                        raise http.client.IncompleteRead(part, response.length)
                    break
                parts.append(part)
        return b"".join(parts)

    def chunks(self, silence: float) -> Iterator[bytes]:
        """The body as it comes, until it ends. Raises PorchlightError when nothing comes for `silence` seconds."""
        with _named_failures("unknown"):
            response = self._response
            while response is not None and self._socket is not None:
                self._socket.settimeout(silence)
                part = response.read1(_CHUNK)
                if part == b"":
                    return
                yield part

    def close(self) -> None:
        """Ends it, from any thread, also while another waits for bytes. May be called twice."""
        self._closed = True
        if self._socket is not None:
            try:
                # Wakes a thread that waits in `recv`; `close` alone does not.
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                # It is not connected any more.
                pass
        if self._response is not None:
            self._response.close()
        self._connection.close()

    def _limit(self) -> None:
        """What is left of the time is the longest that the next step may take."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise socket.timeout()
        if self._socket is not None:
            self._socket.settimeout(left)


@contextlib.contextmanager
def _named_failures(outcome: Outcome) -> Iterator[None]:
    """Gives what can go wrong on the way its name of PorchlightError, and what a write that meets it has come to."""
    try:
        yield
    except socket.timeout as error:
        raise PorchlightError("Timed Out", "The service did not answer in time.", outcome=outcome) from error
    except (OSError, http.client.HTTPException) as error:
        reason = f"The service could not be reached, or the connection broke: {error or type(error).__name__}."
        raise PorchlightError("Connection Failed", reason, outcome=outcome) from error
