/**
 * Concurrent reads of devices, shared: a property that is being read is not read twice, and a read that no caller waits
 * for any more is cancelled on the hub (A3.7).
 */
import type { Clock } from "@porchlight/shared/kernel";
import type { ReadFailure } from "@porchlight/shared/rest";
import { PeerGone, PeerRefused, PeerTimeout } from "@porchlight/shared/tunnel";
import type { Store } from "../store/index.ts";
import { type Hub, type HubTunnel, type ReadResult, Superseded, standingOf } from "../tunnels/index.ts";
import { deviceByEdge } from "./device-row.ts";
import type { EnvironmentCache } from "./environment-cache.ts";
import type { Selected } from "./environment-state.ts";
import type { LearnedValue } from "./value-decision.ts";
import { storeValue } from "./value-store.ts";

export interface SharedReadsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cache: EnvironmentCache;
}

export interface ReadCall {
  /** Monotonic time at which the caller is answered. */
  readonly answerBy: number;
  readonly tokenId: string;
  /** A value that its device confirmed within this time is not read again, ms; absent: every device is read. */
  readonly maxAgeMs?: number | undefined;
  /** Aborted when the caller disconnects, or its time is over. */
  readonly signal: AbortSignal;
}

/** Maximum items in one frame: their values must fit into one answer. */
const MOST_ITEMS = 100;
/** The hub stops this long before its caller is answered, ms, as for a command; a quarter of a short wait. */
const MARGIN_MS = 500;
const TIMED_OUT: ReadFailure = { name: "Hub Timeout", detail: "The hub did not answer in time." };
const GONE: ReadFailure = { name: "Hub Offline", detail: "The hub's connection broke." };

export class SharedReads {
  readonly #deps: SharedReadsDeps;
  /** Pending reads by device and property. */
  readonly #underWay = new Map<string, { readonly batch: Batch; readonly index: number }>();

  constructor(deps: SharedReadsDeps) {
    this.#deps = deps;
  }

  /**
   * Reads properties of devices of one hub. Resolves when the values are stored.
   * @returns for each, in order, why it could not be read; undefined when it was
   * @throws "Service Unavailable" when the store refuses the values
   */
  async read(tunnel: HubTunnel, items: readonly Selected[], call: ReadCall): Promise<(ReadFailure | undefined)[]> {
    const joined = this.#join(tunnel, items, call);
    const outcomes = new Map<Batch, readonly (ReadFailure | undefined)[]>();
    await Promise.all(
      [...new Set(joined.map(({ batch }) => batch))].map(async (batch) => {
        outcomes.set(batch, await batch.wait(call.signal));
      }),
    );
    return joined.map(({ batch, index }) => outcomes.get(batch)?.[index]);
  }

  /** The batch of each item: a pending read that has at least as much time as this caller, or a new one. */
  #join(tunnel: HubTunnel, items: readonly Selected[], call: ReadCall): { batch: Batch; index: number }[] {
    const now = this.#deps.clock.monotonic();
    const least = now + (call.answerBy - now) / 2;
    const missing: Selected[] = [];
    const places = items.map((item) => {
      const known = this.#underWay.get(keyOf(item));
      const isAsFresh = (known?.batch.maxAgeMs ?? 0) <= (call.maxAgeMs ?? 0);
      if (known && isAsFresh && known.batch.tunnel === tunnel && known.batch.answerBy >= least) return known;
      return missing.push(item) - 1;
    });
    const started: { batch: Batch; index: number }[] = [];
    for (let at = 0; at < missing.length; at += MOST_ITEMS) {
      const some = missing.slice(at, at + MOST_ITEMS);
      const batch = new Batch(this.#deps, tunnel, some, call, now);
      some.forEach((item, index) => {
        const place = { batch, index };
        started.push(place);
        this.#underWay.set(keyOf(item), place);
      });
      batch.start(() => {
        for (const item of some)
          if (this.#underWay.get(keyOf(item))?.batch === batch) this.#underWay.delete(keyOf(item));
      });
    }
    return places.flatMap((place) => (typeof place === "number" ? (started[place] ?? []) : place));
  }
}

/** One read frame and all callers that wait for it. */
class Batch {
  readonly tunnel: HubTunnel;
  readonly answerBy: number;
  readonly maxAgeMs: number | undefined;
  readonly #deps: SharedReadsDeps;
  readonly #items: readonly Selected[];
  readonly #call: ReadCall;
  readonly #hubDeadline: number;
  readonly #abort = new AbortController();
  #done: Promise<readonly (ReadFailure | undefined)[]> = Promise.resolve([]);
  #waiting = 0;

  constructor(deps: SharedReadsDeps, tunnel: HubTunnel, items: readonly Selected[], call: ReadCall, now: number) {
    this.#deps = deps;
    this.tunnel = tunnel;
    this.#items = items;
    this.#call = call;
    this.answerBy = call.answerBy;
    this.maxAgeMs = call.maxAgeMs;
    this.#hubDeadline = call.answerBy - Math.min(MARGIN_MS, (call.answerBy - now) / 4);
  }

  /** @param ended called when no caller can join any more */
  start(ended: () => void): void {
    this.#done = this.#run().finally(ended);
    // All callers may have left before it fails.
    this.#done.catch(() => undefined);
  }

  /** Resolves with the batch, or for this caller alone when its signal aborts. */
  async wait(signal: AbortSignal): Promise<readonly (ReadFailure | undefined)[]> {
    this.#waiting += 1;
    const left = Promise.withResolvers<readonly ReadFailure[]>();
    const leave = () => left.resolve(this.#items.map(() => TIMED_OUT));
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([this.#done, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#abort.abort(new Error("no caller waits any more"));
    }
  }

  async #run(): Promise<readonly (ReadFailure | undefined)[]> {
    const targets = this.#items.map(({ device, property }) => ({
      device: device.edgeId ?? "",
      service: property.service,
      index: property.index,
      property: property.property,
    }));
    let results: readonly ReadResult[];
    try {
      const call = {
        deadline: this.#hubDeadline,
        answerBy: this.answerBy,
        maxAgeMs: this.maxAgeMs,
        signal: this.#abort.signal,
      };
      results = await this.tunnel.read(targets, call);
      await this.#store(results);
    } catch (failure) {
      const why = failureOf(failure, this.#abort.signal);
      return this.#items.map(() => why);
    }
    return results.map((result) => ("failure" in result ? result.failure : undefined));
  }

  async #store(results: readonly ReadResult[]): Promise<void> {
    const learned = this.#items.flatMap((item, index) => {
      const result = results[index];
      if (!result || "failure" in result) return [];
      return [{ ...item, learned: { value: result.value, number: result.n, observedAt: result.observedAt } }];
    });
    if (learned.length > 0) await storeReads(this.#deps, this.tunnel.hub, learned, this.#call.tokenId);
  }
}

/** @throws a failure that is not the hub's */
function failureOf(failure: unknown, abandoned: AbortSignal): ReadFailure {
  if (failure instanceof PeerGone) return GONE;
  if (failure instanceof PeerTimeout || failure instanceof PeerRefused || abandoned.aborted) return TIMED_OUT;
  // A newer connection of the hub has taken over.
  if (failure instanceof Superseded) return GONE;
  throw failure;
}

function keyOf({ device, property }: Selected): string {
  return `${device.id} ${property.key}`;
}

interface LearnedItem extends Selected {
  readonly learned: LearnedValue;
}

/**
 * Stores the values that a hub has just read, in one write job: the number rule and the events are those of every other
 * value. Changes of the device since the request are left to the next read.
 * @throws Superseded, "Service Unavailable"
 */
function storeReads(deps: SharedReadsDeps, hub: Hub, items: readonly LearnedItem[], tokenId: string): Promise<void> {
  const values = { now: () => deps.clock.now(), listener: deps.cache };
  const { ecosystemId, environmentId } = hub;
  return deps.store.write(ecosystemId, async (tx) => {
    await standingOf(tx, hub);
    const living = new Map<string, boolean>();
    for (const { device, property, learned } of items) {
      let lives = living.get(device.id);
      if (lives === undefined) {
        const found = device.edgeId === null ? undefined : await deviceByEdge(tx, hub, device.edgeId);
        lives = found?.id === device.id && found.client_id === hub.clientId && found.gone_at === null;
        living.set(device.id, lives);
      }
      const place = { ecosystemId, environmentId, deviceId: device.id };
      if (lives) await storeValue(tx, values, place, property, learned, { kind: "refresh", tokenId });
    }
  });
}
