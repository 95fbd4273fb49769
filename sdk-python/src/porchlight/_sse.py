"""Server-sent events: from the bytes of a stream to its messages. Bytes may be cut anywhere."""

from __future__ import annotations

import codecs
import re
from typing import List, NamedTuple, Optional

# Python's own idea of lines knows ends that a stream does not have.
_LINE_END = re.compile(r"\r\n|\n|\r")


class Message(NamedTuple):
    """One message of a stream."""

    event: str
    # None: the message has only an `id`.
    data: Optional[str]
    id: Optional[str] = None


class Parser:
    """Feed it bytes as they come; it gives the messages that they complete."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        # The line that has not ended yet, in the pieces that came: a snapshot is one long line.
        self._begun: List[str] = []
        self._after_cr = False
        self._event = ""
        self._data: List[str] = []
        self._id: Optional[str] = None

    def feed(self, chunk: bytes) -> List[Message]:
        """The messages that end in this chunk."""
        text = self._decoder.decode(chunk)
        if text == "":
            return []
        # The second half of a CRLF, whose first half has ended the line.
        rest = text[1:] if self._after_cr and text[0] == "\n" else text
        self._after_cr = text[-1] == "\r"
        first, *others = _LINE_END.split(rest)
        self._begun.append(first)
        messages: List[Message] = []
        for other in others:
            messages.extend(self._line("".join(self._begun)))
            self._begun = [other]
        return messages

    def _line(self, line: str) -> List[Message]:
        if line == "":
            return self._dispatch()
        self._field(line)
        return []

    def _field(self, line: str) -> None:
        # What begins with a colon is a comment: it says that the service is there.
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value

    def _dispatch(self) -> List[Message]:
        event, data, event_id = self._event, self._data, self._id
        self._event, self._data, self._id = "", [], None
        if not data and event_id is None:
            return []
        return [Message(event or "message", "\n".join(data) if data else None, event_id)]
