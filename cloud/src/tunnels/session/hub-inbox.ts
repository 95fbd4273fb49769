/**
 * The messages of a hub through its tunnel, from the welcome on: parsed, passed to the listener in order, answered.
 *
 * Invariants: the number of batches that wait for the store is bounded, and above the bound the hub is not read; only
 * committed records are acknowledged; a message that cannot be stored or parsed ends the tunnel with the reason. Two
 * exceptions:
 * a description that is refused for its content, and messages during an outage of the store: their records are refused,
 * and the hub sends them again.
 */
import { type Clock, isNamed, type Log, nextTurn, sleep } from "@porchlight/shared/kernel";
import type { ServiceDescription } from "@porchlight/shared/model";
import {
  type Describe,
  frames,
  goodRecords,
  type Heartbeat,
  type HubRecord,
  type Peer,
  PeerRefused,
  RPC_ERRORS,
} from "@porchlight/shared/tunnel";
import type { z } from "zod";
import { audit, type Tokens } from "../../access/index.ts";
import { isOfRecord, type Store } from "../../store/index.ts";
import { frameProblem } from "./frame-problem.ts";
import { GapInHistory, type Hub, Superseded, standingOf } from "./hub.ts";
import type { DescribedDevice, HubListener, RecordBatch } from "./hub-listener.ts";
import type { HubReading } from "./hub-reading.ts";
import { recordWeight } from "./record-weight.ts";

export interface InboxDeps extends TakeBackDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly listener: HubListener;
  readonly uncommittedBatches: number;
  /** Counts a dropped or refused message by its name. */
  readonly count: (what: string) => void;
}

export interface InboxFacts extends GivenBack {
  /** Monotonic time of the hello: zero of the connection time. */
  readonly helloAt: number;
  /** The record number after which the history continues. */
  readonly position: number;
  /** Records queued on the hub. */
  readonly queued: number;
}

/** Maximum weight of the records of one job, unless a single record has more: it bounds how long a caller's write waits. */
const WEIGHT_OF_JOB = 200;

/** Retry interval, and total time, of a hub's request while the store is away, ms: the hub waits for 30 s. */
const AGAIN_MS = 500;
const PATIENCE_MS = 20_000;

export class HubInbox {
  readonly #deps: InboxDeps;
  readonly #peer: Peer;
  readonly #reading: HubReading;
  readonly #facts: InboxFacts;
  #parts: DescribeParts | undefined;
  #offered: number;
  /** The highest record number of this connection that is acknowledged. */
  #stored: number;
  #uncommitted = 0;
  #queued: number;
  #roundTripMs: number | undefined;
  #clockSkewMs: number | undefined;

  constructor(deps: InboxDeps, peer: Peer, reading: HubReading, facts: InboxFacts) {
    this.#deps = deps;
    this.#peer = peer;
    this.#reading = reading;
    this.#facts = facts;
    this.#offered = facts.position;
    this.#stored = facts.position;
    this.#queued = facts.queued;
  }

  /** What the hub last reported about itself. */
  get hubReport() {
    return { roundTripMs: this.#roundTripMs, clockSkewMs: this.#clockSkewMs, queuedReports: this.#queued };
  }

  /** Undefined for an unknown method. */
  request(method: string, params: unknown): Promise<unknown> | undefined {
    const { listener } = this.#deps;
    switch (method) {
      case "heartbeat":
        return this.#handle(frames.heartbeat, params, async (heartbeat) => this.#heartbeat(heartbeat));
      case "records":
        return this.#recordsOf(params);
      case "inventory":
        return this.#handle(frames.inventory, params, (inventory) =>
          this.#patiently(() => listener.inventory(this.#facts.hub, inventory)),
        );
      case "claims":
        return this.#handle(frames.claims, params, async ({ edgeIds }) => ({
          claimed: await this.#patiently(() => listener.claims(this.#facts.hub, edgeIds)),
        }));
      case "unpair":
        return this.#handle(frames.unpair, params, async () => {
          await takeBack(this.#deps, this.#facts);
          return {};
        });
      case "describe":
        return this.#handle(frames.describe, params, async (part) => {
          this.#parts ??= new DescribeParts();
          const assembled = this.#parts.add(part);
          if (assembled.kind === "malformed") throw this.#malformed("describe", "parts out of order, or too many");
          if (assembled.kind === "complete") await this.#describe(assembled.device);
          return {};
        });
      default:
        return undefined;
    }
  }

  #heartbeat({ queued, roundTripMs, now }: Heartbeat): { at: number; slowedMs?: number } {
    const { clock } = this.#deps;
    this.#queued = queued;
    this.#roundTripMs = roundTripMs === undefined ? undefined : Math.round(roundTripMs * 10) / 10;
    this.#clockSkewMs = Math.round(now + (roundTripMs ?? 0) / 2 - clock.now());
    const slowedMs = this.#reading.takeSlowedMs();
    return { at: clock.monotonic() - this.#facts.helloAt, ...(slowedMs > 0 && { slowedMs }) };
  }

  #recordsOf(params: unknown): Promise<unknown> {
    const good = goodRecords(params);
    if (good) return this.#work(() => this.#records(good));
    return this.#handle(frames.records, params, ({ records }) => this.#records(records));
  }

  async #records(records: readonly HubRecord[]): Promise<{ acknowledged: number }> {
    this.#reading.records(records.length);
    let last = 0;
    for (const { n } of records) {
      if (n <= last) throw this.#malformed("records", "numbers do not grow");
      last = n;
    }
    // A repeated batch: records that were offered and refused do not count as predecessors.
    if ((records[0]?.n ?? last) <= this.#offered) this.#offered = this.#stored;
    const parts = inParts(records, this.#offered);
    this.#offered = Math.max(this.#offered, last);
    this.#take(1);
    try {
      // The fast copy of a command's result in the same read of the socket must reach the store first: it states whose
      // command it was.
      await nextTurn();
      const stored = await Promise.all(parts.map((part) => this.#deps.listener.records(this.#facts.hub, part)));
      this.#stored = Math.max(this.#stored, stored.at(-1) ?? 0);
      return { acknowledged: stored.at(-1) ?? this.#facts.position };
    } catch (error) {
      if (!isAway(error) && !(error instanceof GapInHistory)) throw error;
      this.#deps.count("records refused: store away");
      throw new PeerRefused(RPC_ERRORS.unavailable);
    } finally {
      this.#take(-1);
    }
  }

  /** Refuses only the description that cannot be stored: closing the tunnel would make the hub send it again through each new one. */
  async #describe(device: DescribedDevice): Promise<void> {
    const { listener, log } = this.#deps;
    const { hub } = this.#facts;
    try {
      await this.#patiently(() => listener.describe(hub, device));
    } catch (error) {
      if (!isOfRecord(error)) throw error;
      const about = { error, client: hub.clientId, device: device.edgeId };
      log.error(about, "the description of a device cannot be stored; it is refused");
      throw new PeerRefused(RPC_ERRORS.internal);
    }
  }

  /** Counts the batches that wait for the store, and stops reading while there are too many. */
  #take(change: 1 | -1): void {
    this.#uncommitted += change;
    this.#reading.storeFull(this.#uncommitted >= this.#deps.uncommittedBatches);
  }

  async #handle<T>(schema: z.ZodType<T>, params: unknown, work: (parsed: T) => Promise<unknown>): Promise<unknown> {
    const parsed = schema.safeParse(params);
    if (!parsed.success) throw this.#malformed("request", frameProblem(parsed.error));
    return this.#work(() => work(parsed.data));
  }

  /** Retries while the store is away: a hub takes a refusal of such a request for the answer. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { clock } = this.#deps;
    const end = clock.monotonic() + PATIENCE_MS;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isAway(error) || this.#peer.isDown || clock.monotonic() >= end) throw error;
        await sleep(clock, "question of a hub", AGAIN_MS);
      }
    }
  }

  async #work(work: () => Promise<unknown>): Promise<unknown> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PeerRefused) throw error;
      if (error instanceof Superseded) this.#peer.close("superseded");
      else {
        this.#deps.log.error(
          { error, client: this.#facts.hub.clientId },
          "a message of a hub could not be stored; its tunnel is closed",
        );
        this.#peer.close("unavailable");
      }
      throw new PeerRefused(RPC_ERRORS.internal);
    }
  }

  #malformed(what: string, why: string): PeerRefused {
    this.#deps.log.warn(
      { client: this.#facts.hub.clientId, what, why },
      "a hub broke the protocol; its tunnel is closed",
    );
    this.#peer.close("malformed");
    return new PeerRefused(RPC_ERRORS.invalidParams);
  }
}

/** Whether the store refused because of its own state and not because of the hub's message. */
function isAway(error: unknown): boolean {
  return isNamed(error, "Service Unavailable");
}

/**
 * Splits a batch into store jobs, so that the event loop runs between transactions. They are queued together and keep
 * the order of the batches; each follows the one before it.
 */
function inParts(records: readonly HubRecord[], offered: number): RecordBatch[] {
  const parts: RecordBatch[] = [];
  let from = 0;
  let weight = 0;
  const end = (to: number) => {
    const after = Math.max(offered, records[from - 1]?.n ?? 0);
    parts.push({ records: from === 0 && to === records.length ? records : records.slice(from, to), after });
    from = to;
    weight = 0;
  };
  for (const [at, record] of records.entries()) {
    const more = recordWeight(record);
    if (weight > 0 && weight + more > WEIGHT_OF_JOB) end(at);
    weight += more;
  }
  end(records.length);
  return parts;
}

/** The write job with which a hub revokes its own token: the owner can do so by the API, and this is for a hub that is to forget. */
interface TakeBackDeps {
  readonly store: Store;
  readonly tokens: Pick<Tokens, "revoke">;
}

/** A hub and the credential that it connected with. */
interface GivenBack {
  readonly hub: Hub;
  readonly tokenId: string;
  readonly address: string;
}

/**
 * Revokes the token, which ends its tunnel. The client and its devices stay until a caller deletes it.
 * @throws Superseded, "Token Not Found" when it is revoked already
 */
function takeBack({ store, tokens }: TakeBackDeps, { hub, tokenId, address }: GivenBack): Promise<void> {
  const { ecosystemId, clientId } = hub;
  return store.write(ecosystemId, async (tx) => {
    await standingOf(tx, hub);
    await tokens.revoke(tx, clientId, tokenId);
    const actor = { kind: "client", clientId, tokenId, address } as const;
    await audit(tx, actor, "token.revoked", tokenId, { subjectId: clientId, unpaired: true });
  });
}

/** Maximum devices with an incomplete description at one time. */
const MOST_OPEN = 8;
/** Maximum services of one device. */
const MOST_SERVICES = 64;

type Assembled =
  | { readonly kind: "complete"; readonly device: DescribedDevice }
  | { readonly kind: "partial" }
  /** Parts out of order, with another digest, or too many. */
  | { readonly kind: "malformed" };

/** Assembles descriptions that arrive in parts, within bounds that a hub cannot make the cloud exceed. */
export class DescribeParts {
  readonly #open = new Map<string, { readonly digest: string; next: number; services: ServiceDescription[] }>();

  add(part: Describe): Assembled {
    const { edgeId, digest, arrival, online, about } = part;
    if (part.part === 0) this.#open.set(edgeId, { digest, next: 0, services: [] });
    const open = this.#open.get(edgeId);
    if (open?.digest !== digest || open.next !== part.part || part.part >= part.parts) return this.#drop(edgeId);
    open.next += 1;
    open.services.push(...part.services);
    if (this.#open.size > MOST_OPEN || open.services.length > MOST_SERVICES) return this.#drop(edgeId);
    if (open.next < part.parts) return { kind: "partial" };
    this.#open.delete(edgeId);
    return { kind: "complete", device: { edgeId, digest, arrival, online, about, services: open.services } };
  }

  #drop(edgeId: string): Assembled {
    this.#open.delete(edgeId);
    return { kind: "malformed" };
  }
}
