/** Devices are let go when a hub leaves its owner, on a virtual clock. */
import type { SetupTalk, StatedDriver } from "@porchlight/driver-kit";
import { settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { Release } from "./release.ts";
import { MOST_MS } from "./setup-run.ts";

const [LOCK, LAMP] = ["02-00-00-00-00-41", "02-00-00-00-00-42"];

function driver(setup: (talk: SetupTalk) => Promise<void>, releases: readonly string[] = [LOCK, LAMP]): StatedDriver {
  return {
    name: "radio",
    has: () => true,
    read: () => Promise.reject(new Error("is not read")),
    write: () => Promise.reject(new Error("is not written")),
    setups: () => [
      { kind: "join", title: "Let a device join" },
      { kind: "release", title: "Releasing the devices of the radio", releases },
    ],
    setup: (kind, talk) => (kind === "release" ? setup(talk) : Promise.reject(new Error(`${kind} was run`))),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function released(...drivers: readonly StatedDriver[]) {
  const clock = new VirtualClock();
  return { clock, release: new Release({ clock, log: silentLog, drivers }) };
}

test("each device that its driver names is released, with what the driver says as progress", async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { clock, release } = released(
    driver(async (talk) => {
      await first.promise;
      talk.tell("The lock has been released.");
      talk.found({ edgeId: LOCK, name: "lock" });
      await second.promise;
      talk.found({ edgeId: LAMP, name: "lamp" });
    }),
  );
  const begun = { isOver: false, text: "Releasing the devices of the radio", bound: 2, released: 0, mustBeReset: [] };
  expect(release.look()).toEqual(begun);
  first.resolve();
  await settle();
  expect(release.look()).toEqual({ ...begun, text: "The lock has been released.", released: 1 });
  second.resolve();
  await settle();
  expect(release.look()).toMatchObject({ isOver: true, released: 2, mustBeReset: [] });
  expect(clock.pending()).toEqual([]);
});

test("what a driver could not release must be reset; what it never had is not named", async () => {
  const { release } = released(
    driver(async (talk) => {
      talk.found({ edgeId: LOCK, name: "lock" });
      talk.found({ edgeId: "02-00-00-00-00-99", name: "not its own" });
      throw new Error("the radio is gone");
    }),
  );
  await settle();
  expect(release.look()).toMatchObject({ isOver: true, bound: 2, released: 1, mustBeReset: [LAMP] });
});

test.for([
  ["a person does not wait", (release: Release) => release.cut()],
  ["it takes too long", (_: Release, clock: VirtualClock) => clock.advance(MOST_MS)],
] as const)("when %s the driver hears of it, and the rest must be reset", async ([, end]) => {
  let heard = false;
  const { clock, release } = released(
    driver(async (talk) => {
      talk.found({ edgeId: LOCK, name: "lock" });
      talk.signal.addEventListener("abort", () => {
        heard = true;
      });
      await new Promise(() => undefined);
    }),
  );
  await settle();
  await end(release, clock);
  expect([heard, release.look()]).toEqual([true, expect.objectContaining({ isOver: true, mustBeReset: [LAMP] })]);
});

test("a question of a driver is rejected, because no person is there", async () => {
  const { release } = released(driver((talk) => talk.ask({ ask: "code", text: "Which code?" }).then(() => undefined)));
  await settle();
  expect(release.look()).toMatchObject({ isOver: true, mustBeReset: [LOCK, LAMP] });
});

test("without anything that is bound it is over at once", async () => {
  const { release } = released();
  await settle();
  expect(release.look()).toEqual({ isOver: true, text: "", bound: 0, released: 0, mustBeReset: [] });
});
