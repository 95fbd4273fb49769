/** Tabs of one browser over real broadcast channels: one reads, all hear, and the next one goes on where the first stopped. */
import type { ConnectionState, PorchlightEvent, StreamItem, StreamOptions } from "@porchlight/sdk";
import { afterEach, expect, test } from "vitest";
import { type LiveItem, type Lock, SharedStream } from "./shared-stream.ts";

/** A service whose streams the test speaks for. */
class Service {
  readonly streams: {
    readonly options: StreamOptions;
    readonly items: StreamItem[];
    wake: () => void;
    isOpen: boolean;
  }[] = [];

  readonly open = (options: StreamOptions): AsyncIterable<StreamItem> => this.#read(options);

  connect(state: ConnectionState = { state: "connected" }): void {
    this.#last.options.onConnection?.(state);
  }

  say(...items: StreamItem[]): void {
    this.#last.items.push(...items);
    this.#last.wake();
  }

  get #last() {
    const last = this.streams.at(-1);
    if (!last) throw new Error("no tab reads");
    return last;
  }

  async *#read(options: StreamOptions): AsyncGenerator<StreamItem> {
    const stream = { options, items: [] as StreamItem[], wake: () => {}, isOpen: true };
    this.streams.push(stream);
    while (!options.signal?.aborted) {
      yield* stream.items.splice(0);
      await new Promise<void>((resolve) => {
        stream.wake = resolve;
        options.signal?.addEventListener("abort", () => resolve());
      });
    }
    stream.isOpen = false;
  }
}

/** As the browser's: one holder at a time, in the order of asking. */
class Locks {
  #tail: Promise<unknown> = Promise.resolve();

  readonly lock: Lock = (_name, signal, job) => {
    const turn = this.#tail.then(() => (signal.aborted ? undefined : job()));
    this.#tail = turn.catch(() => undefined);
    return turn;
  };
}

class Tab {
  readonly heard: LiveItem[] = [];
  readonly refusals: unknown[] = [];
  readonly stream: SharedStream;
  #waiting: (() => void)[] = [];

  constructor(service: Service, locks: Locks) {
    this.stream = new SharedStream({
      ecosystemId: "eco_1",
      open: service.open,
      lock: locks.lock,
      channel: new BroadcastChannel("test-live"),
      onItem: (item) => {
        this.heard.push(item);
        for (const wake of this.#waiting.splice(0)) wake();
      },
      onRefused: (error) => void this.refusals.push(error),
    });
  }

  get notes(): (string | number)[] {
    return this.heard.map((item) => (item.kind === "event" ? item.event.sequence : item.kind));
  }

  async hears(wanted: (string | number)[]): Promise<void> {
    while (JSON.stringify(this.notes) !== JSON.stringify(wanted) && this.notes.length < wanted.length)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    expect(this.notes).toEqual(wanted);
  }
}

const event = (sequence: number): StreamItem => ({
  kind: "event",
  event: { sequence, type: "device.online" } as PorchlightEvent,
});
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const tabs: Tab[] = [];
const open = (service: Service, locks: Locks): Tab => {
  const tab = new Tab(service, locks);
  tabs.push(tab);
  return tab;
};
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.stream.close();
});

test("one tab reads, and every tab hears", async () => {
  const [service, locks] = [new Service(), new Locks()];
  const [first, second] = [open(service, locks), open(service, locks)];
  await turn();
  service.connect();
  service.say(event(7), event(8));
  await first.hears(["connection", "refetch", 7, 8]);
  await second.hears(["connection", "refetch", 7, 8]);
  expect(service.streams).toHaveLength(1);
});

test("when the tab that reads goes, another goes on after the last event, and nothing is fetched anew", async () => {
  const [service, locks] = [new Service(), new Locks()];
  const [first, second] = [open(service, locks), open(service, locks)];
  await turn();
  service.connect();
  service.say(event(7));
  await second.hears(["connection", "refetch", 7]);
  first.stream.close();
  while (service.streams.length < 2) await turn();
  service.connect();
  service.say(event(8));
  await second.hears(["connection", "refetch", 7, 8]);
  expect(service.streams.map(({ options, isOpen }) => [options.after, isOpen])).toEqual([
    [undefined, false],
    [7, true],
  ]);
});

test("a tab that comes later learns how the stream stands", async () => {
  const [service, locks] = [new Service(), new Locks()];
  open(service, locks);
  await turn();
  service.connect({ state: "lost", nextTryMs: 500 });
  const late = open(service, locks);
  await late.hears(["connection"]);
  expect(late.heard).toEqual([{ kind: "connection", connection: { state: "lost", nextTryMs: 500 } }]);
});

test("events that are no longer kept make everything be fetched anew; a connection that resumes does not", async () => {
  const [service, locks] = [new Service(), new Locks()];
  const tab = open(service, locks);
  await turn();
  service.connect();
  service.connect({ state: "lost", nextTryMs: 0 });
  service.connect();
  service.say({ kind: "reset" });
  await tab.hears(["connection", "refetch", "connection", "connection", "refetch"]);
});

test("a refused stream is reported to the tab that read it", async () => {
  const refused = new Error("Token Expired");
  const service = { open: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(refused) }) }) };
  const tab = open(service as unknown as Service, new Locks());
  while (tab.refusals.length === 0) await turn();
  expect(tab.refusals).toEqual([refused]);
});
