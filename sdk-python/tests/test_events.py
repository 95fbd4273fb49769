"""An event stream over connections that break, fall silent and are refused."""

import json
import socket
import threading
import unittest
from types import SimpleNamespace
from typing import Any, List

from porchlight import EventStream, Happened, Lost, Porchlight, PorchlightError, Reset, Snapshot
from porchlight._connection import Address, Exchange
from porchlight._transport import Transport
from scripted import Script, ScriptedServer, answer, problem, stream


def event(sequence: int) -> str:
    data = json.dumps({"sequence": sequence, "type": "zone.created", "data": "Küche"})
    return f"id: {sequence}\nevent: zone.created\ndata: {data}\n\n"


SNAPSHOT = 'event: snapshot\ndata: {"sequence": 5, "items": []}\n\n'
RESET = "event: reset\ndata: {}\n\n"


def brief(item: Any) -> Any:
    return item.event["sequence"] if isinstance(item, Happened) else item


class Streams(unittest.TestCase):
    def setUp(self) -> None:
        self.lost: List[Lost] = []

    def open(self, server: ScriptedServer, **options: Any) -> EventStream:
        client = Porchlight(server.url, "plt_usr_secret")
        # No waits between connections.
        client._transport = Transport(server.url, "plt_usr_secret", timeout=20, retries=3, chance=lambda: 0.0)
        return client.events(on_lost=self.lost.append, **options)

    def taken(self, stream: EventStream, count: int) -> List[Any]:
        with stream:
            return [brief(next(stream)) for _ in range(count)]

    def last_ids(self, server: ScriptedServer) -> List[str]:
        lines = [line for request in server.requests for line in [*request.split("\r\n"), "GET"]]
        found: List[str] = []
        for line in lines:
            if line.lower().startswith("last-event-id:"):
                found.append(line[15:])
        return found

    def test_a_stream_that_breaks_goes_on_after_its_last_event_without_a_repeat(self) -> None:
        cut = stream(event(1), event(2))[:-40]
        with ScriptedServer(cut, stream(event(1), event(2)), stream(event(3))) as server:
            self.assertEqual(self.taken(self.open(server), 3), [1, 2, 3])
            self.assertEqual(self.last_ids(server), ["1", "2"])
        self.assertEqual([lost.cause and lost.cause.title for lost in self.lost], ["Connection Failed"] * 2)

    def test_it_begins_where_it_is_told_to(self) -> None:
        with ScriptedServer(stream(event(7), event(8))) as server:
            events = self.open(server, after=7, environment_id="env_1", types=["zone.*", "hub.online"])
            self.assertEqual(self.taken(events, 1), [8])
            self.assertEqual(events.after, 8)
            target = server.requests[0].split(" ")[1]
        self.assertEqual(target, "/api/events?environmentId=env_1&types=zone.%2A%2Chub.online")

    def test_a_snapshot_comes_first_and_its_sequence_is_the_place_of_the_stream(self) -> None:
        with ScriptedServer(stream(SNAPSHOT, event(5)), stream(event(5), event(6))) as server:
            self.assertEqual(self.taken(self.open(server, snapshot=True), 2), [Snapshot(5, []), 6])
            self.assertIn("snapshot=true", server.requests[0])
            self.assertNotIn("snapshot", server.requests[1].split(" ")[1])
            self.assertEqual(self.last_ids(server), ["5"])

    def test_after_a_reset_a_snapshot_comes_again_where_one_was_asked_for(self) -> None:
        with ScriptedServer(stream(SNAPSHOT, RESET), stream(SNAPSHOT)) as server:
            events = self.open(server, snapshot=True)
            self.assertEqual(self.taken(events, 3), [Snapshot(5, []), Reset(), Snapshot(5, [])])
            self.assertEqual(["snapshot=true" in request for request in server.requests], [True, True])
            self.assertEqual(self.last_ids(server), [])
        with ScriptedServer(stream(RESET, event(3))) as server:
            self.assertEqual(self.taken(self.open(server, after=9), 2), [Reset(), 3])

    def test_a_connection_that_breaks_before_its_first_event_resumes_where_the_stream_began(self) -> None:
        with ScriptedServer(stream(": here\nid: 0\n\n"), stream("id: 4\n\n"), stream(event(5))) as server:
            self.assertEqual(self.taken(self.open(server, types=["zone.*"]), 1), [5])
            self.assertEqual(self.last_ids(server), ["0", "4"])

    def test_a_connection_that_breaks_after_a_reset_resumes_after_the_reset(self) -> None:
        reset = "id: 90\n" + RESET
        with ScriptedServer(stream(": here\n\n", reset), stream(event(91))) as server:
            self.assertEqual(self.taken(self.open(server, after=5), 2), [Reset(), 91])
            self.assertEqual(self.last_ids(server), ["5", "90"])
        with ScriptedServer(stream(reset), stream("id: 3\n" + SNAPSHOT, event(4)), stream(event(5))) as server:
            events = self.open(server, after=1, snapshot=True)
            self.assertEqual(self.taken(events, 4), [Reset(), Snapshot(5, []), 4, 5])
            self.assertEqual(["snapshot=true" in request for request in server.requests], [True, True, False])
            self.assertEqual(self.last_ids(server), ["1", "90", "4"])

    def test_a_stream_that_falls_silent_is_taken_for_dead(self) -> None:
        def answers(connection: socket.socket) -> None:
            is_back = "last-event-id: 1" in server.requests[-1]
            connection.sendall(stream(event(2)) if is_back else stream(event(1)))

        # On a slow machine it may fall silent before it has said anything, and is asked again.
        with ScriptedServer(*[answers] * 50) as server:
            events = self.open(server, silence=0.2)
            self.assertEqual(self.taken(events, 2), [1, 2])
        causes = {(lost.cause.title, lost.cause.outcome) for lost in self.lost if lost.cause}
        self.assertEqual(causes, {("Timed Out", None)})

    def test_each_chunk_has_the_whole_time_of_a_silence_again(self) -> None:
        limits: List[float] = []
        chunks = [b": here\n\n", b": here\n\n", b""]
        exchange: Any = Exchange(Address("http://127.0.0.1:1", None), 1)
        exchange._socket = SimpleNamespace(settimeout=limits.append)
        exchange._response = SimpleNamespace(read1=lambda _: chunks.pop(0))
        self.assertEqual(list(exchange.chunks(20)), [b": here\n\n"] * 2)
        self.assertEqual(limits, [20, 20, 20])

    def test_what_passes_is_waited_for_and_what_is_refused_is_told(self) -> None:
        passing = [
            answer(502, "<html>"),
            problem(503, "Service Unavailable"),
            stream("data: {\n\n"),
            stream("data: 1\n\n"),
        ]
        with ScriptedServer(*passing, stream(event(1))) as server:
            self.assertEqual(self.taken(self.open(server), 1), [1])
        titles = [lost.cause and lost.cause.title for lost in self.lost]
        self.assertEqual(titles, ["Unreadable Answer", "Service Unavailable", "Unreadable Answer", "Unreadable Answer"])
        for refusal in (problem(401, "Token Expired"), problem(400, "Environment Invalid")):
            with ScriptedServer(refusal) as server, self.assertRaises(PorchlightError):
                next(self.open(server))

    def test_it_waits_as_long_as_the_service_asks(self) -> None:
        with ScriptedServer(problem(429, "Rate Limit Exceeded", "", "retry-after: 1"), stream(event(1))) as server:
            self.assertEqual(self.taken(self.open(server), 1), [1])
        self.assertEqual([lost.next_try for lost in self.lost], [1])

    def closed_by_another_thread(self, script: Script) -> List[Any]:
        """Items of a stream that is closed when it waits, for an event or for its next connection."""
        items: List[Any] = []
        waits = threading.Event()
        with ScriptedServer(script) as server:
            events = Porchlight(server.url).events(silence=1000, on_lost=lambda _: waits.set())

            def read() -> None:
                for item in events:
                    items.append(brief(item))
                    waits.set()

            reader = threading.Thread(target=read)
            reader.start()
            self.assertTrue(waits.wait(60))
            events.close()
            reader.join(60)
            self.assertFalse(reader.is_alive())
            events.close()
            self.assertEqual(list(events), [])
        return items

    def test_another_thread_ends_it_while_it_waits(self) -> None:
        self.assertEqual(self.closed_by_another_thread(lambda connection: connection.sendall(stream(event(1)))), [1])
        refusal = problem(429, "Rate Limit Exceeded", "", "retry-after: 1000")
        self.assertEqual(self.closed_by_another_thread(refusal), [])
