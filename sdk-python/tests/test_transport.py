"""Requests over real connections that break, stall and refuse."""

import json
import logging
import socket
import unittest
from typing import Any, List

from porchlight import Porchlight, PorchlightError
from porchlight._transport import Transport
from scripted import Script, ScriptedServer, answer, problem

TOKEN = "plt_usr_secret"
OFFLINE = ', "outcome": "not_sent", "retryable": true'


def key_of(request: str) -> str:
    return next(line[17:] for line in request.split("\r\n") if line.lower().startswith("idempotency-key:"))


class Requests(unittest.TestCase):
    def setUp(self) -> None:
        self.waits: List[float] = []

    def client(self, server: ScriptedServer, retries: int = 3) -> Porchlight:
        client = Porchlight(server.url, TOKEN, timeout=20, retries=retries)
        sleeps: Any = {"sleep": self.waits.append, "chance": lambda: 0.0}
        client._transport = Transport(server.url, TOKEN, timeout=20, retries=retries, **sleeps)
        return client

    def failure(self, server: ScriptedServer, call: str = "get_device", *arguments: Any) -> PorchlightError:
        with self.assertRaises(PorchlightError) as caught:
            getattr(self.client(server), call)(*(arguments or ("dev_1",)))
        return caught.exception

    def test_a_request_carries_the_token_and_the_encoded_path_and_query(self) -> None:
        with ScriptedServer(answer(200, '{"items": []}')) as server:
            self.client(server).get_device_properties("env_1;küche/1", "Switch.on", refresh=True, wait=5)
            lines = server.requests[0].split("\r\n")
        self.assertEqual(lines[0], "GET /api/devices/env_1%3Bk%C3%BCche%2F1/services/Switch.on?refresh=true HTTP/1.1")
        self.assertIn(f"authorization: Bearer {TOKEN}", lines)
        self.assertIn("prefer: wait=5", lines)

    def test_interim_responses_are_skipped(self) -> None:
        interim = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"
        with ScriptedServer(interim + interim + answer(200, '{"value": 1}'), *[interim] * 4) as server:
            self.assertEqual(self.client(server).get_device("dev_1"), {"value": 1})
            self.assertEqual(self.failure(server).title, "Connection Failed")

    def test_a_write_keeps_its_idempotency_key_over_its_repeats(self) -> None:
        refused: List[Script] = [
            b"",
            problem(503, "Hub Offline", OFFLINE, "retry-after: 7"),
            problem(429, "Rate Limit Exceeded"),
        ]
        with ScriptedServer(*refused, answer(200, '{"value": 120}')) as server:
            item = self.client(server).set_device_properties("dev_1", "LightColor.hue", {"value": 120})
            keys = [key_of(request) for request in server.requests]
            bodies = [request.split("\r\n\r\n")[1] for request in server.requests]
        self.assertEqual(item["value"], 120)
        self.assertEqual(keys, [keys[0]] * 4)
        self.assertEqual(bodies, ['{"value":120}'] * 4)
        self.assertEqual(self.waits, [0, 7, 0])

    def test_two_writes_have_two_keys_and_a_given_key_is_sent(self) -> None:
        with ScriptedServer(*[answer(200, "{}")] * 3) as server:
            client = self.client(server)
            client.set_device_properties("dev_1", "Switch.on", {"value": True})
            client.set_device_properties("dev_1", "Switch.on", {"value": True})
            client.set_device_properties("dev_1", "Switch.on", {"value": True}, idempotency_key="mine")
            keys = [key_of(request) for request in server.requests]
        self.assertNotEqual(keys[0], keys[1])
        self.assertEqual(keys[2], "mine")

    def test_an_error_tells_all_that_the_service_said(self) -> None:
        more = ', "outcome": "unknown", "retryable": true'
        headers = ["x-request-id: req_1", "x-command-id: cmd_1", "retry-after: 2"]
        with ScriptedServer(problem(504, "Hub Timeout", more, *headers)) as server:
            error = self.failure(server, "set_device_properties", "dev_1", "Switch.on", {"value": True})
        told = (error.title, error.detail, error.status, error.outcome, error.retryable)
        self.assertEqual(told, ("Hub Timeout", "Why.", 504, "unknown", True))
        self.assertEqual((error.request_id, error.command_id, error.retry_after), ("req_1", "cmd_1", 2))
        self.assertEqual(str(error), "Hub Timeout: Why.")
        self.assertEqual(self.waits, [], "a write of which nothing is known was repeated")

    def test_it_gives_up_after_its_retries_and_says_the_last_error(self) -> None:
        with ScriptedServer(*[problem(503, "Service Unavailable", ', "retryable": true')] * 4) as server:
            self.assertEqual(self.failure(server).title, "Service Unavailable")
            self.assertEqual(len(server.requests), 4)

    def test_who_is_asked_to_wait_for_long_gets_the_error_at_once(self) -> None:
        with ScriptedServer(problem(429, "Rate Limit Exceeded", "", "retry-after: 31")) as server:
            self.assertEqual(self.failure(server).retry_after, 31)
        self.assertEqual(self.waits, [])

    def test_what_may_happen_twice_is_not_repeated_and_its_outcome_is_unknown(self) -> None:
        with ScriptedServer(b"") as server:
            error = self.failure(server, "login_account", {"email": "a@example.com", "password": "x"})
        self.assertEqual((error.title, error.outcome), ("Connection Failed", "unknown"))
        with ScriptedServer(b"", answer(200)) as server:
            with self.assertRaises(PorchlightError):
                self.client(server).update_device("dev_1", {"alias": "lamp"}, if_match='"1"')
            self.assertEqual(len(server.requests), 1)
        with ScriptedServer(b"", answer(200)) as server:
            self.client(server).update_device("dev_1", {"alias": "lamp"})
            self.assertEqual(len(server.requests), 2)

    def test_where_nobody_listens_nothing_was_sent(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as closed:
            url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with self.assertRaises(PorchlightError) as caught:
            Porchlight(url, TOKEN, retries=0).create_zone({"environmentId": "env_1"})
        self.assertEqual((caught.exception.title, caught.exception.outcome), ("Connection Failed", "not_sent"))

    def test_a_deletion_whose_answer_was_lost_has_succeeded(self) -> None:
        with ScriptedServer(b"", problem(404, "Device Not Found")) as server:
            self.client(server).delete_device("dev_1")
        with ScriptedServer(problem(404, "Device Not Found")) as server:
            self.assertEqual(self.failure(server, "delete_device").title, "Device Not Found")

    def test_an_answer_that_is_cut_is_no_answer(self) -> None:
        cut = answer(200, '{"id": "dev_1"}')[:-4]
        with ScriptedServer(cut, answer(200, '{"id": "dev_1"}')) as server:
            self.assertEqual(self.client(server).get_device("dev_1"), {"id": "dev_1"})
            self.assertEqual(len(server.requests), 2)

    def test_a_server_in_between_that_answers_is_named(self) -> None:
        with ScriptedServer(answer(200, "<html>Hello</html>")) as server:
            self.assertEqual(self.failure(server).title, "Unreadable Answer")
        with ScriptedServer(answer(302, "", "location: http://elsewhere.example/")) as server:
            error = self.failure(server)
        self.assertEqual((error.title, error.status), ("Unreadable Answer", 302))

    def test_a_service_that_does_not_answer_is_given_up_in_time(self) -> None:
        hold: Script = lambda connection: None
        drip: Script = lambda connection: connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1")
        for script in (hold, drip):
            with ScriptedServer(script) as server, self.assertRaises(PorchlightError) as caught:
                Porchlight(server.url, TOKEN, timeout=0.2, retries=0).set_device_properties(
                    "dev_1", "Switch.on", {"value": True}, timeout=0.2
                )
            self.assertEqual((caught.exception.title, caught.exception.outcome), ("Timed Out", "unknown"))

    def test_pages_are_fetched_as_they_are_wanted(self) -> None:
        first = answer(200, '{"items": [{"id": "dev_1"}], "continuationToken": "a b"}')
        with ScriptedServer(first, answer(200, '{"items": [{"id": "dev_2"}]}')) as server:
            devices = iter(self.client(server).list_devices(environment_id="env_1", page_size=1))
            self.assertEqual(next(devices)["id"], "dev_1")
            self.assertEqual(len(server.requests), 1)
            self.assertEqual([device["id"] for device in devices], ["dev_2"])
            target = server.requests[1].split(" ")[1]
        self.assertEqual(target, "/api/devices?pageSize=1&environmentId=env_1&continuationToken=a%20b")

    def test_the_token_is_in_no_text_and_no_log(self) -> None:
        with self.assertLogs("porchlight", logging.DEBUG) as logs:
            with ScriptedServer(b"", problem(429, "Rate Limit Exceeded", "", "retry-after: 60")) as server:
                client = self.client(server)
                with self.assertRaises(PorchlightError) as caught:
                    client.get_device("dev_1")
        error = caught.exception
        texts = [
            repr(client),
            str(client),
            repr(client._transport),
            str(error),
            repr(error),
            repr(vars(error)),
            *logs.output,
        ]
        self.assertNotIn(TOKEN, json.dumps(texts))
        self.assertEqual(len(logs.output), 1)

    def test_what_cannot_be_sent_is_refused_before_anything_is(self) -> None:
        for token in ("", "a b", "a\r\nb", "ä"):
            with self.subTest(token), self.assertRaises(ValueError) as caught:
                Porchlight("http://127.0.0.1:1", token)
            self.assertNotIn(repr(token), str(caught.exception))
        for url in (
            "127.0.0.1:8080",
            "ftp://porch.example",
            "https://",
            "https://me:x@porch.example",
            "https://x.example?a",
        ):
            with self.subTest(url), self.assertRaises(ValueError):
                Porchlight(url)
        client = Porchlight("http://127.0.0.1:1", retries=0)
        with self.assertRaises(ValueError):
            client.get_device("")
        with self.assertRaises(ValueError):
            client.set_device_properties("dev_1", "Level.level", {"value": float("nan")})
        with self.assertRaises(ValueError):
            client.create_zone({"environmentId": "env_1"}, idempotency_key="a\nb")
