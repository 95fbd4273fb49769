/** Errors at the field that they belong to, and waits counted down. */
import { PorchlightError } from "@porchlight/sdk";
import { describe, expect, it } from "vitest";
import { endOf, saysWhen, secondsLeft, unlessNamed, waitOf } from "./form-error.ts";

const EXISTS = new PorchlightError("Email Exists", "There is an account with it.", { status: 400 });

describe("an error of a form", () => {
  it("appears at the field that its name belongs to, and only there", () => {
    expect(saysWhen(EXISTS, "Email Invalid", "Email Exists")).toBe("There is an account with it.");
    expect(unlessNamed(EXISTS, "Email Invalid", "Email Exists")).toBeUndefined();
  });

  it("stands beside the form when no field shows it", () => {
    expect(saysWhen(EXISTS, "Password Too Weak")).toBeUndefined();
    expect(unlessNamed(EXISTS, "Password Too Weak")).toBe(EXISTS);
    const other = new TypeError("no service error");
    expect(saysWhen(other, "Email Exists")).toBeUndefined();
    expect(unlessNamed(other, "Email Exists")).toBe(other);
    expect(unlessNamed(null, "Email Exists")).toBeUndefined();
  });
});

describe("the wait that a refusal asks for", () => {
  it("is the value of retry-after, a second without it, and nothing for any other error", () => {
    expect(waitOf(new PorchlightError("Rate Limit Exceeded", "", { status: 429, retryAfter: 6 }))).toBe(6);
    expect(waitOf(new PorchlightError("Rate Limit Exceeded", "", { status: 429 }))).toBe(1);
    expect(waitOf(new PorchlightError("Service Unavailable", "", { status: 503, retryAfter: 6 }))).toBe(0);
    expect(waitOf(null)).toBe(0);
  });

  it("is none after any other error, in any part of a second", () => {
    expect(secondsLeft(endOf(EXISTS, 6700), 6000)).toBe(0);
    const limited = new PorchlightError("Rate Limit Exceeded", "", { status: 429, retryAfter: 6 });
    expect(secondsLeft(endOf(limited, 6700), 7000)).toBe(6);
  });

  it("is over when its time has come, and not a moment before", () => {
    expect([1000, 5001, 5999, 6000, 9000].map((now) => secondsLeft(6000, now))).toEqual([5, 1, 1, 0, 0]);
  });
});
