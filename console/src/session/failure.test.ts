/** Exit statuses: each name of the error table has one, by the rule that the documents state. */
import { ERRORS, type ErrorName } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { EXIT, EXIT_MEANINGS, exitOf } from "./failure.ts";

/** What is no plain matter of the HTTP status. */
const BY_NAME: Partial<Record<ErrorName, number>> = {
  "Quota Exceeded": 5,
  "Internal Error": 1,
  "Device Unreachable": 6,
  "Hub Offline": 6,
  "Hub Timeout": 6,
  "Hub Outdated": 5,
  "Service Unavailable": 7,
};
const BY_STATUS: Readonly<Record<number, number>> = {
  ...{ 400: 5, 401: 4, 403: 4, 404: 3, 405: 5, 409: 5, 412: 5, 413: 5, 422: 5, 429: 8 },
};

test.each(Object.keys(ERRORS) as ErrorName[])("%s has its exit status", (name) => {
  const { status } = ERRORS[name];
  expect(EXIT[exitOf(name, status)]).toBe(BY_NAME[name] ?? BY_STATUS[status]);
});

test("an ID that is none ends as refused, and a credential that is none as not allowed", () => {
  expect(exitOf("Token Invalid", 400)).toBe("refused");
  expect(exitOf("Token Invalid", 401)).toBe("notAllowed");
});

test.each(["Connection Failed", "Timed Out", "Unreadable Answer"])("%s: the service cannot be reached", (name) => {
  expect(EXIT[exitOf(name, 0)]).toBe(7);
});

test("an error of a newer service ends by its status", () => {
  expect([418, 404, 500, 503].map((status) => EXIT[exitOf("Teapot Found", status)])).toEqual([5, 3, 7, 7]);
});

test("each status has its meaning", () => {
  expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.keys(EXIT));
});
