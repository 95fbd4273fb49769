/**
 * The storage used by each account, and the quota for it. The rows themselves are measured, in slices between the
 * requests, so that writes need no further statement and the sum cannot drift: an account that writes is measured again
 * every ten seconds, a large one less often. Writes in between are estimated: one node hardly exceeds the quota; each
 * of several may exceed it by its writes until it measures again.
 */
import { formatTime, STORAGE_KINDS, type StorageKind, type Usage } from "@porchlight/shared/api";
import { BoundedMap, type Clock, type Log, NamedError, nextTurn, type Timer } from "@porchlight/shared/kernel";
import { TokenBuckets } from "@porchlight/shared/rest";
import type { Store } from "../store/index.ts";
import { ecosystemsOfAccount, storageOfAccount, storageOfEcosystem } from "./service-queries.ts";

/** The storage used by one owner. */
export interface StorageOfOwner {
  readonly bytes: number;
  readonly byKind: Readonly<Record<StorageKind, number>>;
  /** Wall clock, ms. */
  readonly measuredAt: number;
}

export interface StorageUseDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Limit of one account, million bytes. */
  readonly limit: number;
}

const MEGABYTE = 1_000_000;
/** Interval of measurements of an owner that writes, ms; at least this many times the duration of the last one. */
const AGAIN_AFTER = 10_000;
const REST = 20;
/** Delay between a write and the measurement that it triggers, ms. */
const SOON = 1_000;
/** Maximum remembered owners. */
const CAPACITY = 10_000;
/** Bytes that a write adds besides copies of its body (object, event, delivery). */
const WRITE_BYTES = 2_000;
const COPIES = 3;

/**
 * Actions on hubs of one account whose audit entries are stored although the quota is used up: a burst, and one more
 * every quarter of an hour. In the 400 days of the audit they add up to about 50 MB at each node.
 */
const RESERVE = { burst: 100, perSecond: 1 / 900 };

interface Held {
  measured: StorageOfOwner | undefined;
  /** Estimated bytes written since the measurement. */
  since: number;
  /** Monotonic ms. */
  dueAt: number;
}

export class StorageUse implements AsyncDisposable {
  readonly #deps: StorageUseDeps;
  readonly #held = new BoundedMap<string, Held>(CAPACITY);
  readonly #reserve = new TokenBuckets(RESERVE, CAPACITY);
  /** Measurements in progress or waiting, by owner; one runs at a time. */
  readonly #measuring = new Map<string, Promise<StorageOfOwner>>();
  /** Owners to measure when the timer fires. */
  readonly #due = new Set<string>();
  #timer: Timer | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(deps: StorageUseDeps) {
    this.#deps = deps;
  }

  /**
   * Must be called before a row is stored for an owner.
   * @param owner ID of an account, or of an ecosystem without one @param bodyBytes of the request
   * @param whenFull whether the action has a reserve above the quota
   * @throws "Quota Exceeded"
   */
  readonly require = (owner: string, bodyBytes: number, whenFull: "refused" | "reserve" = "refused"): void => {
    const held = this.#of(owner);
    if (this.#deps.clock.monotonic() >= held.dueAt) this.#measureLater(owner);
    const { limit, clock } = this.#deps;
    if ((held.measured?.bytes ?? 0) + held.since >= limit * MEGABYTE) {
      if (whenFull === "refused") throw exceeded(limit, "Reading, deleting and commands work as before.");
      if (!this.#reserve.take(owner, clock.monotonic()).admitted)
        throw exceeded(
          limit,
          "Hubs were restarted, backed up and set up so often meanwhile that you must wait a quarter of an hour.",
        );
    }
    held.since += WRITE_BYTES + COPIES * bodyBytes;
  };

  /** The storage of an owner, as measured within the last ten seconds or so. @throws "Service Unavailable" */
  async of(owner: string): Promise<StorageOfOwner> {
    const { measured, dueAt } = this.#of(owner);
    const isDue = this.#deps.clock.monotonic() >= dueAt;
    return measured && !isDue ? measured : this.#measure(owner);
  }

  /** The usage resource of an account. @throws "Service Unavailable" */
  async usage(account: string): Promise<Usage> {
    const { bytes, byKind, measuredAt } = await this.of(account);
    return {
      items: STORAGE_KINDS.map((kind) => ({ kind, bytes: byKind[kind] })),
      ...{ bytes, limitBytes: this.#deps.limit * MEGABYTE, measuredAt: formatTime(measuredAt) },
    };
  }

  /** Bytes of all owners that this node has measured, by kind. */
  total(): Readonly<Record<StorageKind, number>> {
    const total = nothing();
    for (const [, { measured }] of this.#held)
      for (const kind of STORAGE_KINDS) total[kind] += measured?.byKind[kind] ?? 0;
    return total;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    this.#timer?.cancel();
    await Promise.allSettled(this.#measuring.values());
  }

  #of(owner: string): Held {
    const held = this.#held.get(owner) ?? { measured: undefined, since: 0, dueAt: 0 };
    this.#held.set(owner, held);
    return held;
  }

  /** Measures later than the request that triggers it: all owners of the next second are measured together. */
  #measureLater(owner: string): void {
    this.#due.add(owner);
    this.#timer ??= this.#deps.clock.timer("measure storage", SOON, () => {
      const owners = [...this.#due];
      this.#due.clear();
      this.#timer = undefined;
      for (const each of owners)
        this.#measure(each).catch((error: unknown) =>
          this.#deps.log.warn({ error }, "the data of an account was not measured"),
        );
    });
  }

  #measure(owner: string): Promise<StorageOfOwner> {
    const running = this.#measuring.get(owner);
    if (running !== undefined) return running;
    const measuring = this.#turn.then(() => this.#walk(owner)).finally(() => this.#measuring.delete(owner));
    this.#measuring.set(owner, measuring);
    this.#turn = measuring.catch(() => undefined);
    return measuring;
  }

  async #walk(owner: string): Promise<StorageOfOwner> {
    const { store, clock } = this.#deps;
    const held = this.#of(owner);
    const before = held.since;
    const startedAt = clock.monotonic();
    const byKind = nothing();
    const isAccount = owner.startsWith("acc_");
    const ecosystems = isAccount ? await ecosystemsOfAccount(store, owner) : [owner];
    const walks = [
      ...(isAccount ? [storageOfAccount(store, owner)] : []),
      ...ecosystems.map((eco) => storageOfEcosystem(store, eco)),
    ];
    for (const walk of walks) {
      for await (const { kind, bytes } of walk) {
        if (this.#ended) throw new NamedError("Service Unavailable", "The service is being stopped.");
        byKind[kind] += bytes;
        await nextTurn();
      }
    }
    const bytes = Object.values(byKind).reduce((sum, each) => sum + each, 0);
    const now = clock.monotonic();
    held.since -= before;
    held.dueAt = now + Math.max(AGAIN_AFTER, REST * (now - startedAt));
    held.measured = { bytes, byKind, measuredAt: clock.now() };
    return held.measured;
  }
}

function nothing(): Record<StorageKind, number> {
  // All kinds are keys of it.
  return Object.fromEntries(STORAGE_KINDS.map((kind) => [kind, 0])) as Record<StorageKind, number>;
}

/** @param more a further sentence for the error */
function exceeded(limit: number, more: string): NamedError {
  return new NamedError(
    "Quota Exceeded",
    `\`megabytesPerAccount\` is limited to ${limit}. Delete what you no longer need, wait until older data has expired, or ask the operator for more. ${more}`,
  );
}
