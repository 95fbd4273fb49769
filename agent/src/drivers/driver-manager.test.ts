/** What a person asks of a hub's drivers, on a virtual clock. */
import { SetupFailed, type SetupTalk, type StatedDriver } from "@porchlight/driver-kit";
import { seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { type DriverAnswer, driverAnswer, type HubSetup } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { DriverManager } from "./driver-manager.ts";
import { MOST_MS } from "./setup-run.ts";

const LOCK = "02-00-00-00-00-41";

class Hub {
  readonly clock = new VirtualClock();
  readonly admitted = new Set<string>();
  /** What the driver of bridges does in a setup. */
  script: (talk: SetupTalk) => Promise<void> = async () => undefined;
  readonly bridges: StatedDriver = {
    name: "bridges",
    has: (edgeId) => edgeId === "02-00-00-00-00-40",
    read: () => Promise.reject(new Error("is not read")),
    write: () => Promise.reject(new Error("is not written")),
    unpaired: () => [{ name: "Attic bridge", missing: "Press its button.", setup: "bridge" }],
    found: () => [
      { edgeId: LOCK, about: { name: "Front door" }, services: ["Lock", "Lock"], admission: "awaiting_admission" },
    ],
    problem: () => "The bridge does not answer.",
    setups: () => [
      { kind: "bridge", title: "Pair a bridge" },
      { kind: "release", title: "Release the lock", releases: [LOCK] },
    ],
    setup: (_kind, talk) => this.script(talk),
    status: () => ({ driver: "running" }),
    [Symbol.asyncDispose]: async () => undefined,
  };
  readonly manager = new DriverManager({
    clock: this.clock,
    random: seededRandom(1),
    log: silentLog,
    drivers: () => [this.bridges],
    devices: () => ["02-00-00-00-00-40", "02-00-00-00-00-42"],
    admissions: {
      admit: async (edgeId) => {
        if (this.admitted.size === 2) return "full";
        this.admitted.add(edgeId);
        return "admitted";
      },
      withdraw: async (edgeId) => void this.admitted.delete(edgeId),
    },
  });

  /** Every answer fits what goes through the tunnel. */
  async ask(question: Parameters<DriverManager["answer"]>[0]): Promise<DriverAnswer> {
    const answer = await this.manager.answer(question);
    expect(driverAnswer.parse(answer)).toEqual(answer);
    return answer;
  }

  async setup(question: Parameters<DriverManager["answer"]>[0]): Promise<HubSetup> {
    const answer = await this.ask(question);
    if ("setup" in answer) return answer.setup;
    throw new Error(JSON.stringify(answer));
  }

  start(): Promise<HubSetup> {
    return this.setup({ ask: "setup start", kind: "bridge" });
  }

  look(id: string, after = 0, waitMs = 0): Promise<HubSetup> {
    return this.setup({ ask: "setup look", id, after, waitMs });
  }
}

const refused = async (answer: Promise<DriverAnswer>) => {
  const given = await answer;
  return "refused" in given ? given.refused.name : undefined;
};

test("a driver is listed with its problem, live devices, devices that await admission, and setups", async () => {
  expect(await new Hub().ask({ ask: "drivers" })).toEqual({
    drivers: [
      {
        name: "bridges",
        state: "running",
        problem: "The bridge does not answer.",
        devices: 1,
        found: [{ edgeId: LOCK, name: "Front door", services: ["Lock"], admission: "awaiting_admission" }],
        unpaired: [{ name: "Attic bridge", missing: "Press its button.", setup: "bridge" }],
        setups: [{ kind: "bridge", title: "Pair a bridge" }],
      },
    ],
  });
});

test("a person admits a device and takes that back, as often as the person says so", async () => {
  const hub = new Hub();
  for (const _ of [1, 2]) {
    expect(await hub.ask({ ask: "admit", edgeId: LOCK, admitted: true })).toEqual({ admitted: true });
    expect(hub.admitted).toEqual(new Set([LOCK]));
  }
  for (const _ of [1, 2])
    expect(await hub.ask({ ask: "admit", edgeId: LOCK, admitted: false })).toEqual({ admitted: false });
  expect(hub.admitted.size).toBe(0);
  hub.admitted.add("02-00-00-00-00-01").add("02-00-00-00-00-02");
  expect(await refused(hub.ask({ ask: "admit", edgeId: LOCK, admitted: true }))).toBe("Quota Exceeded");
});

test("a setup instructs, asks, takes the answer, reports the devices that it finds, and ends", async () => {
  const hub = new Hub();
  hub.script = async (talk) => {
    talk.tell("Press the button on the bridge.", 30);
    const bridge = await talk.ask({ ask: "choice", text: "Which one?", choices: ["one", "two"] });
    talk.found({ edgeId: LOCK, name: `a lock of ${bridge}` });
  };
  const begun = await hub.start();
  await settle();
  const asking = await hub.look(begun.id);
  expect(asking).toMatchObject({
    state: "asking",
    driver: "bridges",
    question: { number: 1, ask: "choice", text: "Which one?", choices: ["one", "two"] },
  });
  const answer = (text: string, number = 1) => hub.ask({ ask: "setup answer", id: begun.id, number, answer: text });
  expect(await refused(answer("three"))).toBe("Setup Answer Invalid");
  expect(await refused(answer("two", 2))).toBe("Setup Answer Invalid");
  expect(await answer("two")).toMatchObject({ setup: { state: "running" } });
  await settle();
  const done = await hub.look(begun.id);
  expect(done).toMatchObject({ state: "done", found: [{ edgeId: LOCK, name: "a lock of two" }] });
  expect(done.question).toBeUndefined();
  // Who does not know whether the answer has come says it again.
  expect(await refused(answer("two"))).toBeUndefined();
  expect(await refused(answer("one"))).toBe("Setup Answer Invalid");
});

test("a look waits until something is new, no longer than asked for, and reports the time that is left", async () => {
  const hub = new Hub();
  const pressed = Promise.withResolvers<void>();
  hub.script = async (talk) => {
    talk.tell("Press the button on the bridge.", 30);
    await pressed.promise;
    talk.tell("It is paired.");
    await new Promise((resolve) => talk.signal.addEventListener("abort", resolve));
  };
  const { id, version } = await hub.start();
  const patient = hub.look(id, version, 10_000);
  await hub.clock.advance(9_999);
  expect(await Promise.race([patient, settle().then(() => "waits")])).toBe("waits");
  await hub.clock.advance(1);
  expect(await patient).toMatchObject({ version, text: "Press the button on the bridge.", secondsLeft: 20 });
  const next = hub.look(id, version, 10_000);
  pressed.resolve();
  expect(await next).toMatchObject({ text: "It is paired.", version: version + 1 });
  expect((await hub.look(id)).secondsLeft).toBeUndefined();
  hub.manager[Symbol.dispose]();
  await settle();
  expect(hub.clock.pending()).toEqual([]);
});

test.for([
  [
    "a person ends it",
    (hub: Hub, id: string) => hub.ask({ ask: "setup cancel", id }),
    "cancelled",
    "A person ended the setup.",
  ],
  ["it takes too long", (hub: Hub) => hub.clock.advance(MOST_MS), "failed", "The setup took too long. Start it again."],
] as const)("a setup is over when %s, and its driver hears of it", async ([, act, state, text]) => {
  const hub = new Hub();
  let heard: unknown;
  hub.script = async (talk) => {
    await talk.ask({ ask: "code", text: "Which code?" }).catch((failure: unknown) => {
      heard = failure;
      throw failure;
    });
  };
  const { id } = await hub.start();
  await settle();
  await act(hub, id);
  await settle();
  expect(heard).toBeInstanceOf(SetupFailed);
  expect(await hub.look(id)).toMatchObject({ state, text });
  expect(await hub.ask({ ask: "setup cancel", id })).toMatchObject({ setup: { state } });
});

test("a setup that fails says why in the driver's words, and names no word of what the driver threw by mistake", async () => {
  const hub = new Hub();
  hub.script = () => Promise.reject(new SetupFailed("The bridge has refused the code."));
  expect(await hub.look((await hub.start()).id, 1, 1000)).toMatchObject({
    state: "failed",
    text: "The bridge has refused the code.",
  });
  hub.script = () => Promise.reject(new Error("password=swordfish"));
  const { id } = await hub.start();
  await settle();
  expect((await hub.look(id)).text).toBe("The driver of bridges has failed.");
});

test("what releases devices is started by no person; it is run once, and cut short by force", async () => {
  const hub = new Hub();
  let runs = 0;
  hub.script = () => {
    runs += 1;
    return new Promise(() => undefined);
  };
  expect(await refused(hub.ask({ ask: "setup start", kind: "release" }))).toBe("Setup Kind Invalid");
  expect(hub.manager.release(false)).toMatchObject({ isOver: false, bound: 1 });
  expect(hub.manager.release(false)).toMatchObject({ isOver: false, bound: 1 });
  expect(hub.manager.release(true)).toMatchObject({ isOver: true, mustBeReset: [LOCK] });
  expect(runs).toBe(1);
});

test("a driver runs one setup at a time, of the kinds that it offers; one that is not known is not found", async () => {
  const hub = new Hub();
  hub.script = () => new Promise(() => undefined);
  expect(await refused(hub.ask({ ask: "setup start", kind: "coffee" }))).toBe("Setup Kind Invalid");
  const { id } = await hub.start();
  expect(await refused(hub.ask({ ask: "setup start", kind: "bridge" }))).toBe("Setup In Use");
  expect(await refused(hub.ask({ ask: "setup look", id: "none", after: 0, waitMs: 0 }))).toBe("Setup Not Found");
  await hub.ask({ ask: "setup cancel", id });
  expect((await hub.start()).state).toBe("running");
});

test("the Matter bridge's report is listed with the drivers, until the bridge has been silent for a while", async () => {
  const hub = new Hub();
  const is = { state: "waiting", qrCode: "MT:Y.K908", manualCode: "34970112332", devices: 3, controllers: [] } as const;
  expect(await hub.ask({ ask: "drivers" })).not.toHaveProperty("matterBridge");
  expect(await hub.ask({ ask: "matter bridge", is: { ...is, controllers: [] } })).toEqual({ heard: true });
  expect(await hub.ask({ ask: "drivers" })).toMatchObject({ matterBridge: is });
  await hub.clock.advance(60_000);
  await hub.ask({
    ask: "matter bridge",
    is: { state: "paired", devices: 4, controllers: [{ vendorId: 4937, label: "" }] },
  });
  await hub.clock.advance(89_999);
  expect(await hub.ask({ ask: "drivers" })).toMatchObject({ matterBridge: { state: "paired", devices: 4 } });
  await hub.clock.advance(1);
  expect(await hub.ask({ ask: "drivers" })).not.toHaveProperty("matterBridge");
});
