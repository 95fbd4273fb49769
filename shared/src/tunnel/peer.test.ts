/** One end of a tunnel's conversation: what a caller may conclude from each way in which an ask can end. */
import { expect, test } from "vitest";
import { settle, VirtualClock } from "../kernel/index.ts";
import { type Carry, type SocketPair, socketPair } from "./memory-socket.ts";
import { Peer, type PeerEvents, PeerGone, PeerRefused, PeerTimeout } from "./peer.ts";
import { notificationText } from "./rpc.ts";
import { MAX_MESSAGE_BYTES } from "./version.ts";

const WINDOW = 128 * 1024;

/** A hub and a cloud on one line. `stories` has the events of each. */
function scene(options: { hub?: Partial<PeerEvents>; carry?: Carry; outboxBytes?: number } = {}) {
  const clock = new VirtualClock();
  const pair: SocketPair = socketPair(options.carry);
  const stories: Record<"cloud" | "hub", string[]> = { cloud: [], hub: [] };
  const events = (side: "cloud" | "hub"): PeerEvents => ({
    request: () => undefined,
    notification: () => false,
    down: (reason) => void stories[side].push(`down: ${reason}`),
    dropped: (what) => void stories[side].push(what),
    ...(side === "hub" ? options.hub : undefined),
  });
  const cloud = new Peer(pair.a, clock, events("cloud"), options.outboxBytes);
  const hub = new Peer(pair.b, clock, events("hub"));
  const ask = (params: unknown = {}, signal?: AbortSignal, onId?: (id: number) => void) =>
    cloud.ask("command", params, { timeoutMs: 1_000, signal, ...(onId && { onId }) });
  return { clock, pair, cloud, hub, ask, stories };
}

/** A line that carries nothing until it is released. */
function heldLine() {
  const held: (() => void)[] = [];
  const carry: Carry = (deliver) => void held.push(deliver);
  const release = async () => {
    for (let next = held.shift(); next; next = held.shift()) {
      next();
      await settle(1);
    }
  };
  return { carry, release, held };
}

/** A cable is pulled, and both ends notice. */
function cut(pair: SocketPair): void {
  pair.breakFor("a");
  pair.breakFor("b");
}

const never = () => new Promise<unknown>(() => undefined);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ unexpected: value }),
    (error: unknown) => error,
  );

test("a request gets its own answer, also when answers arrive in another order", async () => {
  const { clock, ask } = scene({
    hub: {
      request: async (_method, params) => {
        if (params === "slow") await settle(3);
        return { did: params };
      },
    },
  });
  const both = Promise.all([ask("slow"), ask("quick")]);
  await expect(clock.until(both)).resolves.toEqual([{ did: "slow" }, { did: "quick" }]);
  expect(clock.pending()).toEqual([]);
});

test("both ends ask and notify at the same time", async () => {
  const heard: unknown[] = [];
  const { clock, cloud, hub } = scene({
    hub: { notification: (method, params) => heard.push(method, params) > 0, request: async () => "from the hub" },
  });
  expect(cloud.notify("cancel", { id: 4 })).toBe(true);
  const there = cloud.ask("read", {}, { timeoutMs: 10 });
  const back = failure(hub.ask("heartbeat", {}, { timeoutMs: 10 }));
  await expect(clock.until(there)).resolves.toBe("from the hub");
  await expect(back).resolves.toMatchObject({ error: { code: -32601 } });
  expect(heard).toEqual(["cancel", { id: 4 }]);
});

test("a line that drops under a request in flight says that it may have been sent", async () => {
  const { pair, ask, stories } = scene({ hub: { request: never } });
  const error = failure(ask());
  await settle();
  cut(pair);
  expect(await error).toEqual(new PeerGone(true));
  expect(await error).toMatchObject({ sent: true });
  expect(stories).toEqual({ cloud: ["down: lost"], hub: ["down: lost"] });
});

test("a request that waited behind a full socket when the line dropped was surely not sent", async () => {
  const line = heldLine();
  const { pair, ask } = scene({ carry: line.carry });
  const first = failure(ask("x".repeat(WINDOW)));
  const second = failure(ask());
  cut(pair);
  expect(await first).toMatchObject({ sent: true });
  expect(await second).toMatchObject({ sent: false });
});

test("asking a tunnel that is down fails at once as not sent", async () => {
  const { pair, cloud, ask } = scene();
  cut(pair);
  expect(cloud.isDown).toBe(true);
  expect(await failure(ask())).toMatchObject({ sent: false });
  expect(cloud.notify("goaway", {})).toBe(false);
});

test("no answer in time is a timeout of a request that was sent; the answer that comes later is counted and harms nothing", async () => {
  let answer: (value: unknown) => void = () => undefined;
  const { clock, ask, cloud, stories } = scene({
    hub: { request: () => new Promise((resolve) => (answer = resolve)) },
  });
  const error = failure(ask());
  await clock.advance(1_000);
  expect(await error).toBeInstanceOf(PeerTimeout);
  expect(await error).toMatchObject({ sent: true });
  answer("late");
  await settle();
  expect([stories.cloud, cloud.isDown]).toEqual([["late_answer"], false]);
});

test("a request that timed out in the queue is reported as not sent, and then really never leaves", async () => {
  const line = heldLine();
  const heard: unknown[] = [];
  const { clock, ask } = scene({
    carry: line.carry,
    hub: {
      request: (_method, params) => {
        heard.push(params);
        return never();
      },
    },
  });
  void failure(ask("x".repeat(WINDOW)));
  const error = failure(ask("second"));
  await clock.advance(1_000);
  expect(await error).toMatchObject({ sent: false });
  await line.release();
  expect(heard).toEqual(["x".repeat(WINDOW)]);
});

test("a caller that goes away ends its ask with its own reason; one that is gone already sends nothing", async () => {
  const heard: unknown[] = [];
  const { ask, cloud } = scene({
    hub: {
      request: (_method, params) => {
        heard.push(params);
        return never();
      },
    },
  });
  const leaving = new AbortController();
  const ids: number[] = [];
  const error = failure(ask("first", leaving.signal, (id) => ids.push(id)));
  await settle();
  leaving.abort("gone");
  expect(await error).toBe("gone");
  expect(await failure(ask("second", leaving.signal))).toBe("gone");
  await settle();
  expect([heard, ids, cloud.waitingBytes]).toEqual([["first"], [1], 0]);
});

test("an unknown method or notification is answered and counted, and the tunnel stays", async () => {
  const { clock, cloud, ask, stories } = scene();
  await expect(clock.until(failure(ask()))).resolves.toMatchObject({
    error: { code: -32601, message: "unknown method" },
  });
  cloud.notify("from the future", { x: 1 });
  await settle();
  expect([stories.hub, cloud.isDown]).toEqual([["unknown_method", "unknown_method"], false]);
});

test.for([
  ["no JSON", "lamp"],
  ["a list", "[]"],
  ["another JSON-RPC", '{"jsonrpc":"1.0","method":"heartbeat"}'],
  ["neither request nor answer", '{"jsonrpc":"2.0","id":1}'],
  ["an id that is none", '{"jsonrpc":"2.0","id":"1","method":"heartbeat"}'],
  ["more than a message may hold", notificationText("heartbeat", "x".repeat(MAX_MESSAGE_BYTES))],
])("%s closes the tunnel as malformed, on both ends", async ([, text]) => {
  const { pair, stories, hub } = scene();
  pair.a.send(text ?? "", () => undefined);
  await settle();
  expect(stories).toEqual({ cloud: ["down: malformed"], hub: ["down: malformed"] });
  expect(hub.isDown).toBe(true);
});

test("a refusal reaches the caller as it was meant; a fault of the other end reaches it without its details", async () => {
  const refusal = { code: -32602, message: "invalid params" };
  const faults: unknown[] = [];
  const { clock, ask } = scene({
    hub: {
      request: (_method, params) => {
        if (params === "refused") return Promise.reject(new PeerRefused(refusal));
        if (params === "rejected") return Promise.reject(new Error("/home/hub/agent.db is locked"));
        throw new Error("thrown at once");
      },
      dropped: (what, error) => void faults.push(what, String(error)),
    },
  });
  const errors = Promise.all(["refused", "rejected", "thrown"].map((how) => failure(ask(how))));
  await expect(clock.until(errors)).resolves.toMatchObject([
    { error: refusal },
    { error: { code: -32603, message: "internal error" } },
    { error: { code: -32603, message: "internal error" } },
  ]);
  expect(faults).toEqual([
    "failed_request",
    "Error: thrown at once",
    "failed_request",
    "Error: /home/hub/agent.db is locked",
  ]);
});

test("an answer of nothing is an answer", async () => {
  const { clock, ask, cloud } = scene({ hub: { request: async () => undefined } });
  await expect(clock.until(ask(undefined))).resolves.toBeNull();
  expect(cloud.isDown).toBe(false);
});

test("a reader that takes nothing costs at most the outbox, and what does not fit fails as not sent", async () => {
  const line = heldLine();
  const { cloud, ask } = scene({ carry: line.carry, outboxBytes: 1_000 });
  void failure(ask("x".repeat(WINDOW)));
  expect(cloud.notify("cancel", { id: 1 })).toBe(true);
  expect(cloud.notify("cancel", "y".repeat(1_000))).toBe(false);
  expect(await failure(ask("y".repeat(1_000)))).toMatchObject({ sent: false });
  expect(cloud.waitingBytes).toBeLessThan(WINDOW + 1_000 + 200);
  expect(cloud.isDown).toBe(false);
});

test("messages arrive in the order in which they were sent, through a full socket too", async () => {
  const line = heldLine();
  const heard: unknown[] = [];
  const { cloud } = scene({
    carry: line.carry,
    hub: { notification: (_method, params) => heard.push(params) > 0 },
  });
  const sent = ["a".repeat(WINDOW), "b", "c".repeat(WINDOW), "d", "e"];
  for (const params of sent) cloud.notify("n", params);
  expect(line.held).toHaveLength(1);
  await line.release();
  expect(heard).toEqual(sent);
  expect(cloud.waitingBytes).toBe(0);
});

test("an answer for which there is no room is counted", async () => {
  const line = heldLine();
  const { cloud, hub, stories } = scene({ carry: line.carry, outboxBytes: 10 });
  cloud.notify("n", "x".repeat(WINDOW));
  void failure(hub.ask("heartbeat", {}, { timeoutMs: 1_000 }));
  line.held[1]?.();
  await settle();
  expect(stories.cloud).toEqual(["unknown_method", "unsent_answer"]);
});

test("a close is heard once on each end, under its name, and ends every wait", async () => {
  const { cloud, ask, stories } = scene({ hub: { request: never } });
  const error = failure(ask());
  await settle();
  cloud.close("superseded");
  cloud.close("restart");
  await settle();
  expect(await error).toMatchObject({ sent: true });
  expect(stories).toEqual({ cloud: ["down: superseded"], hub: ["down: superseded"] });
});
