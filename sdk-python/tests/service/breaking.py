"""A line to the service that breaks when it is told to."""

import socket
import threading
from typing import List
from urllib.parse import urlsplit


class BreakingLine:
    """Carries bytes between clients and the service. `lose_answers` first connections end when their answer begins."""

    def __init__(self, url: str, lose_answers: int = 0) -> None:
        parts = urlsplit(url)
        self._service = (parts.hostname or "", parts.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lose = lose_answers
        self._lock = threading.Lock()
        self._open: List[socket.socket] = []
        self.connections = 0
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> "BreakingLine":
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Ends every connection that there is, at both ends."""
        with self._lock:
            for each in self._open:
                _end(each)
            self._open.clear()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            service = socket.create_connection(self._service)
            with self._lock:
                self.connections += 1
                loses = self.connections <= self._lose
                self._open += [client, service]
            threading.Thread(target=_carry, args=(client, service, False), daemon=True).start()
            threading.Thread(target=_carry, args=(service, client, loses), daemon=True).start()


def _carry(start: socket.socket, end: socket.socket, loses: bool) -> None:
    try:
        while True:
            received = start.recv(65536)
            if received == b"" or loses:
                break
            end.sendall(received)
    except OSError:
        # The other end, or a test, has ended it.
        pass
    _end(start)
    _end(end)


def _end(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        # It has ended already.
        pass
    connection.close()
