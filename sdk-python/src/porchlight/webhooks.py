"""Whether a webhook delivery comes from the service: Standard Webhooks 1.0, checked over the bytes that came."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Mapping, Optional, Union, cast

from .events import Event

# Seconds. What was signed longer ago, or so far ahead, may be the repeat of somebody who has kept it.
_TOLERANCE = 5 * 60
_PREFIX = "whsec_"


class WebhookSignatureError(ValueError):
    """The delivery is not signed with the secret, or not of this time: answer 401 and do not use it."""


def verify_webhook(
    headers: Mapping[str, str],
    body: Union[bytes, str],
    secret: str,
    *,
    now: Optional[float] = None,
) -> Event:
    """The event of a delivery.

    `headers` may have any case. `body` is what came: parsed and written again it is another. `secret` is `whsec_…`, or
    any other string, of which the bytes are the key. `now` is in seconds since 1970; this machine's clock when left out.
    Raises WebhookSignatureError.
    """
    given = {name.lower(): value for name, value in headers.items()}
    identity = _header(given, "webhook-id")
    timestamp = _header(given, "webhook-timestamp")
    signatures = _header(given, "webhook-signature").split(" ")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookSignatureError("`webhook-timestamp` is not a time.")
    if abs((time.time() if now is None else now) - int(timestamp)) > _TOLERANCE:
        raise WebhookSignatureError("It was signed more than five minutes from now, by this machine's clock.")
    sent = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{identity}.{timestamp}.".encode("utf-8", "replace") + sent
    expected = hmac.new(_key(secret), signed, hashlib.sha256).digest()
    for signature in signatures:
        version, _, text = signature.partition(",")
        given_bytes = _decoded(text) if version == "v1" else None
        # `compare_digest` takes the same time wherever they differ.
        if given_bytes is not None and hmac.compare_digest(expected, given_bytes):
            return _event(sent)
    raise WebhookSignatureError("No signature is made with this secret.")


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not isinstance(value, str) or value == "":
        raise WebhookSignatureError(f"The header `{name}` is missing.")
    return value


def _key(secret: str) -> bytes:
    key = _decoded(secret[len(_PREFIX) :]) if secret.startswith(_PREFIX) else secret.encode()
    if key is None:
        raise WebhookSignatureError("After `whsec_` the secret is not base64.")
    # Anybody could sign with it.
    if key == b"":
        raise WebhookSignatureError("The secret is empty.")
    return key


def _decoded(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _event(body: bytes) -> Event:
    try:
        return cast(Event, json.loads(body))
    except ValueError as error:
        raise WebhookSignatureError("The body is signed and is not JSON.") from error
