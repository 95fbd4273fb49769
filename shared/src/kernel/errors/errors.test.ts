/** The error table says what the API contract (section 1.5) says. */
import { expect, test } from "vitest";
import { ERRORS, type ErrorName, isNamed, NamedError } from "./errors.ts";

/** Typed from the contract, by hand. */
const CONTRACT: Readonly<Record<number, string>> = {
  400: `Body Parameters Missing · Body Parameters Invalid · Host Invalid · No Query String Allowed · Query Parameter Invalid · Page Size Invalid ·
    Continuation Token Invalid · Metadata Format Invalid · Metadata Prefix Invalid · Idempotency Key Invalid · Alias Invalid ·
    Alias Exists · Ecosystem Invalid · Environment Invalid · Zone Invalid · Device Invalid · User Invalid · Server Invalid ·
    Client Invalid · Webhook Invalid · Command Invalid · Delivery Invalid · Access Entry Invalid · Environment Missing ·
    Ecosystem Missing · Zone Item Invalid · Scene Invalid · Scene Item Invalid · Scene Trigger Invalid · User Key Missing · User Key Exists · Service Property Invalid ·
    Property Value Invalid · Property Not Writable · Webhook Callback Invalid · Webhook Callback Missing ·
    Webhook Events Invalid · Email Invalid · Email Exists · Reset Code Invalid · Password Too Weak · Pairing Pending ·
    Pairing Slow Down · Pairing Denied · Pairing Expired · Pairing Code Invalid · Login Pending · Login Slow Down ·
    Login Denied · Login Expired · Login Code Invalid · Account User Required ·
    Last Ecosystem Required · Setup Kind Invalid · Setup Answer Invalid`,
  401: "Token Missing · Token Invalid · Token Expired · Login Failed",
  403: "Token Type Not Allowed · Access Denied · Password Incorrect · Address Not Verified · Quota Exceeded",
  404: `Endpoint Not Found · API Version Not Found · Ecosystem Not Found · Environment Not Found · Zone Not Found ·
    Device Not Found · User Not Found · Server Not Found · Client Not Found · Webhook Not Found · Token Not Found ·
    Command Not Found · Delivery Not Found · Access Entry Not Found · Zone Item Not Found · Scene Not Found · Scene Item Not Found · Service Not Found ·
    Setup Not Found · Export Not Found · Sink Not Found`,
  405: "Method Not Allowed",
  409: "Idempotency Key In Use · Setup In Use",
  412: "Precondition Failed",
  413: "Body Too Large",
  422: "Idempotency Key Reused · Device Rejected · Hub Rejected",
  429: "Rate Limit Exceeded",
  500: "Internal Error",
  501: "Hub Outdated",
  502: "Device Unreachable",
  503: "Hub Offline · Service Unavailable",
  504: "Hub Timeout",
};

test("the table holds every name of the contract with its status, and no other", () => {
  const expected = Object.entries(CONTRACT).flatMap(([status, names]) =>
    names.split("·").map((name) => [name.trim(), Number(status)]),
  );
  const actual = Object.entries(ERRORS).map(([name, { status }]) => [name, status]);
  expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
});

test.for(Object.entries(ERRORS))("%s says its cause in a sentence", ([, { cause }]) => {
  expect(cause).toMatch(/^[A-Z`].*\.$/);
  expect(cause).not.toMatch(/!|sorry|please/i);
});

test("an error carries its row, and what the thrower knows better", () => {
  const plain = new NamedError("Hub Offline");
  expect(plain).toMatchObject({
    status: 503,
    retryable: true,
    message: ERRORS["Hub Offline"].cause,
    outcome: undefined,
  });
  const cause = new Error("below");
  const exact = new NamedError("Device Rejected", "The lamp refuses hue 400.", { outcome: "rejected", cause });
  expect(exact).toMatchObject({ name: "Device Rejected", status: 422, retryable: false, outcome: "rejected", cause });
  expect(exact.message).toBe("The lamp refuses hue 400.");
});

test("an error is distinguished by its class and name, never by its text", () => {
  const name: ErrorName = "Hub Timeout";
  expect(isNamed(new NamedError(name))).toBe(true);
  expect(isNamed(new NamedError(name), "Hub Timeout")).toBe(true);
  expect(isNamed(new NamedError(name), "Hub Offline")).toBe(false);
  expect(isNamed(Object.assign(new Error(), { name }))).toBe(false);
});
