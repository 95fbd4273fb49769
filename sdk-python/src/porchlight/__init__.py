"""The client of Porchlight's REST API: everything that its users import."""

from ._calls import Page, Pages, Tagged
from ._transport import Answer
from .client import Porchlight
from .errors import Outcome, PorchlightError
from .events import Event, EventStream, Happened, Lost, Reset, Snapshot, StreamItem
from .references import ref
from .webhooks import WebhookSignatureError, verify_webhook

__all__ = [
    "Answer",
    "Event",
    "EventStream",
    "Happened",
    "Lost",
    "Outcome",
    "Page",
    "Pages",
    "Porchlight",
    "PorchlightError",
    "Reset",
    "Snapshot",
    "StreamItem",
    "Tagged",
    "WebhookSignatureError",
    "ref",
    "verify_webhook",
]
