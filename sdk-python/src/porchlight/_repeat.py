"""Whether a failed request may be repeated, and when. It never is when what it asks for could happen twice."""

from __future__ import annotations

import random
from typing import Callable, Literal

from .errors import PorchlightError

# What a repeat of a request can do.
# - read: nothing, because the request changes nothing.
# - replace: nothing more, because the request leaves the same behind however often it comes.
# - keyed: nothing more, because the service knows the request by its idempotency key.
# - once: it may happen twice.
Repeat = Literal["read", "replace", "keyed", "once"]


def may_repeat(repeat: Repeat, error: PorchlightError) -> bool:
    """Whether the request that ended with this error may be sent again."""
    # The service has done nothing of it.
    if error.title in ("Rate Limit Exceeded", "Idempotency Key In Use"):
        return True
    # It may have arrived, unless there was no connection that could carry it.
    if error.title in ("Connection Failed", "Timed Out"):
        return repeat != "once" or error.outcome == "not_sent"
    # It is not known what the server in between passed on.
    if error.title == "Unreadable Answer":
        return repeat != "once" and error.status in (502, 503, 504)
    if error.outcome in ("not_sent", "not_applied"):
        return error.retryable
    # It is done, refused, or still under way: a repeat would tell nothing new, or do it again.
    if error.outcome is not None:
        return False
    # An error of 5xx frees an idempotency key, so the key does not protect the repeat.
    return error.retryable and repeat in ("read", "replace")


class Backoff:
    """Waits between tries, in seconds: each is by chance up to a bound, which grows with the time that was waited."""

    def __init__(
        self,
        first: float,
        cap: float,
        stable: float = float("inf"),
        chance: Callable[[], float] = random.random,
    ) -> None:
        """`stable` is how long a success must last before the waits are short again."""
        self._first = first
        self._cap = cap
        self._stable = stable
        self._chance = chance
        self._waited = 0.0

    def next(self, lasted: float = 0.0, at_least: float = 0.0) -> float:
        """The wait before the next try. `lasted` is how long what has just ended had worked."""
        if lasted >= self._stable:
            self._waited = 0.0
        wait = self._chance() * min(self._cap, self._first + self._waited)
        self._waited += wait
        return at_least + wait
