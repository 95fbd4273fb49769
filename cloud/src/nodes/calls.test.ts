/** What one node asks of another: answered, refused in its words, cancelled, and never begun after its deadline. */
import { NamedError, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { beforeEach, expect, test } from "vitest";
import { BusMedium, type MemoryBus } from "../bus/memory-bus.fixture.ts";
import { Calls, NoAnswer, NoResponder, NotHere } from "./calls.ts";

let clock: VirtualClock;
let buses: [MemoryBus, MemoryBus];
let asker: Calls;
let asked: Calls;
beforeEach(() => {
  clock = new VirtualClock();
  const medium = new BusMedium(clock);
  buses = [medium.join(), medium.join()];
  const node = (bus: MemoryBus, id: string) => {
    const calls = Calls.start({ bus, clock, log: silentLog, nodeId: () => id });
    calls.listenAs(id);
    return calls;
  };
  asker = node(buses[0], "a");
  asked = node(buses[1], "b");
});

const within = (ms: number) => ({ answerBy: clock.monotonic() + ms });

test("it is answered, and knows how long there is", async () => {
  asked.handle("double", async (params, { answerBy }) => ({
    twice: Number(params) * 2,
    left: answerBy - clock.monotonic(),
  }));
  expect(await asker.ask("b", "double", 21, within(5_000))).toEqual({ twice: 42, left: 5_000 });
});

test("an error comes with its name, its sentence and all that a caller needs", async () => {
  asked.handle("refuse", async () => {
    throw new NamedError("Hub Offline", "It is not there.", {
      outcome: "not_sent",
      retryAfter: 5,
      members: { code: 3 },
    });
  });
  await expect(asker.ask("b", "refuse", {}, within(5_000))).rejects.toMatchObject({
    name: "Hub Offline",
    message: "It is not there.",
    status: 503,
    outcome: "not_sent",
    retryAfter: 5,
    members: { code: 3 },
  });
});

test("what is no error of the service is not sent to the other node", async () => {
  asked.handle("break", async () => {
    throw new Error("a secret of this node");
  });
  const failure = await asker.ask("b", "break", {}, within(5_000)).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: "Internal Error" });
  expect(String((failure as Error).message)).not.toContain("secret");
});

test("nothing was done where no node is, where it is not known, or where it is not any more", async () => {
  asked.handle("gone", async () => {
    throw new NotHere("the hub has left");
  });
  await expect(asker.ask("nobody", "gone", {}, within(5_000))).rejects.toBeInstanceOf(NoResponder);
  await expect(asker.ask("b", "unknown", {}, within(5_000))).rejects.toBeInstanceOf(NotHere);
  await expect(asker.ask("b", "gone", {}, within(5_000))).rejects.toBeInstanceOf(NotHere);
});

test("without an answer it is not known what was done", async () => {
  asked.handle("be silent", () => new Promise(() => undefined));
  const failed = asker.ask("b", "be silent", {}, within(2_000)).catch((error: unknown) => error);
  await clock.advance(3_000);
  expect(await failed).toBeInstanceOf(NoAnswer);
});

test("what comes after its deadline is not begun", async () => {
  const begun: unknown[] = [];
  asked.handle("late", async (params) => begun.push(params));
  const question = { id: "a.1", method: "late", deadline: clock.now() - 1, params: {} };
  expect(await buses[0].ask("porchlight.node.b.ask", question, 1_000)).toMatchObject({ notHere: expect.any(String) });
  expect(begun).toEqual([]);
});

test("a caller that goes away has it cancelled", async () => {
  const left = Promise.withResolvers<unknown>();
  asked.handle("wait", (_params, { signal }) => {
    signal.addEventListener("abort", () => left.resolve(signal.reason));
    return new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(new NotHere("nobody waits"))),
    );
  });
  const leave = new AbortController();
  const answer = asker.ask("b", "wait", {}, { ...within(5_000), signal: leave.signal }).catch(() => undefined);
  await clock.advance(10);
  leave.abort(new Error("gone"));
  await clock.advance(10);
  expect(await left.promise).toBeInstanceOf(Error);
  await answer;
  expect(asked.underWay).toBe(0);
});

test("a process that became another node is asked under its new name only", async () => {
  asked.handle("ping", async () => "pong");
  asked.listenAs("c");
  expect(await asker.ask("c", "ping", {}, within(1_000))).toBe("pong");
  await expect(asker.ask("b", "ping", {}, within(1_000))).rejects.toBeInstanceOf(NoResponder);
});
