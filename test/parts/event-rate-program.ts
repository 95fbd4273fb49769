/**
 * Who takes part in a run of events, each a process of its own by its first word: `hubs PLAN` report when stdin has `run SECONDS`,
 * `readers PLAN` read a stream for each ecosystem, `receivers COUNT` are the servers of webhooks. The last two print what arrived at `tell`.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Came, HubsPlan, ReadersPlan } from "./event-rate.ts";
import { type RawMessage, rawStream } from "./raw-stream.ts";
import { SimulatedHub } from "./simulated-hub.ts";

/** The used parts of an event. */
interface CountedEvent {
  readonly type: string;
  readonly data: {
    /** Its value is `COUNT MS`: see `SimulatedHub.report`. */
    readonly item: { readonly deviceId: string; readonly value: string };
  };
}

/** Latencies are counted by the millisecond up to here. */
const LONGEST = 600_000;

class Tally {
  readonly #each: number[];
  /** By place and device: how many of its values came. They count from 1. */
  readonly #counts = new Map<string, number>();
  readonly #latencies = new Uint32Array(LONGEST + 1);
  #repeats = 0;
  #gaps = 0;
  #longest = 0;

  constructor(places: number) {
    this.#each = Array.from({ length: places }, () => 0);
  }

  /** A report that came to a place: the next of its device, an earlier one, or one too early. @param now wall clock, ms */
  add(place: number, { data: { item } }: CountedEvent, now: number): void {
    const key = `${place} ${item.deviceId}`;
    const count = this.#counts.get(key) ?? 0;
    const [value = 0, sentAt = 0] = item.value.split(" ").map(Number);
    if (value <= count) {
      this.#repeats += 1;
      return;
    }
    if (value > count + 1) this.#gaps += 1;
    this.#counts.set(key, value);
    this.#each[place] = (this.#each[place] ?? 0) + 1;
    const latency = Math.min(LONGEST, Math.max(0, now - sentAt));
    this.#latencies[latency] = (this.#latencies[latency] ?? 0) + 1;
    this.#longest = Math.max(this.#longest, latency);
  }

  /** Something was missing. */
  gap(): void {
    this.#gaps += 1;
  }

  came(): Came {
    const [each, repeats, gaps] = [this.#each, this.#repeats, this.#gaps];
    return { each, repeats, gaps, p50: this.#at(0.5), p99: this.#at(0.99), max: this.#longest };
  }

  #at(part: number): number {
    let left = part * this.#each.reduce((sum, count) => sum + count, 0);
    for (let ms = 0; ms <= this.#longest; ms++) {
      left -= this.#latencies[ms] ?? 0;
      if (left <= 0) return ms;
    }
    return this.#longest;
  }
}

const [role, what = ""] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin });
if (role === "hubs") await startHubs(JSON.parse(readFileSync(what, "utf8")));
else if (role === "readers") await startReaders(JSON.parse(readFileSync(what, "utf8")));
else startReceivers(Number(what));

function printOnRequest(tally: Tally): void {
  lines.on("line", () => process.stdout.write(`${JSON.stringify(tally.came())}\n`));
}

/** Each reports at its own beat; prints `sent N`, the reports of all. */
async function startHubs(plan: HubsPlan): Promise<void> {
  const hubs: SimulatedHub[] = [];
  for (const [at, token] of plan.tokens.entries())
    hubs.push(await SimulatedHub.connect({ url: plan.url, token, number: at + 1, devices: plan.devicesPerHub }));
  process.stdout.write("ready\n");
  const run = async (seconds: number) => {
    const sent = await Promise.all(hubs.map((hub, at) => reports(plan, hub, at / hubs.length, seconds)));
    process.stdout.write(`sent ${sent.reduce((sum, count) => sum + count, 0)}\n`);
  };
  lines.on("line", (line) => {
    const [command, seconds = "0"] = line.split(" ");
    if (command === "run") void run(Number(seconds));
  });
}

/** All that are due, however late: a hub that is held up loses none. @param phase of its beat, 0 to 1 */
async function reports(plan: HubsPlan, hub: SimulatedHub, phase: number, seconds: number): Promise<number> {
  const { devicesPerHub, reportsPerHub } = plan;
  const beat = 1000 / reportsPerHub;
  const begin = performance.now() + beat * phase;
  const total = seconds * reportsPerHub;
  const reported: Promise<void>[] = [];
  for (let n = 0; n < total; n++) {
    const wait = begin + n * beat - performance.now();
    if (wait > 0) await sleep(wait);
    reported.push(hub.report(n % devicesPerHub, Math.floor(n / devicesPerHub) + 1));
  }
  await Promise.all(reported);
  return total;
}

async function startReaders(plan: ReadersPlan): Promise<void> {
  const tally = new Tally(plan.tokens.length);
  const never = new AbortController().signal;
  for (const [place, token] of plan.tokens.entries()) {
    // From the first event on: so it is open when it has been answered.
    const messages = rawStream(`${plan.url}/api/events`, token, 0, never);
    const first = await messages.next();
    if (first.done) throw new Error("a stream ended at once");
    follow(tally, place, first.value, messages).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    });
  }
  process.stdout.write("ready\n");
  printOnRequest(tally);
}

async function follow(tally: Tally, place: number, first: RawMessage, rest: AsyncIterable<RawMessage>): Promise<void> {
  let sequence = Number(first.id);
  for await (const { id, event, data } of rest) {
    if (Number(id) !== sequence + 1) tally.gap();
    sequence = Number(id);
    if (event === "property.changed") tally.add(place, data, Date.now());
  }
  throw new Error("a stream ended");
}

/** `POST /N` is webhook N's. */
function startReceivers(count: number): void {
  const tally = new Tally(count);
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const event = JSON.parse(body);
      if (event.type === "property.changed") tally.add(Number(request.url?.slice(1)), event, Date.now());
      response.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.stdout.write(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : 0}\n`);
  });
  printOnRequest(tally);
}
