/** What is shown while a user sets a property and events come in between. */
import type { Command } from "@porchlight/shared/api";
import { describe, expect, test } from "vitest";
import { nextState, type Refusal, SETTLES_WITHIN, STILL, shownOf, type WriteInput } from "./write-state.ts";

const reported = { value: 119.5, modifiedAt: "2026-11-21 12:00:00Z", observedAt: "2026-11-21 12:00:00Z" };
const before = { value: 10, modifiedAt: "2026-11-21 11:00:00Z", observedAt: "2026-11-21 11:00:00Z" };
const ask = (value: unknown, at = 0): WriteInput => ({ kind: "ask", value, at });
const confirmed = (commandId: string, isLast = true): WriteInput => ({
  kind: "confirmed",
  reported,
  commandId,
  isLast,
  at: 100,
});
const event = (commandId?: string): WriteInput => ({ kind: "event", commandId });
const refusal: Refusal = {
  name: "Hub Timeout",
  detail: "No answer.",
  outcome: "unknown",
  commandId: "cmd_1",
  requestId: "r",
};
const refused = (isLast = true): WriteInput => ({ kind: "refused", refusal, isLast, at: 100 });
const command = (state: Command["state"], more: Partial<Command> = {}): Command => ({
  id: "cmd_1",
  deviceId: "dev_1",
  service: "LightColor",
  index: "0",
  property: "hue",
  value: 120,
  state,
  createdAt: "2026-11-21 12:00:00Z",
  expiresAt: "2026-11-21 13:00:00Z",
  ...more,
});
const after = (...inputs: WriteInput[]) => inputs.reduce(nextState, STILL);

describe("a value that was asked for", () => {
  test("is shown as pending, and the device's last word stands beside it", () => {
    expect(shownOf(after(ask(120)), before)).toEqual({ value: 120, known: before, isPending: true });
  });

  test("stays what it is while events of other values come in", () => {
    const state = after(ask(120), event(), event("cmd_of_another"));
    expect(shownOf(state, { ...before, value: 77 })).toMatchObject({ value: 120, isPending: true });
  });

  test("gives way to the state that the device reports", () => {
    expect(shownOf(after(ask(120), confirmed("cmd_1")), before)).toEqual({
      value: 119.5,
      known: reported,
      isPending: false,
    });
  });

  test("is not undone by what was confirmed, or refused, of an earlier one", () => {
    expect(shownOf(after(ask(60), ask(120), confirmed("cmd_1", false)), before).value).toBe(120);
    expect(shownOf(after(ask(60), ask(120), refused(false)), before)).toMatchObject({ value: 120, isPending: true });
  });
});

describe("after the answer", () => {
  test("events of the way there are older than it, until its own comes", () => {
    const settling = after(ask(60), ask(120), confirmed("cmd_2"));
    const late = nextState(nextState(settling, event("cmd_1")), event());
    expect(shownOf(late, { ...before, value: 60 }).value).toBe(119.5);
    const settled = nextState(late, event("cmd_2"));
    expect(settled).toBe(STILL);
    expect(shownOf(settled, { ...before, value: 42 }).value).toBe(42);
  });

  test("after an event that was faster, the answer adds nothing, and later events are newer", () => {
    expect(after(ask(120), event("cmd_1"), event(), confirmed("cmd_1"))).toBe(STILL);
  });

  test("the wait for an event that never comes ends: the value was the same as before", () => {
    const settling = after(ask(10), confirmed("cmd_1"));
    expect(nextState(settling, { kind: "passed", at: 100 + SETTLES_WITHIN - 1 })).toBe(settling);
    expect(nextState(settling, { kind: "passed", at: 100 + SETTLES_WITHIN })).toBe(STILL);
  });
});

describe("a refusal", () => {
  test("shows the device's last word again, with the reason", () => {
    const state = after(ask(120), refused());
    expect(state).toMatchObject({ kind: "refused", asked: 120, refusal });
    expect(shownOf(state, before)).toEqual({ value: 10, known: before, isPending: false });
    expect(nextState(state, { kind: "dismissed" })).toBe(STILL);
  });

  test("of unknown outcome ends when it was carried out after all", () => {
    expect(after(ask(120), refused(), event("cmd_1"))).toBe(STILL);
    expect(after(ask(120), event("cmd_1"), refused())).toBe(STILL);
    expect(after(ask(120), refused(), { kind: "completed", command: command("confirmed"), at: 0 })).toBe(STILL);
    expect(after(ask(120), refused(), event("cmd_2"))).toMatchObject({ kind: "refused" });
  });
});

describe("a value that waits for the hub", () => {
  const waiting = after(ask(120), { kind: "queued", command: command("queued"), isLast: true });

  test("is pending until the device has taken it, and the old value never comes back in between", () => {
    expect(shownOf(waiting, before)).toMatchObject({ value: 120, isPending: true });
    const carriedOut = nextState(waiting, { kind: "completed", command: command("confirmed"), at: 0 });
    expect(shownOf(carriedOut, before)).toMatchObject({ value: 120, isPending: true });
    expect(nextState(carriedOut, event("cmd_1"))).toBe(STILL);
    expect(nextState(carriedOut, { kind: "passed", at: SETTLES_WITHIN })).toBe(STILL);
    expect(nextState(waiting, event("cmd_1"))).toBe(STILL);
  });

  test.each([
    ["expired", command("expired", { outcome: "not_sent" }), "Expired"],
    [
      "rejected",
      command("rejected", { outcome: "rejected", error: { name: "Device Rejected", detail: "Too hot." } }),
      "Device Rejected",
    ],
  ])("that has %s is refused with the reason", (_, ended, name) => {
    const state = nextState(waiting, { kind: "completed", command: ended, at: 5 });
    expect(state).toMatchObject({ kind: "refused", refusal: { name } });
    expect(shownOf(state, before).value).toBe(10);
  });

  test("does not mind the end of another", () => {
    const other = command("expired", { id: "cmd_9" });
    expect(nextState(waiting, { kind: "completed", command: other, at: 5 })).toBe(waiting);
  });
});
