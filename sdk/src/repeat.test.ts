/** What the client repeats by itself, as a table: each row is an answer, and for which requests it is asked again. */
import { ERRORS, type ErrorName, type Outcome } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { PorchlightError, type PorchlightErrorName } from "./errors.ts";
import { mayRepeat, type Repeat } from "./transport.ts";

const ALL: readonly Repeat[] = ["read", "replace", "keyed", "once"];
const NOT_ONCE: readonly Repeat[] = ["read", "replace", "keyed"];
const HARMLESS: readonly Repeat[] = ["read", "replace"];
const NONE: readonly Repeat[] = [];

function error(name: PorchlightErrorName, outcome?: Outcome, status = 503): PorchlightError {
  if (name === "Connection Failed" || name === "Timed Out") return new PorchlightError(name, "", { outcome });
  if (name === "Unreadable Answer") return new PorchlightError(name, "", { status });
  const row: { status: number; cause: string; retryable?: true } = ERRORS[name satisfies ErrorName];
  const problem = {
    type: "",
    title: name,
    status: row.status,
    detail: row.cause,
    instance: "1",
    retryable: row.retryable,
  };
  return new PorchlightError(name, row.cause, { status: row.status, outcome, problem });
}

test.for([
  ["the service has too much to do", error("Rate Limit Exceeded"), ALL],
  ["the first request with the key still runs", error("Idempotency Key In Use"), ALL],
  ["the connection broke", error("Connection Failed", "unknown"), NOT_ONCE],
  ["no answer came in time", error("Timed Out", "unknown"), NOT_ONCE],
  ["a proxy says that the service is unreachable", error("Unreadable Answer", undefined, 502), NOT_ONCE],
  ["a proxy says that something is wrong", error("Unreadable Answer", undefined, 500), NONE],
  ["the hub is offline, and nothing was sent", error("Hub Offline", "not_sent"), ALL],
  ["the hub knows that the device did not act", error("Device Unreachable", "not_applied"), ALL],
  ["the device may have acted", error("Hub Timeout", "unknown"), NONE],
  ["the device may have acted, says the hub", error("Device Unreachable", "unknown"), NONE],
  ["the device has confirmed, and the service could not store it", error("Service Unavailable", "unknown"), NONE],
  ["a newer service has an outcome of another name", error("Service Unavailable", "postponed" as Outcome), NONE],
  ["the device has refused", error("Device Rejected", "rejected"), NONE],
  ["the service is starting or stopping", error("Service Unavailable"), HARMLESS],
  ["a refresh reached no hub", error("Hub Timeout"), HARMLESS],
  ["something went wrong inside", error("Internal Error"), NONE],
  ["the request is wrong", error("Body Parameters Invalid"), NONE],
  ["the credential is", error("Token Expired"), NONE],
  ["the object has changed", error("Precondition Failed"), NONE],
] as const)("when %s", ([, failure, repeated]) => {
  expect(ALL.filter((repeat) => mayRepeat(repeat, failure))).toEqual(repeated);
});
