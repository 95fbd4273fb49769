"""The client against the running service. `test/contracts/sdk-python.test.ts` starts one and says where it is."""

import http.server
import io
import json
import os
import pathlib
import threading
import unittest
import uuid
import zipfile
from typing import Any, Dict, List, Optional, Tuple

from breaking import BreakingLine
from porchlight import Happened, Porchlight, PorchlightError, Snapshot, WebhookSignatureError, ref, verify_webhook
from porchlight._transport import Answer, Transport

URL = os.environ["PORCHLIGHT_API_URL"]
ENVIRONMENT = os.environ["PORCHLIGHT_ENVIRONMENT"]
USER = os.environ["PORCHLIGHT_TOKEN"]
SERVER = os.environ["PORCHLIGHT_SERVER_TOKEN"]


def snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


class Service(unittest.TestCase):
    def setUp(self) -> None:
        self.porchlight = Porchlight(URL, SERVER)

    def lamp(self) -> Tuple[str, str]:
        """A new device: its ID and its alias."""
        alias = f"lamp {uuid.uuid4().hex}"
        device = self.porchlight.create_device(
            {"environmentId": ENVIRONMENT, "alias": alias, "services": [{"service": "LightColor"}]}
        )
        return device["id"], alias

    def failure(self, call: Any, *arguments: Any, **more: Any) -> PorchlightError:
        with self.assertRaises(PorchlightError) as caught:
            call(*arguments, **more)
        return caught.exception


class Operations(Service):
    def test_every_operation_has_its_method_which_asks_what_the_document_says(self) -> None:
        document: Any = self.porchlight.get_openapi()
        asked: List[Tuple[str, str]] = []

        class Listening(Transport):
            def send(self, method: str, path: str, **_: Any) -> Answer:
                asked.append((method, path))
                return Answer(200, {}, {"items": []})

        client = Porchlight(URL)
        client._transport = Listening(URL, None, timeout=1, retries=0)
        methods = set()
        for path, operations in document["paths"].items():
            for verb, operation in operations.items():
                name = snake(operation["operationId"])
                methods.add(name)
                if "text/event-stream" in operation["responses"].get("200", {}).get("content", {}):
                    self.assertEqual(name, "list_events", "a stream that the client does not know")
                    continue
                if "application/zip" in operation["responses"].get("200", {}).get("content", {}):
                    self.assertEqual(name, "download_account_export", "an archive that the client does not know")
                    continue
                count = path.count("{")
                body = [{}] if operation.get("requestBody", {}).get("required") else []
                answer = getattr(client, name)(*["ID"] * count, *body)
                # Pages are asked for when they are wanted.
                if hasattr(answer, "page"):
                    answer.page()
                template = "/".join("ID" if part.startswith("{") else part for part in path.split("/"))
                self.assertEqual(asked.pop(), (verb.upper(), template), name)
        self.assertGreater(len(methods), 90)

    def test_an_account_is_exported_as_a_zip_file(self) -> None:
        email, password = f"{uuid.uuid4().hex}@example.com", "correct horse battery"
        made = self.porchlight.create_account({"email": email, "password": password})
        account = Porchlight(URL, self.porchlight.login_account({"email": email, "password": password})["token"])
        self.assertEqual(self.failure(lambda: list(account.download_account_export())).title, "Export Not Found")
        state = account.start_account_export({"currentPassword": password})["state"]
        while state == "running":
            state = account.get_account_export()["state"]
        self.assertEqual(state, "ready")
        archive = zipfile.ZipFile(io.BytesIO(b"".join(account.download_account_export())))
        self.assertIsNone(archive.testzip())
        self.assertEqual(json.loads(archive.read("account.ndjson"))["id"], made["id"])
        self.assertIn("account.ndjson", archive.read("README.txt").decode())

    def test_a_value_is_set_and_read_by_reference(self) -> None:
        _, alias = self.lamp()
        user = Porchlight(URL, USER)
        lamp = ref(ENVIRONMENT, alias)
        self.assertEqual(user.set_device_properties(lamp, "LightColor.hue", {"value": 120})["value"], 120)
        answer = user.get_device_properties(lamp, "LightColor.hue", refresh=True, wait=5)
        self.assertEqual([item["value"] for item in answer["items"]], [120])
        command = user.set_device_properties_no_wait(lamp, "LightColor.hue", {"value": 30, "ttlSeconds": 60})
        self.assertEqual(user.get_command(command["id"])["id"], command["id"])

    def test_a_repeat_with_the_same_key_happens_once(self) -> None:
        key = uuid.uuid4().hex
        zone: Any = {"environmentId": ENVIRONMENT}
        first = self.porchlight.create_zone(zone, idempotency_key=key)
        self.assertEqual(self.porchlight.create_zone(zone, idempotency_key=key)["id"], first["id"])
        self.assertNotEqual(self.porchlight.create_zone(zone)["id"], first["id"])
        reused = self.failure(
            self.porchlight.create_zone, {"environmentId": ENVIRONMENT, "alias": "other"}, idempotency_key=key
        )
        self.assertEqual((reused.title, reused.status), ("Idempotency Key Reused", 422))

    def test_a_write_whose_answer_was_lost_is_repeated_and_happens_once(self) -> None:
        with BreakingLine(URL, lose_answers=1) as line:
            zone = Porchlight(line.url, SERVER).create_zone({"environmentId": ENVIRONMENT, "meta": {"once": True}})
            self.assertEqual(line.connections, 2)
        made = [each["id"] for each in self.porchlight.list_zones(page_size=1) if each["meta"].get("once")]
        self.assertEqual(made, [zone["id"]])

    def test_pages_give_every_item_once(self) -> None:
        made = {self.lamp()[0] for _ in range(3)}
        listed = [device["id"] for device in self.porchlight.list_devices(environment_id=ENVIRONMENT, page_size=2)]
        self.assertEqual(len(listed), len(set(listed)))
        self.assertLessEqual(made, set(listed))

    def test_a_change_is_not_made_over_another(self) -> None:
        lamp, _ = self.lamp()
        tagged = self.porchlight.get_device_tagged(lamp)
        self.porchlight.update_device(lamp, {"meta": {"room": "Küche"}}, if_match=tagged.etag)
        late = self.failure(self.porchlight.update_device, lamp, {"meta": {}}, if_match=tagged.etag)
        self.assertEqual(late.title, "Precondition Failed")
        self.assertEqual(self.porchlight.get_device(lamp)["meta"], {"room": "Küche"})

    def test_errors_have_their_name_and_lead_to_the_log(self) -> None:
        lamp, _ = self.lamp()
        error = self.failure(self.porchlight.set_device_properties, lamp, "LightColor.hue", {"value": "green"})
        self.assertEqual((error.title, error.status), ("Property Value Invalid", 400))
        self.assertRegex(error.request_id or "", r"^[A-Za-z0-9._-]+$")
        self.assertEqual(self.failure(Porchlight(URL, "plt_usr_wrong").get_token).title, "Token Invalid")
        self.porchlight.delete_device(lamp)
        self.assertEqual(self.failure(self.porchlight.get_device, lamp).title, "Device Not Found")
        missing = self.failure(self.porchlight.create_zone, {})
        self.assertEqual(missing.title, "Environment Missing")


class Events(Service):
    def test_a_stream_begins_with_what_is_and_resumes_over_broken_connections(self) -> None:
        lamp, _ = self.lamp()
        self.porchlight.set_device_properties(lamp, "LightColor.hue", {"value": 1})
        with BreakingLine(URL) as line:
            client = Porchlight(line.url, SERVER)
            with client.events(environment_id=ENVIRONMENT, types=["property.*"], snapshot=True) as events:
                snapshot = next(events)
                assert isinstance(snapshot, Snapshot)
                self.assertIn(lamp, [item["deviceId"] for item in snapshot.items])
                values = []
                for hue in (10, 20, 30):
                    self.porchlight.set_device_properties(lamp, "LightColor.hue", {"value": hue})
                    # The event is on its way, or has come, when the connection goes.
                    line.cut()
                    item = next(events)
                    assert isinstance(item, Happened)
                    self.assertEqual(item.event["type"], "property.changed")
                    values.append(item.event["data"]["item"]["value"])
                self.assertEqual(values, [10, 20, 30])
                after = events.after
            with client.events(environment_id=ENVIRONMENT, types=["property.*"], after=(after or 0) - 1) as later:
                item = next(later)
                assert isinstance(item, Happened)
                self.assertEqual(item.event["data"]["item"]["value"], 30)

    def test_a_stream_that_is_refused_says_why(self) -> None:
        error = self.failure(next, Porchlight(URL, "plt_usr_wrong").events())
        self.assertEqual((error.title, error.outcome), ("Token Invalid", None))


class Webhooks(Service):
    def test_what_the_service_sends_is_verified(self) -> None:
        taken: List[Any] = []
        has_come = threading.Event()
        created: Dict[str, str] = {}
        may_check = threading.Event()

        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                may_check.wait(60)
                try:
                    taken.append(verify_webhook(self.headers, body, created["secret"]))
                    with_other = verify_webhook(self.headers, body, "whsec_AAAA")
                    taken.append(with_other)
                except WebhookSignatureError as error:
                    taken.append(str(error))
                self.send_response(204)
                self.end_headers()
                has_come.set()

            def log_message(self, *_: Any) -> None:
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                webhook = self.porchlight.create_webhook({"url": f"http://127.0.0.1:{server.server_port}/"})
                created["secret"] = webhook["secret"]
                may_check.set()
                self.porchlight.test_webhook(webhook["id"])
                self.assertTrue(has_come.wait(60))
                self.porchlight.delete_webhook(webhook["id"])
            finally:
                server.shutdown()
        self.assertEqual(taken[0]["type"], "webhook.test")
        self.assertEqual(taken[1], "No signature is made with this secret.")


class Readme(Service):
    def test_every_example_that_can_run_does(self) -> None:
        page = pathlib.Path(__file__).parents[2] / "README.md"
        examples: List[str] = []
        code: Optional[List[str]] = None
        for line in page.read_text(encoding="utf-8").split("\n"):
            if line == "```python":
                code = []
            elif line == "```" and code is not None:
                examples.append("\n".join(code))
                code = None
            elif code is not None:
                code.append(line)
        self.assertGreaterEqual(len(examples), 5)
        self.porchlight.create_device(
            {"environmentId": ENVIRONMENT, "alias": "lamp", "services": [{"service": "LightColor"}]}
        )
        printed: List[str] = []
        facts = {"print": lambda *values: printed.append(" ".join(map(str, values))), "environment_id": ENVIRONMENT}
        source = "\n".join(examples).replace('"https://porchlight.example"', json.dumps(URL))
        exec(compile(source.replace('"plt_usr_…"', json.dumps(USER)), "README.md", "exec"), facts)
        self.assertIn("lamp", printed)
        self.assertIn("120", printed)
        self.assertIn("Device Not Found None", "\n".join(printed))
        self.assertEqual(printed[-1], "property.changed 40")
