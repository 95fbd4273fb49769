import {
  type Admissions,
  carryOut,
  DriverStoreFull,
  SetupFailed,
  type SetupTalk,
  SupervisedDriver,
} from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { ChildDriver } from "./child-driver.ts";
import { chooseIpcVersion, IPC_VERSION } from "./ipc-version.ts";
import { memoryChannel } from "./memory-channel.fixture.ts";
import { LAMP, lamp, ON, scripted } from "./scripted-driver-in-a-child.fixture.ts";
import { throughChannel } from "./through-channel.fixture.ts";

const forever = new Promise<never>(() => undefined);

describe("a child that dies", () => {
  test("before it was allowed to touch the device leaves it as it was", async () => {
    const { child, attempt } = await scripted({ write: () => forever });
    const written = child.driver.write(LAMP, ON, true, attempt());
    await settle();
    child.channel.kill();
    expect(await written).toMatchObject({ outcome: "not_applied", detail: "The device's driver has ended." });
  });

  test("after that leaves an unknown outcome", async () => {
    const touchAndHang = (attempt: { touch: (send: () => void) => void }) => {
      attempt.touch(() => undefined);
      return forever;
    };
    const { child, attempt } = await scripted({ write: (_d, _a, _v, given) => touchAndHang(given) });
    const written = child.driver.write(LAMP, ON, true, attempt());
    await settle();
    child.channel.kill();
    expect(await written).toMatchObject({ outcome: "unknown" });
  });

  test("in the middle of the question is not believed to have kept still", async () => {
    const { child, attempt } = await scripted();
    child.channel.beforeTouch = () => child.channel.kill();
    const written = child.driver.write(LAMP, ON, true, attempt());
    expect(await written).toMatchObject({ kind: "failed" });
  });

  test("takes its devices with it, and says so", async () => {
    const { child, host } = await scripted();
    child.around.host.arrived(lamp());
    await settle();
    expect([child.driver.has(LAMP), [...host.live]]).toEqual([true, [LAMP]]);
    child.channel.kill();
    expect(await child.driver.failed).toBe("killed");
    expect([child.driver.has(LAMP), [...host.live]]).toEqual([false, []]);
    await child.driver[Symbol.asyncDispose]();
  });

  test("is started again by its supervisor", async () => {
    const [clock, host] = [new VirtualClock(), new FakeHost()];
    const channels: { kill(): void }[] = [];
    const supervised = new SupervisedDriver({
      name: "child",
      clock,
      random: seededRandom(1),
      log: silentLog,
      host,
      start: async (shared) => {
        const { driver, channel } = await throughChannel({ clock, host: shared }, (around) => {
          around.host.arrived(lamp());
          return {
            name: "script",
            has: () => true,
            read: () => forever,
            write: () => forever,
            [Symbol.asyncDispose]: async () => undefined,
          };
        });
        channels.push(channel);
        return driver;
      },
    });
    await clock.advance(0);
    channels[0]?.kill();
    await clock.advance(2000);
    expect(channels).toHaveLength(2);
    expect(host.story.filter((line) => line !== "opened")).toEqual([
      `arrived ${LAMP}`,
      `left ${LAMP}`,
      `arrived ${LAMP}`,
    ]);
    await supervised[Symbol.asyncDispose]();
  });
});

describe("a touch in a child", () => {
  test("is allowed once for each try, and not past the deadline of the agent", async () => {
    let asked = 0;
    const { child, attempt } = await scripted({
      write: (_device, _address, value, given) =>
        carryOut(given, (watched) => {
          watched.touch(() => undefined);
          watched.touch(() => undefined);
          return { now: value };
        }),
    });
    const written = child.driver.write(
      LAMP,
      ON,
      true,
      attempt(1000, () => asked++ < 1),
    );
    // The second one is refused.
    expect(await written).toMatchObject({ kind: "failed", outcome: "unknown" });
    expect(asked).toBe(2);
  });

  test("is not allowed for an attempt that has been answered, or never was", async () => {
    const { child, attempt } = await scripted();
    await child.driver.write(LAMP, ON, true, attempt());
    expect([child.channel.child.mayTouch(1), child.channel.child.mayTouch(77)]).toEqual([false, false]);
  });

  test("is not allowed when the caller has gone, who need not wait for the child", async () => {
    const caller = new AbortController();
    let seen: AbortSignal | undefined;
    const { child, attempt } = await scripted({
      write: (_device, _address, _value, given) =>
        carryOut(given, async () => {
          seen = given.signal;
          await new Promise((resolve) => given.signal?.addEventListener("abort", resolve));
          return given.touch(() => ({ now: true }));
        }),
    });
    const written = child.driver.write(
      LAMP,
      ON,
      true,
      attempt(10_000, () => true, caller.signal),
    );
    await settle();
    expect(seen?.aborted).toBe(false);
    caller.abort();
    expect(await written).toMatchObject({ kind: "failed", outcome: "not_applied" });
  });
});

describe("a device in a child", () => {
  test("may be had later, and is when the driver asks again", async () => {
    const { child, host } = await scripted();
    const { around } = child;
    const answers = [around.host.arrived(lamp())];
    around.host.whenFree(LAMP, () => answers.push(around.host.arrived(lamp())));
    await settle();
    expect(answers).toEqual(["later", "admitted"]);
    around.host.left(LAMP);
    await settle();
    expect(host.story).toEqual([`arrived ${LAMP}`, `left ${LAMP}`]);
  });

  test("that is live on another link is refused, and had as soon as it is free", async () => {
    const { child, host, clock } = await scripted();
    const { around } = child;
    host.live.add(LAMP);
    around.host.arrived(lamp());
    await settle();
    expect(around.host.arrived(lamp())).toBe("refused");
    let calls = 0;
    around.host.whenFree(LAMP, () => {
      calls += 1;
    });
    host.live.delete(LAMP);
    await clock.advance(30_000);
    expect([calls, around.host.arrived(lamp())]).toEqual([1, "admitted"]);
  });

  test("for which the driver does not come is given back", async () => {
    const { child, host, clock } = await scripted();
    child.around.host.arrived(lamp());
    await settle();
    expect([...host.live]).toEqual([LAMP]);
    await clock.advance(20_000);
    expect([...host.live]).toEqual([]);
  });

  test("that has not arrived has nothing to report, and nothing of it is stored", async () => {
    const { child, host } = await scripted();
    const { around } = child;
    const report = { device: LAMP, ...ON, value: true };
    expect(await around.host.reported(report, { node: LAMP, boot: 1, seq: 1 })).toBe("busy");
    expect(await around.host.pushed(report)).toBe("refused");
    await around.host.learned(report);
    around.host.unread(LAMP, ON);
    await settle();
    expect(host.story).toEqual([]);
  });

  test("reports retained values as retained", async () => {
    const { child, host } = await scripted();
    const { around } = child;
    around.host.arrived(lamp());
    await settle();
    for (const retained of [{ isRetained: true }, {}])
      await around.host.learned({ device: LAMP, ...ON, value: true, ...retained });
    expect(host.learnings.map(({ isRetained }) => isRetained)).toEqual([true, undefined]);
  });

  test("with a description that none can have costs itself and not the driver", async () => {
    const { child, host } = await scripted();
    const { around } = child;
    expect(around.host.arrived({ ...lamp(), transport: "" })).toBe("refused");
    expect(around.host.arrived(lamp("nonsense"))).toBe("refused");
    around.host.arrived(lamp());
    expect(await around.host.pushed({ device: LAMP, ...ON, value: "x".repeat(20_000) })).toBe("refused");
    await settle();
    expect(host.story).toEqual([`arrived ${LAMP}`]);
  });
});

/** Admissions that a test gives and takes. */
class Hands implements Admissions {
  readonly #admitted = new Set<string>();
  readonly #listeners = new Set<() => void>();
  isAdmitted(edgeId: string): boolean {
    return this.#admitted.has(edgeId);
  }
  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }
  set(edgeId: string, admitted: boolean): void {
    if (admitted) this.#admitted.add(edgeId);
    else this.#admitted.delete(edgeId);
    for (const changed of this.#listeners) changed();
  }
  get listeners(): number {
    return this.#listeners.size;
  }
}

describe("a device of a package", () => {
  const none = { all: false, edgeIds: new Set<string>() };
  const all = { all: true, edgeIds: new Set<string>() };

  test("that is not admitted is found and left alone, until a user admits it", async () => {
    const admissions = new Hands();
    const { child, host } = await scripted({}, { admit: none, admissions });
    child.around.host.arrived(lamp());
    await settle();
    expect([...host.live]).toEqual([]);
    expect(child.driver.found()).toEqual([
      { edgeId: LAMP, about: {}, services: ["Switch"], admission: "not_admitted" },
    ]);
    admissions.set(LAMP, true);
    await settle();
    expect([[...host.live], child.driver.found()]).toEqual([[LAMP], []]);
    admissions.set(LAMP, false);
    await settle();
    expect([[...host.live], child.driver.has(LAMP)]).toEqual([[], false]);
    await child.driver[Symbol.asyncDispose]();
    expect(admissions.listeners).toBe(0);
  });

  test.for([
    ["Switch", undefined],
    ["Lock", "awaiting_admission"],
    ["GarageDoor", "awaiting_admission"],
  ] as const)("with %s is had with all others, or awaits its own admission", async ([service, admission]) => {
    const { child } = await scripted({}, { admit: all });
    child.around.host.arrived(lamp(LAMP, service));
    await settle();
    expect(child.driver.has(LAMP)).toBe(admission === undefined);
    expect(child.driver.found()[0]?.admission).toBe(admission);
  });

  test("that becomes a lock leaves", async () => {
    const { child, host } = await scripted({}, { admit: all });
    child.around.host.arrived(lamp());
    await settle();
    child.around.host.arrived(lamp());
    child.around.host.described(lamp(LAMP, "Lock"));
    await settle();
    expect(host.story).toEqual([`arrived ${LAMP}`, `left ${LAMP}`]);
  });

  test("may not be spoken for by another package's reports", async () => {
    const { child, host } = await scripted({}, { admit: all });
    const { around } = child;
    around.host.arrived(lamp());
    await settle();
    const foreign = await around.host.reported(
      { device: LAMP, ...ON, value: true },
      { node: "02-00-00-00-00-99", boot: 1, seq: 1 },
    );
    around.host.forgetReports("02-00-00-00-00-99");
    await settle();
    expect([foreign, host.forgotten]).toEqual(["busy", []]);
  });

  test("that is another hub's leaves, also when the driver holds on to it, and comes back when that hub lets it go", async () => {
    const { child, host, clock } = await scripted({}, { admit: all });
    const { around } = child;
    around.host.arrived(lamp());
    await settle();
    around.host.arrived(lamp());
    host.refuses.add(LAMP);
    child.driver.yield([LAMP]);
    expect([child.driver.has(LAMP), [...host.live]]).toEqual([false, []]);
    host.refuses.delete(LAMP);
    await clock.advance(30_000);
    expect([child.driver.has(LAMP), [...host.live]]).toEqual([true, [LAMP]]);
  });

  test("is known to its driver as admitted when the driver asks", async () => {
    const admissions = new Hands();
    const { child } = await scripted({}, { admit: none, admissions });
    const { around } = child;
    let changes = 0;
    around.admissions.listen(() => {
      changes += 1;
    });
    expect(around.admissions.isAdmitted(LAMP)).toBe(false);
    admissions.set(LAMP, true);
    await settle();
    expect([around.admissions.isAdmitted(LAMP), changes]).toEqual([true, 1]);
  });
});

describe("a child that misbehaves", () => {
  test.for([
    [{ type: "nonsense" }, "it violates the protocol (nonsense.type)"],
    [{ type: "left", edgeId: "x" }, "it violates the protocol (left.edgeId)"],
    ["text", "it violates the protocol (no type)"],
    [{ type: "failed", why: "the board is on fire" }, "the board is on fire"],
  ] as const)("by %j is ended, and the reason is reported", async ([message, why]) => {
    const { child } = await scripted();
    child.channel.child.send(Object(message));
    expect(await child.driver.failed).toBe(why);
    expect(await child.ended).toBe(why);
  });

  test("by a message of more than a mebibyte is ended", async () => {
    const { child } = await scripted();
    child.channel.child.send({ type: "failed", why: "x".repeat(1024 * 1024) });
    expect(await child.driver.failed).toBe("a message is too large");
  });

  test("by more than a thousand questions at once is ended", async () => {
    const { child } = await scripted({}, { store: { ...memoryStore(), get: () => forever } });
    for (let id = 1; id <= 1001; id++) child.channel.child.send({ type: "store_get", id, key: "k" });
    expect(await child.driver.failed).toBe("it makes too many requests at once");
  });

  test("by standing still is ended once it has not answered for fifteen seconds", async () => {
    const { child, clock } = await scripted();
    child.channel.child.listen({ received: () => undefined, closed: () => undefined });
    await clock.advance(15_000);
    expect(child.channel.sent.filter((line) => line === "> ping")).toHaveLength(4);
    await clock.advance(5000);
    expect(await child.driver.failed).toBe("it stands still");
  });

  test("by a thousand messages of the log has most of them dropped, and that is counted", async () => {
    const lines: string[] = [];
    const log = { ...silentLog, info: (_fields: unknown, text: string) => void lines.push(text) };
    const { child } = await scripted({}, { log });
    for (let n = 0; n < 1000; n++) child.around.log.info({ n }, "hello");
    await settle();
    expect([lines.length, child.driver.status()]).toEqual([100, { droppedLogLines: 900 }]);
  });

  test("by a driver that throws ends, and what was asked is answered by what was touched", async () => {
    const { child, attempt } = await scripted({
      read: () => {
        throw new Error("a mistake");
      },
    });
    expect(await child.driver.read(LAMP, ON, attempt())).toMatchObject({ outcome: "not_applied" });
    expect(await child.driver.failed).toBe("a mistake");
  });

  test("by not ending is ended", async () => {
    const { child, clock } = await scripted({ [Symbol.asyncDispose]: () => forever });
    const ended = child.driver[Symbol.asyncDispose]();
    await clock.until(ended);
    expect([await child.driver.failed, clock.monotonic(), clock.pending()]).toEqual(["it does not end", 4500, []]);
  });

  test("by answering late ends only when it has answered all that it was asked", async () => {
    const late = Promise.withResolvers<{ kind: "value"; value: boolean }>();
    const { child, attempt } = await scripted({
      write: () => late.promise,
      [Symbol.asyncDispose]: async () => void settle().then(() => late.resolve({ kind: "value", value: true })),
    });
    const written = child.driver.write(LAMP, ON, true, attempt());
    await settle();
    await child.driver[Symbol.asyncDispose]();
    expect(await written).toEqual({ kind: "value", value: true });
  });

  test("by not starting is ended, and its start fails with why", async () => {
    const [clock, host] = [new VirtualClock(), new FakeHost()];
    const never = throughChannel({ clock, host }, () => forever);
    await expect(clock.until(never)).rejects.toThrow("it does not start");
    const broken = throughChannel({ clock, host }, () => {
      throw new Error("no such board");
    });
    await expect(clock.until(broken)).rejects.toThrow("no such board");
    expect(clock.pending()).toEqual([]);
  });
});

describe("the channel", () => {
  test.for([
    [1, 1, 1],
    [1, 9, IPC_VERSION],
    [IPC_VERSION + 1, 9, undefined],
    [0, 0, undefined],
  ] as const)("between %d and %d is spoken as version %s", ([oldest, newest, version]) => {
    expect(chooseIpcVersion(oldest, newest)).toBe(version);
  });

  test("to a child of another version is closed", async () => {
    const { parent, child } = memoryChannel();
    const clock = new VirtualClock();
    child.listen({ received: () => child.send({ type: "hello", version: 99 }), closed: () => undefined });
    const start = ChildDriver.start({
      name: "other",
      channel: parent,
      entry: "",
      settings: {},
      host: (await scripted()).child.around.host,
      store: memoryStore(),
      askClaims: async () => [],
      clock,
      log: silentLog,
    });
    await expect(start).rejects.toThrow("it has a different version");
  });

  test("carries what the driver keeps, in pages, and says when there is no room", async () => {
    const full = new Set(["full"]);
    const kept = memoryStore();
    const store = {
      ...kept,
      set: (key: string, value: Uint8Array | undefined) =>
        full.has(key) ? Promise.reject(new DriverStoreFull()) : kept.set(key, value),
    };
    const { child } = await scripted({}, { store });
    const { around } = child;
    for (const key of ["a1", "a2", "a3", "b1"]) await around.store.set(key, Buffer.alloc(300_000, key));
    const all = await around.store.all("a");
    expect([...all].map(([key, value]) => [key, value.byteLength, value[1]])).toEqual([
      ["a1", 300_000, 0x31],
      ["a2", 300_000, 0x32],
      ["a3", 300_000, 0x33],
    ]);
    await around.store.set("a1", undefined);
    expect(await around.store.get("a1")).toBeUndefined();
    expect(Buffer.from((await around.store.get("b1")) ?? []).toString("utf8", 0, 2)).toBe("b1");
    await expect(around.store.set("full", Buffer.from("x"))).rejects.toThrow(DriverStoreFull);
    await expect(around.store.set("large", Buffer.alloc(600_000))).rejects.toThrow(DriverStoreFull);
  });

  test("carries whose devices are whose, and which are to be left alone", async () => {
    const yielded: (readonly string[])[] = [];
    const { child } = await scripted(
      { yield: (edgeIds) => void yielded.push(edgeIds) },
      { askClaims: async (edgeIds) => edgeIds.slice(1) },
    );
    expect(await child.around.askClaims([LAMP, "02-00-00-00-00-02"])).toEqual(["02-00-00-00-00-02"]);
    child.driver.yield([LAMP]);
    await settle();
    expect(yielded).toEqual([[LAMP]]);
  });

  test("carries what the driver says of itself, when it has changed and at most once a second", async () => {
    let problem: string | undefined;
    const { child, clock } = await scripted({
      problem: () => problem,
      status: () => ({ boards: 2 }),
      setups: () => [
        { kind: "join", title: "Let a board join" },
        { kind: "release", title: "Release the lamp", releases: [LAMP] },
      ],
      found: () => [{ edgeId: LAMP, about: {}, services: [], admission: "not_admitted" }],
      unpaired: () => [{ name: "Board", missing: "Its key.", setup: "join" }],
    });
    expect(child.driver.unpaired()).toEqual([{ name: "Board", missing: "Its key.", setup: "join" }]);
    expect([child.driver.status(), child.driver.problem(), child.driver.found().length]).toEqual([
      { boards: 2 },
      undefined,
      1,
    ]);
    expect(child.driver.setups()).toEqual([
      { kind: "join", title: "Let a board join" },
      { kind: "release", title: "Release the lamp", releases: [LAMP] },
    ]);
    problem = "The board is not there.";
    for (let n = 0; n < 10; n++) child.around.host.opened("script");
    await clock.advance(1000);
    expect(child.driver.problem()).toBe(problem);
    expect(child.channel.sent.filter((line) => line === "< state")).toHaveLength(2);
  });
});

describe("a setup in a child", () => {
  const talkWith = (answer: string) => {
    const story: string[] = [];
    const ending = new AbortController();
    const talk: SetupTalk = {
      signal: ending.signal,
      tell: (text, seconds) => void story.push(`${text} ${seconds}`),
      ask: async ({ ask, text }) => {
        story.push(`${ask}: ${text}`);
        return answer;
      },
      found: ({ name }) => void story.push(`found ${name}`),
    };
    return { story, ending, talk };
  };

  test("is a conversation with the person, to its end", async () => {
    const { child } = await scripted({
      setup: async (_kind, talk) => {
        talk.tell("Press the button", 30);
        const code = await talk.ask({ ask: "code", text: "The code" });
        talk.found({ name: `board ${code}` });
      },
    });
    const { story, talk } = talkWith("1234");
    await child.driver.setup("join", talk);
    expect(story).toEqual(["Press the button 30", "code: The code", "found board 1234"]);
  });

  test("that fails says why, also when the child dies of it", async () => {
    const { child } = await scripted({
      setup: async (kind) => {
        if (kind === "die") child.channel.kill();
        throw new SetupFailed("No board has answered.");
      },
    });
    const { talk } = talkWith("");
    await expect(child.driver.setup("join", talk)).rejects.toThrow(new SetupFailed("No board has answered."));
    await expect(child.driver.setup("die", talk)).rejects.toThrow(SetupFailed);
  });

  test("that the person ends is over at once, and in the driver too", async () => {
    let inside: AbortSignal | undefined;
    const { child } = await scripted({
      setup: async (_kind, talk) => {
        inside = talk.signal;
        await talk.ask({ ask: "choice", text: "Which", choices: ["a"] });
      },
    });
    const { talk, ending } = talkWith("");
    const running = child.driver.setup("join", { ...talk, ask: () => forever });
    await settle();
    ending.abort(new Error("gone"));
    await expect(running).rejects.toThrow("gone");
    await settle();
    expect(inside?.aborted).toBe(true);
  });
});
