"""Deliveries that are the service's, and deliveries that are not."""

import base64
import hashlib
import hmac
import unittest
from typing import Dict

from porchlight import WebhookSignatureError, verify_webhook

# Signed once with the library of standardwebhooks.com, and recorded.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = '{"test": 2432232314}'
TIME = 1614265330
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": str(TIME),
    "WEBHOOK-SIGNATURE": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
SIGNATURE = HEADERS["WEBHOOK-SIGNATURE"]


def signed(key: bytes, body: bytes) -> Dict[str, str]:
    digest = hmac.new(key, f"evt_1.{TIME}.".encode() + body, hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {"webhook-id": "evt_1", "webhook-timestamp": str(TIME), "webhook-signature": signature}


class Deliveries(unittest.TestCase):
    def refused(
        self, why: str, body: bytes = BODY.encode(), secret: str = SECRET, now: float = TIME, **changed: str
    ) -> None:
        headers = {name.lower(): value for name, value in HEADERS.items()}
        headers.update({name.replace("_", "-"): value for name, value in changed.items()})
        with self.assertRaises(WebhookSignatureError) as caught:
            verify_webhook(headers, body, secret, now=now)
        self.assertIn(why, str(caught.exception))

    def test_what_the_service_signed_is_taken(self) -> None:
        self.assertEqual(verify_webhook(HEADERS, BODY, SECRET, now=TIME), {"test": 2432232314})
        self.assertEqual(verify_webhook(HEADERS, BODY.encode(), SECRET, now=TIME + 300), {"test": 2432232314})

    def test_anything_else_is_refused_with_its_reason(self) -> None:
        self.refused("with this secret", body=BODY.replace("4", "5").encode())
        self.refused("with this secret", secret="whsec_AAAA")
        self.refused("with this secret", webhook_id="msg_2")
        self.refused("with this secret", webhook_timestamp=str(TIME + 1))
        self.refused("with this secret", webhook_signature=SIGNATURE.replace("v1,", "v2,"))
        self.refused("with this secret", webhook_signature="v1,not base64 v1, nothing")
        self.refused("with this secret", webhook_signature="v1,\u00fc")
        self.refused("five minutes", now=TIME + 301)
        self.refused("five minutes", now=TIME - 301)
        self.refused("not a time", webhook_timestamp="1e9")
        self.refused("not a time", webhook_timestamp="\u0661\u0662")
        self.refused("missing", webhook_id="")
        self.refused("not base64", secret="whsec_?")
        for secret in ("", "whsec_"):
            with self.subTest(secret), self.assertRaisesRegex(WebhookSignatureError, "empty"):
                verify_webhook(signed(b"", b"{}"), b"{}", secret, now=TIME)
        with self.assertRaises(WebhookSignatureError):
            verify_webhook({}, BODY, SECRET)

    def test_one_right_signature_of_several_is_enough(self) -> None:
        several = {**HEADERS, "WEBHOOK-SIGNATURE": f"v1,AAAA {SIGNATURE}"}
        self.assertEqual(verify_webhook(several, BODY, SECRET, now=TIME), {"test": 2432232314})

    def test_a_secret_without_its_prefix_is_its_bytes(self) -> None:
        body = '{"room": "Küche"}'.encode()
        self.assertEqual(verify_webhook(signed("größe".encode(), body), body, "größe", now=TIME), {"room": "Küche"})

    def test_a_time_of_this_machine_is_used_when_none_is_given(self) -> None:
        with self.assertRaises(WebhookSignatureError):
            verify_webhook(HEADERS, BODY, SECRET)
