"""What may be repeated, as a table, and how long is waited."""

import unittest
from typing import Any

from porchlight._repeat import Backoff, may_repeat
from porchlight.errors import PorchlightError


def error(title: str, status: int = 503, outcome: Any = None, retryable: bool = False) -> PorchlightError:
    facts: Any = {"title": title, "status": status, "retryable": retryable}
    return PorchlightError(
        title, "", status=status, outcome=outcome, problem=facts if title != "Unreadable Answer" else None
    )


class Repeats(unittest.TestCase):
    def test_it_repeats_only_what_cannot_happen_twice(self) -> None:
        everything = ["read", "replace", "keyed", "once"]
        table = [
            (error("Rate Limit Exceeded", 429), everything),
            (error("Idempotency Key In Use", 409), everything),
            (error("Connection Failed", 0, "unknown"), ["read", "replace", "keyed"]),
            (error("Connection Failed", 0, "not_sent"), everything),
            (error("Timed Out", 0, "unknown"), ["read", "replace", "keyed"]),
            (error("Unreadable Answer", 502, "unknown"), ["read", "replace", "keyed"]),
            (error("Unreadable Answer", 200, "unknown"), []),
            (error("Hub Offline", 503, "not_sent", True), everything),
            (error("Hub Timeout", 504, "not_applied", True), everything),
            (error("Hub Timeout", 504, "unknown", True), []),
            (error("Device Rejected", 422, "rejected"), []),
            (error("Service Unavailable", 503, None, True), ["read", "replace"]),
            (error("Device Not Found", 404), []),
        ]
        for failure, wanted in table:
            with self.subTest(str(failure), outcome=failure.outcome):
                self.assertEqual([each for each in everything if may_repeat(each, failure)], wanted)  # type: ignore[arg-type]

    def test_waits_grow_by_chance_up_to_their_cap_and_are_short_again_after_a_stable_while(self) -> None:
        backoff = Backoff(1, 4, stable=10, chance=lambda: 1.0)
        self.assertEqual([backoff.next() for _ in range(4)], [1, 2, 4, 4])
        self.assertEqual(backoff.next(lasted=9), 4)
        self.assertEqual(backoff.next(lasted=10), 1)
        self.assertEqual(backoff.next(at_least=30), 32)
        self.assertEqual(Backoff(1, 4, chance=lambda: 0.0).next(at_least=3), 3)
