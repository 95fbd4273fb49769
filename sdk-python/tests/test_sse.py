"""Server-sent events out of recorded bytes, however they are cut."""

import unittest
from typing import List

from porchlight._sse import Message, Parser

RECORDED = (
    '\ufeffid: 1\nevent: property.changed\ndata: {"room": "Küche\u2028"}\n\n'
    ": nothing has happened\nid: 2\n\n"
    "id: \0\n\n"
    "event: reset\r\ndata:\r\n\r\n"
    "data: two\rdata: lines\r\r"
    "event: no data\n\n"
    "unknown: field\ndata:  kept space\n\n"
).encode()
MESSAGES = [
    Message("property.changed", '{"room": "Küche\u2028"}', "1"),
    Message("message", None, "2"),
    Message("reset", ""),
    Message("message", "two\nlines"),
    Message("message", " kept space"),
]


def parsed(*chunks: bytes) -> List[Message]:
    parser = Parser()
    return [message for chunk in chunks for message in parser.feed(chunk)]


class Streams(unittest.TestCase):
    def test_messages_are_the_same_wherever_their_bytes_are_cut(self) -> None:
        self.assertEqual(parsed(RECORDED), MESSAGES)
        for size in (1, 2, 3, 7):
            chunks = [RECORDED[at : at + size] for at in range(0, len(RECORDED), size)]
            self.assertEqual(parsed(*chunks), MESSAGES, f"in chunks of {size}")
        for at in range(len(RECORDED)):
            self.assertEqual(parsed(RECORDED[:at], b"", RECORDED[at:]), MESSAGES, f"cut at {at}")

    def test_a_message_without_its_end_is_none(self) -> None:
        self.assertEqual(parsed(b"data: begun\n"), [])
        self.assertEqual(parsed(b"data: begun"), [])

    def test_bytes_that_are_no_text_do_not_end_the_stream(self) -> None:
        self.assertEqual(parsed(b"data: \xff\n\n"), [Message("message", "\ufffd")])
