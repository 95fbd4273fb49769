import { VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { attemptOf, carryOut, NotTouched, type Permit, WatchedAttempt } from "./carry-out.ts";

function given(permit: Partial<Permit> = {}, clock = new VirtualClock()) {
  return attemptOf(clock, { deadline: clock.monotonic() + 1000, mayTouch: () => true, ...permit });
}

const UNTOUCHED = { kind: "failed", outcome: "not_applied" };
const UNKNOWN = { kind: "failed", outcome: "unknown" };

describe("an attempt", () => {
  const aborted = new AbortController();
  aborted.abort();
  const clock = new VirtualClock();
  test.for([
    ["after its deadline", { deadline: clock.monotonic() }],
    ["without permission", { mayTouch: () => false }],
    ["when its caller no longer waits", { signal: aborted.signal }],
  ] as const)("touches nothing %s", ([, permit]) => {
    let sent = 0;
    expect(() => given(permit, clock).touch(() => ++sent)).toThrow(NotTouched);
    expect(sent).toBe(0);
  });

  test("asks for permission at every try", () => {
    const answers = [true, false];
    const attempt = given({ mayTouch: () => answers.shift() ?? false });
    expect(attempt.touch(() => "first")).toBe("first");
    expect(() => attempt.touch(() => "second")).toThrow(NotTouched);
  });

  test("that has ended touches nothing", () => {
    const attempt = new WatchedAttempt(given());
    attempt.end();
    expect(() => attempt.touch(() => "sent")).toThrow(NotTouched);
    expect(attempt.isTouched).toBe(false);
  });
});

describe("work at a device ends", () => {
  test("with what the device says that the property is", async () => {
    const result = await carryOut(given(), async (attempt) => ({ now: attempt.touch(() => true) }));
    expect(result).toEqual({ kind: "value", value: true });
  });

  test("as refused, in the device's own words", async () => {
    const result = await carryOut(given(), () => ({ refused: "The lock is jammed.", code: 7 }));
    expect(result).toMatchObject({ outcome: "rejected", detail: "The lock is jammed.", code: 7 });
  });

  test("as not applied when it throws before it has touched the device", async () => {
    const result = await carryOut(given(), () => Promise.reject(new Error("There is no such device.")));
    expect(result).toMatchObject({ ...UNTOUCHED, detail: "There is no such device." });
  });

  test("as not applied when it had no permission to touch the device", async () => {
    const result = await carryOut(given({ mayTouch: () => false }), async (attempt) => ({
      now: attempt.touch(() => true),
    }));
    expect(result).toMatchObject(UNTOUCHED);
  });

  test("as unknown when it throws afterwards, also while it was sending", async () => {
    const later = await carryOut(given(), async (attempt) => {
      await attempt.touch(async () => undefined);
      throw new Error("The connection broke.");
    });
    expect(later).toMatchObject({ ...UNKNOWN, detail: "The connection broke." });
    const sending = await carryOut(given(), (attempt) =>
      attempt.touch(() => {
        throw new Error("The connection broke.");
      }),
    );
    expect(sending).toMatchObject(UNKNOWN);
  });

  test("as unknown when a second try is refused permission after a first one", async () => {
    let tries = 0;
    const result = await carryOut(given({ mayTouch: () => ++tries === 1 }), async (attempt) => {
      attempt.touch(() => undefined);
      return { now: attempt.touch(() => true) };
    });
    expect(result).toMatchObject(UNKNOWN);
  });

  test("as not applied when it says unknown although it has sent nothing", async () => {
    expect(await carryOut(given(), () => ({ unknown: "It did not answer." }))).toMatchObject(UNTOUCHED);
  });
});
