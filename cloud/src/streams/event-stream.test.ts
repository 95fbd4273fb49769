/** One stream and a reader that does not keep up: what waits for it is bounded, and no other stream waits. */
import type { Id } from "@porchlight/shared/kernel";
import { silentLog } from "@porchlight/shared/kernel";
import { STREAM_LIMITS } from "@porchlight/shared/rest";
import { expect, test } from "vitest";
import type { Caller } from "../access/index.ts";
import { EventNotifier, type LoggedEvent, type LogReader } from "../events/index.ts";
import { EventStream, type StreamBegin } from "./event-stream.ts";
import { Feed } from "./feed.ts";

const SCOPE = { ecosystemId: "eco_1", environmentId: undefined, types: ["*"] };
const CALLER: Caller = {
  kind: "server",
  tokenId: "tok_1" as Id<"tok">,
  serverId: "srv_1" as Id<"srv">,
  ecosystemId: "eco_1",
};
/** Bytes of an event, about. */
const SIZE = 10_000;

/** A log that holds as many events as are given, and counts how many were read of it. */
class Events {
  newest: number;
  read = 0;
  readonly #listeners = new Set<(ecosystemId: string, sequence: number) => void>();
  readonly notifier = EventNotifier.start({
    onEvents: (listener) => {
      this.#listeners.add(listener);
      return () => void this.#listeners.delete(listener);
    },
  });
  readonly reader: Pick<LogReader, "read"> = {
    read: async (ecosystemId, after, limit = 500) => {
      const count = Math.min(limit, this.newest - after);
      this.read += count;
      const events = Array.from({ length: count }, (_, index) => anEvent(ecosystemId, after + index + 1));
      return { kind: "events", events, more: count === limit };
    },
  };

  constructor(newest: number) {
    this.newest = newest;
  }

  /** So many more happen. */
  happen(count: number): void {
    this.newest += count;
    for (const listener of this.#listeners) listener("eco_1", this.newest);
  }
}

function anEvent(ecosystemId: string, sequence: number): LoggedEvent {
  const text = JSON.stringify({ sequence, data: "x".repeat(SIZE) });
  const id = `evt_${sequence}`;
  return { ecosystemId, sequence, id, type: "zone.created", environmentId: undefined, createdAt: 0, data: "{}", text };
}

function open(events: Events, after: number, feed = feedOf(events), begin: Partial<StreamBegin> = {}) {
  const deps = {
    reader: events.reader as LogReader,
    feed,
    snapshot: () => Promise.reject(new Error("no snapshot was asked for")),
    closed: () => undefined,
  };
  return new EventStream(deps, SCOPE, CALLER, { after, resumes: true, reset: false, snapshot: false, ...begin });
}

function feedOf(events: Events): Feed {
  const { reader, notifier, newest } = events;
  return new Feed({ log: silentLog, reader: reader as LogReader, notifier }, "eco_1", newest);
}

/** Lets everything that is ready run. */
async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test("a reader that falls more than 1 MiB behind is disconnected, and another reader gets every event", async () => {
  const events = new Events(0);
  const feed = feedOf(events);
  const stalled = open(events, 0, feed);
  const eager = open(events, 0, feed);
  let taken = 0;
  eager.on("data", (bytes: Buffer) => {
    taken += bytes.length;
  });
  await turns();
  events.happen(90);
  await turns();
  expect([stalled.destroyed, stalled.readableLength > 800_000]).toEqual([false, true]);
  events.happen(30);
  await turns();
  expect([stalled.destroyed, eager.destroyed]).toEqual([true, false]);
  expect(taken).toBeGreaterThan(120 * SIZE);
});

test("of a long log no more is held for a reader than it takes", async () => {
  const events = new Events(100_000);
  const stream = open(events, 0);
  await turns();
  expect(stream.readableLength).toBeLessThan(100_000);
  expect(events.read).toBeLessThanOrEqual(500);
  let sent = 0;
  for (; sent < 1_000; sent += 1) {
    if (stream.read() === null) break;
    await turns(2);
  }
  expect(stream.readableLength).toBeLessThan(100_000);
  expect(stream.destroyed).toBe(false);
  stream.destroy();
});

test("a reader that takes nothing at all while it has much to catch up with is cut off after some comments", async () => {
  const stream = open(new Events(100_000), 0);
  await turns();
  for (let comment = 0; comment < STREAM_LIMITS.mostUntaken; comment += 1) stream.comment();
  expect(stream.destroyed).toBe(false);
  stream.comment();
  expect(stream.destroyed).toBe(true);
});

test("a stream that is ended sends what it has read, and no more", async () => {
  const events = new Events(3);
  const stream = open(events, 0);
  await turns();
  stream.finish();
  events.happen(5);
  expect(sequencesIn(Buffer.concat(await stream.toArray()))).toEqual([1, 2, 3]);
});

test("a comment has no position before the reset that its reader must be given", async () => {
  const stream = open(new Events(5), 5, undefined, { reset: true, resumes: false });
  await turns();
  stream.comment();
  expect((stream.read() as Buffer).toString()).toBe(
    ": still here\n\nid: 5\nevent: reset\ndata: {}\n\n: still here\nid: 5\n\n",
  );
});

const sent = (stream: EventStream) => sequencesIn(stream.read() as Buffer | null);

/** Of events, not of comments. */
function sequencesIn(bytes: Buffer | null): number[] {
  return [...(bytes?.toString() ?? "").matchAll(/^id: (\d+)\nevent: /gm)].map(([, id]) => Number(id));
}

test("what happens while its caller is looked at anew is judged by what is found", async () => {
  const events = new Events(0);
  const user = { kind: "user", ecosystemId: "eco_1", environmentIds: new Set<string>() } as unknown as Caller;
  const stream = open(events, 0);
  stream.renew(user);
  await turns();
  sent(stream);
  stream.hold();
  events.happen(2);
  await turns();
  expect(sent(stream)).toEqual([]);
  stream.renew(CALLER);
  stream.release();
  await turns();
  expect(sent(stream)).toEqual([1, 2]);
  events.happen(1);
  await turns();
  expect(sent(stream)).toEqual([3]);
});

test("a stream that is paused while it catches up continues where it was, and sends nothing twice", async () => {
  const events = new Events(20);
  const stream = open(events, 0);
  stream.hold();
  stream.release();
  stream.hold();
  await turns();
  const before = sent(stream);
  stream.release();
  events.happen(5);
  const all = [...before];
  for (let turn = 0; turn < 60; turn += 1) {
    await turns(2);
    all.push(...sent(stream));
  }
  expect(all).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
});
