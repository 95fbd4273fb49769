/** One attempt at a request with an idempotency key: it stores its effects step by step, and reuses the steps of earlier attempts. */
import { deserialize, serialize } from "node:v8";
import { NamedError } from "@porchlight/shared/kernel";
import type { Memory, Step, Store, Transaction } from "../store/index.ts";
import type { Keyring } from "./keyring.ts";
import { freeKey, type Holder, storeAnswer, storeStep } from "./idempotency-rows.ts";

/** A stored final answer, ready for a replay. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether large members of the body are empty: a replay shows the resource at `location` as it is then. */
  readonly isAbridged?: boolean | undefined;
}

export interface AttemptDeps {
  readonly store: Store;
  readonly keyring: Keyring;
}

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
