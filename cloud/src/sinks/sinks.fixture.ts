/** Sinks over a store without the rest of the cloud: changes as events, nodes that deliver, and a receiver in memory. */
import { gunzipSync } from "node:zlib";
import { IdMaker, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { Keyring } from "../access/index.ts";
import { changeEvent } from "../history/history.fixture.ts";
import { insertEcosystem } from "../places/index.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { type SinkRow, Store, type Transaction } from "../store/index.ts";
import type { Outcome, Sent, SentMessage } from "../webhooks/index.ts";
import { SinkDispatcher } from "./dispatcher.ts";
import type { Posts } from "./post-lines.ts";
import { findSink, insertSink, tokenPurpose } from "./sink-rows.ts";

/** Of the events that history's fixture makes. */
export const ECO = "eco_1";
export const DEV = "dev_1";
const URL_OF_RECEIVER = "https://receiver.example/write?db=home";

type Answer = (lines: readonly string[]) => Outcome & { readonly body?: string };

export const answered = (status: number, retryAfter?: number, body = "") =>
  ({ kind: "answered", status, retryAfter, body }) as const;

/** A database in memory: it keeps one value for each series, field and time, as a real one does. */
class LineReceiver implements Posts {
  /** Values by series, field and time. */
  readonly kept = new Map<string, string>();
  readonly requests: { readonly headers: Readonly<Record<string, string>>; readonly lines: readonly string[] }[] = [];
  answer: Answer = () => answered(204);
  /** Awaited before each answer. */
  before: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();

  async send(_url: string, { headers, body }: SentMessage, signal: AbortSignal): Promise<Sent> {
    await this.before(signal);
    signal.throwIfAborted();
    const text = headers["content-encoding"] === "gzip" ? gunzipSync(body).toString() : String(body);
    const lines = text.split("\n").filter((line) => line !== "");
    this.requests.push({ headers, lines });
    const { body: answerText = "", ...outcome } = this.answer(lines);
    if (outcome.kind === "answered" && outcome.status === 204)
      for (const line of lines) {
        const [series, field, time] = line.split(" ");
        const [name, value] = field?.split("=") ?? [];
        this.kept.set(`${series} ${name} ${time}`, value ?? "");
      }
    return { outcome, durationMs: 1, response: { headers: {}, body: answerText } };
  }

  /** In the order in which they first came. */
  get values(): string[] {
    return [...this.kept.values()];
  }
}

export class SinkWorld implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly receiver = new LineReceiver();
  readonly keyring = new Keyring([{ id: "00000001", key: seededRandom(1).bytes(32) }], seededRandom(2));
  readonly fresh: FreshLocation;
  readonly nodes: { readonly store: Store; readonly sinks: SinkDispatcher; chosen: boolean }[] = [];

  private constructor(fresh: FreshLocation) {
    this.fresh = fresh;
  }

  /** An ecosystem with a sink, and a node. */
  static async start(over: Partial<SinkRow> = {}): Promise<SinkWorld> {
    const world = new SinkWorld(await freshLocation());
    await world.node();
    await world.store.write(ECO, async (tx) => void (await insertEcosystem(tx, "acc_1", ECO, 0)));
    await world.sink(ECO, over);
    return world;
  }

  async sink(eco: string, over: Partial<SinkRow> = {}): Promise<void> {
    const status = { tried_at: null, status: null, failing_since: null, error: null, attempts: 0, retry_at: null };
    const counted = { refused_lines: 0, refused_error: null, lost_events: 0, lost_at: null };
    const row: SinkRow = {
      ...{ ecosystem_id: eco, url: URL_OF_RECEIVER, token: this.keyring.seal(tokenPurpose(eco), "secret") },
      ...{ measurement_prefix: "", enabled: 1, created_at: 0, revision: 1, position: 0, proven: 0 },
      ...{ ...status, ...counted, ...over },
    };
    await this.store.write(eco, (tx) => insertSink(tx, row));
  }

  /** Another process on the same data. */
  async node() {
    const { clock, nodes, keyring, receiver: posts } = this;
    const random = seededRandom(10 + nodes.length);
    const store = await Store.open({ ...this.fresh.opening, clock, ids: new IdMaker(clock, random) });
    const standing = { chosen: true };
    const isChosen = () => standing.chosen;
    const sinks = SinkDispatcher.start({ store, clock, random, log: silentLog, keyring, posts, isChosen });
    const node = Object.assign(standing, { store, sinks });
    nodes.push(node);
    return node;
  }

  /** The last node is killed; another takes its place. */
  async replaceLast(): Promise<void> {
    const last = this.nodes.pop();
    await last?.store.kill();
    await last?.sinks[Symbol.asyncDispose]();
    await this.node();
  }

  get first() {
    const [node] = this.nodes;
    if (!node) throw new Error("no node");
    return node;
  }

  get store(): Store {
    return this.first.store;
  }

  /** A temperature changed. */
  changed(value: unknown, address = "Sensor:0.celsius"): Promise<void> {
    return this.write(async (tx) => tx.append(changeEvent(value, this.clock.now(), address, DEV)));
  }

  write(job: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.store.write(ECO, job);
  }

  /** Everything that can be delivered now has been tried. */
  async delivered(): Promise<void> {
    await this.first.sinks.catchUp();
  }

  async row(eco = ECO): Promise<SinkRow> {
    const row = await findSink(this.store.of(eco).sql, eco);
    if (!row) throw new Error("no sink");
    return row;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { sinks, store } of this.nodes) {
      await sinks[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    }
    await this.fresh[Symbol.asyncDispose]();
  }
}
