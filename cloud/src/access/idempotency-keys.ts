/**
 * Idempotency keys (A1.7.2): one attempt at a time holds a key, and its effects and answer are stored under the key.
 *
 * Invariants: a write that counts under a key commits together with its value, and only for the attempt that holds the key; so
 * after a crash the next attempt finds every earlier effect, and repeats none (ADR 0014).
 */
import { deserialize, serialize } from "node:v8";
import { type Clock, every, type Log, NamedError, type Random, type Timer } from "@porchlight/shared/kernel";
import type { Memory, Step, Store, Transaction } from "../store/index.ts";
import {
  dropKeys,
  found,
  freeKey,
  type Holder,
  insertNewKey,
  nodeIsLiving,
  readKey,
  readSteps,
  type StaleKey,
  staleKeys,
  storeAnswer,
  storeStep,
  takeKeyOver,
} from "./idempotency-rows.ts";
import type { Keyring } from "./keyring.ts";

/** A stored final answer, ready for a replay. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether large members of the body are empty: a replay shows the resource at `location` as it is then. */
  readonly isAbridged?: boolean | undefined;
}

interface AttemptDeps {
  readonly store: Store;
  readonly keyring: Keyring;
}

/** One attempt at a request with an idempotency key: it stores its effects step by step, and reuses the steps of earlier attempts. */
export class IdempotentAttempt implements Memory {
  readonly #deps: AttemptDeps;
  readonly #holder: Holder;
  /** Values stored by earlier attempts, by step. */
  readonly #done: ReadonlyMap<string, string>;
  #count = 0;
  #over = false;

  constructor(deps: AttemptDeps, holder: Holder, done: ReadonlyMap<string, string>) {
    this.#deps = deps;
    this.#holder = holder;
    this.#done = done;
  }

  /** Runs the request, and stores each write together with its value. */
  async remember<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#deps.store.remembering(this, work);
    } finally {
      // Work that the request started in the background continues without the key.
      this.#over = true;
    }
  }

  nextStep(ecosystemId: string): Step | undefined {
    if (this.#over) return undefined;
    const name = `${this.#count++} ${ecosystemId}`;
    const kept = this.#done.get(name);
    return {
      ...(kept !== undefined && { done: { value: this.#open(name, kept) } }),
      keep: (tx, value) =>
        this.#keep(tx, name, this.#deps.keyring.seal(this.#purpose(name), serialize(value).toString("base64"))),
    };
  }

  /** ID of the command that an earlier attempt stored for a property. */
  earlierCommand(property: string): string | undefined {
    return this.#done.get(property);
  }

  /** The text that an earlier attempt stored under `word`. */
  earlier(word: string): string | undefined {
    return this.#done.get(word);
  }

  /** Stores a text for later attempts, in the job of the change that it describes. */
  keepText(tx: Transaction, word: string, text: string): Promise<void> {
    return this.#keep(tx, word, text);
  }

  /** Stores that the command for this property belongs to this request, in the job that stores the command. */
  keepCommand(tx: Transaction, property: string, commandId: string): Promise<void> {
    return this.#keep(tx, property, commandId);
  }

  /** Stores the final answer. @throws "Service Unavailable" */
  async finish(answer: KeptAnswer): Promise<void> {
    const { store, keyring } = this.#deps;
    const sealed = keyring.seal(this.#holder.hash, JSON.stringify(answer));
    await store.writeService((tx) => storeAnswer(tx, this.#holder, sealed));
  }

  /** Ends without a final answer. @param whatWasDone void: the next attempt starts from the beginning @throws "Service Unavailable" */
  async free(whatWasDone: "counts" | "is void"): Promise<void> {
    await this.#deps.store.writeService((tx) => freeKey(tx, this.#holder, whatWasDone));
  }

  async #keep(tx: Transaction, step: string, value: string): Promise<void> {
    if (!(await storeStep(tx, this.#holder, step, value)))
      throw new NamedError("Idempotency Key In Use", "Another request with this key is now in progress.", {
        retryAfter: 1,
      });
  }

  #open(name: string, sealed: string): unknown {
    const text = this.#deps.keyring.open(this.#purpose(name), sealed);
    if (text === undefined) throw new Error("what an earlier attempt kept cannot be opened: its sealing key is gone");
    // Trusted: this service sealed it.
    return deserialize(Buffer.from(text, "base64"));
  }

  #purpose(name: string): string {
    return `${this.#holder.hash} ${name}`;
  }
}

interface IdempotencyKeysDeps {
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
