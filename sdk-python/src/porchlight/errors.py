"""The error of the client: what the service answered, or why there was no answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, Mapping, Optional, Union, cast

if TYPE_CHECKING:
    from .types import ErrorName, Problem

    # Names of the service's errors, and of what happens on the way to it.
    ErrorTitle = Union[ErrorName, Literal["Connection Failed", "Timed Out", "Unreadable Answer"]]

Outcome = Literal["confirmed", "rejected", "not_sent", "not_applied", "unknown"]

# Longer numbers in `retry-after` are no waits.
LONGEST_DIGITS = 9


class PorchlightError(Exception):
    """An error of the service, or of the way to it. Decide by `title` and `outcome`, never by `detail`.

    The title is one of the service's, or one of three of the client:

    - "Connection Failed": the service could not be reached, or the connection broke.
    - "Timed Out": the service did not answer in time.
    - "Unreadable Answer": the answer is not one of the service. A server in between has answered.
    """

    def __init__(
        self,
        title: str,
        detail: str,
        *,
        status: int = 0,
        outcome: Optional[Outcome] = None,
        request_id: Optional[str] = None,
        command_id: Optional[str] = None,
        retry_after: Optional[int] = None,
        problem: Optional[Problem] = None,
    ) -> None:
        super().__init__(f"{title}: {detail}")
        #: The name of the error.
        self.title: ErrorTitle = cast("ErrorTitle", title)
        #: What was wrong, and what to do: for people.
        self.detail = detail
        #: The HTTP status; 0 when there was no answer.
        self.status = status
        #: What is known of a write that failed; None for a read, or when nothing was begun.
        self.outcome = outcome
        #: Finds the request in the service's log, and in `list_requests(request_id=…)`.
        self.request_id = request_id
        #: The command of a write to a device, for `get_command`.
        self.command_id = command_id
        #: Seconds that the service asks to wait.
        self.retry_after = retry_after
        #: The whole answer (RFC 9457), with `errors` for each place of the body.
        self.problem = problem

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later. It does not say that a repeat is safe: `outcome` does."""
        return self.problem is not None and self.problem.get("retryable") is True


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> PorchlightError:
    """The error that an answer is. Names of headers are in lower case."""
    retry_after = headers.get("retry-after", "")
    is_number = retry_after.isascii() and retry_after.isdigit() and len(retry_after) <= LONGEST_DIGITS
    facts: Any = {
        "status": status,
        "request_id": headers.get("x-request-id"),
        "command_id": headers.get("x-command-id"),
        "retry_after": int(retry_after) if is_number else None,
    }
    problem = _problem(headers, body)
    if problem is None:
        detail = f"The answer is {status} and no error of the service: a server in between has answered."
        return PorchlightError("Unreadable Answer", detail, **facts)
    return PorchlightError(
        problem["title"], problem.get("detail", ""), outcome=problem.get("outcome"), problem=problem, **facts
    )


def _problem(headers: Mapping[str, str], body: bytes) -> Optional[Problem]:
    if not headers.get("content-type", "").startswith("application/problem+json"):
        return None
    try:
        parsed = json.loads(body)
    except ValueError:
        return None
    is_problem = isinstance(parsed, dict) and isinstance(parsed.get("title"), str)
    return cast("Problem", parsed) if is_problem else None
