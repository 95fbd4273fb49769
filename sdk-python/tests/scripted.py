"""A server that says recorded bytes: each connection gets the next answer of a list."""

import socket
import threading
from typing import Callable, List, Union

# What a connection gets: bytes, after which it ends, or a function that does as it likes with the connection.
Script = Union[bytes, Callable[[socket.socket], None]]


class ScriptedServer:
    """Keeps the head and the body of each request as it came."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = list(scripts)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.requests: List[str] = []
        self._open: List[socket.socket] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> "ScriptedServer":
        return self

    def __exit__(self, *_: object) -> None:
        # `close` alone does not wake a thread that waits in `accept`.
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()
        self._thread.join()
        for connection in self._open:
            connection.close()

    def _serve(self) -> None:
        for script in self._scripts:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            try:
                self.requests.append(_request(connection))
                if callable(script):
                    self._open.append(connection)
                    script(connection)
                else:
                    connection.sendall(script)
                    connection.close()
            except OSError:
                # The client has gone.
                connection.close()


def _request(connection: socket.socket) -> str:
    received = b""
    while b"\r\n\r\n" not in received:
        received += _some(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += _some(connection)
    return (head + b"\r\n\r\n" + body).decode()


def _some(connection: socket.socket) -> bytes:
    received = connection.recv(65536)
    if received == b"":
        raise ConnectionError("It has ended before its request.")
    return received


def answer(status: int, body: str = "", *headers: str) -> bytes:
    """A whole answer."""
    content = body.encode()
    lines = [f"HTTP/1.1 {status} X", f"content-length: {len(content)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def problem(status: int, title: str, more: str = "", *headers: str) -> bytes:
    """An error of the service. `more` are fields of it, as JSON."""
    body = f'{{"type": "/docs/errors/x", "title": "{title}", "status": {status}, "detail": "Why."{more}}}'
    return answer(status, body, "content-type: application/problem+json; charset=utf-8", *headers)


def stream(*texts: str) -> bytes:
    """The beginning of a stream, in chunks."""
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    chunks = [text.encode() for text in texts]
    return head + b"".join(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n" for chunk in chunks)
