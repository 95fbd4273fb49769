/**
 * Idempotency keys (A1.7.2): one attempt at a time holds a key, and its effects and answer are stored under the key.
 *
 * Invariants: a write that counts under a key commits together with its value, and only for the attempt that holds the key; so
 * after a crash the next attempt finds every earlier effect, and repeats none (ADR 0014).
 */
import { type Clock, every, type Log, NamedError, type Random, type Timer } from "@porchlight/shared/kernel";
import type { Store, Transaction } from "../store/index.ts";
import type { Keyring } from "./keyring.ts";
import {
  dropKeys,
  found,
  insertNewKey,
  nodeIsLiving,
  readKey,
  readSteps,
  type StaleKey,
  staleKeys,
  takeKeyOver,
} from "./idempotency-rows.ts";
import { IdempotentAttempt, type KeptAnswer } from "./idempotent-attempt.ts";

export interface IdempotencyKeysDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly keyring: Keyring;
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  /** SHA-256 of principal, method, path and key, hex. */
  readonly hash: string;
  /** The account or ecosystem whose erasure deletes the key. */
  readonly owner: string;
  /** SHA-256 of key and body, hex. */
  readonly fingerprint: string;
}

export type Claim =
  | { readonly kind: "attempt"; readonly attempt: IdempotentAttempt }
  | { readonly kind: "answered"; readonly answer: KeptAnswer }
  | { readonly kind: "reused" }
  | { readonly kind: "running" };

const SWEEP_MS = 60_000;

export class IdempotencyKeys implements AsyncDisposable {
  readonly #deps: IdempotencyKeysDeps;
  /** Keys that this process holds: for its own attempts the process is a better witness than any lease. */
  readonly #held = new Set<string>();
  #timer: Timer | undefined;
  #sweeping: Promise<void> | undefined;

  private constructor(deps: IdempotencyKeysDeps) {
    this.#deps = deps;
  }

  /** Starts the sweep of keys older than a day. */
  static start(deps: IdempotencyKeysDeps): IdempotencyKeys {
    const keys = new IdempotencyKeys(deps);
    keys.#timer = every(deps.clock, "idempotency keys", SWEEP_MS, () => keys.#tick());
    return keys;
  }

  /**
   * Claims a key while `work` runs; `work` ends the attempt.
   * @param work receives the attempt that holds the key, or the reason why there is none
   * @throws what `work` throws, "Service Unavailable"
   */
  async claimed<T>(request: KeyedRequest, work: (claim: Claim) => Promise<T>): Promise<T> {
    const { hash } = request;
    if (this.#held.has(hash)) return work(await this.#claim(request));
    this.#held.add(hash);
    try {
      return await work(await this.#claim(request, true));
    } finally {
      this.#held.delete(hash);
    }
  }

  #claim(request: KeyedRequest, isFree = false): Promise<Claim> {
    const { store, clock, random, keyring } = this.#deps;
    const { hash, fingerprint } = request;
    const claim = Buffer.from(random.bytes(12)).toString("hex");
    const holder = { hash, claim };
    return store.writeService(async (tx) => {
      const row = await readKey(tx, hash);
      const now = clock.now();
      const isLiving = !isFree || (await this.#isElsewhere(tx, row?.node_id));
      const state = found(row, fingerprint, now, isLiving);
      switch (state) {
        case "reused":
        case "running":
          return { kind: state };
        case "answered":
          return { kind: state, answer: this.#open(hash, row?.answer ?? "") };
        case "new": {
          const fresh = { ...request, node: store.nodeId, claim, at: now };
          if (!isFree || !(await insertNewKey(tx, fresh, row))) return { kind: "running" };
          return { kind: "attempt", attempt: new IdempotentAttempt({ store, keyring }, holder, new Map()) };
        }
        case "resumed": {
          if (!isFree || !(await takeKeyOver(tx, holder, row?.claim ?? "", store.nodeId))) return { kind: "running" };
          return {
            kind: "attempt",
            attempt: new IdempotentAttempt({ store, keyring }, holder, await readSteps(tx, hash)),
          };
        }
      }
    });
  }

  /** Whether another living node holds the key. SQLite has one process, so with it every other node is dead. */
  async #isElsewhere(tx: Transaction, node: string | undefined): Promise<boolean> {
    const { store } = this.#deps;
    if (node === undefined || node === store.nodeId || store.dialect === "sqlite") return false;
    return nodeIsLiving(tx, node);
  }

  #open(hash: string, sealed: string): KeptAnswer {
    const text = this.#deps.keyring.open(hash, sealed);
    if (text === undefined)
      throw new NamedError("Service Unavailable", "The stored response cannot be decrypted: its key is missing.");
    // Trusted: `IdempotentAttempt.finish` wrote the text.
    return JSON.parse(text);
  }

  #tick(): void {
    this.#sweeping ??= this.#sweep()
      .catch((error: unknown) => this.#deps.log.warn({ error }, "old idempotency keys could not be deleted"))
      .finally(() => {
        this.#sweeping = undefined;
      });
  }

  async #sweep(): Promise<void> {
    const { store, clock, log } = this.#deps;
    for (let last: StaleKey | undefined; ; ) {
      const after = last;
      const stale = await store.writeService((tx) => staleKeys(tx, clock.now(), after));
      await store.setAside.each(stale, {
        ...{ loop: "idempotency_keys", log, about: ({ hash }) => ({ key: hash }) },
        work: (part) => store.writeService((tx) => dropKeys(tx, part)),
      });
      last = stale.at(-1);
      if (!last) return;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel();
    await this.#sweeping;
  }
}
