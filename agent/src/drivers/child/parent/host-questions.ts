/** What a child asks of the hub and is answered once: reports stored, values kept, claims. Its own file because each answer takes its time. */
import {
  type AskClaims,
  type DriverStore,
  DriverStoreFull,
  type Observation,
  type SharedHost,
} from "@porchlight/driver-kit";
import { MOST_IN_FLIGHT } from "../ipc/line-channel.ts";
import { type ChildQuestion, type FromChildOf, MAX_STORED_BYTES, type ToChild } from "../ipc/messages.ts";

export interface HostQuestionsDeps {
  readonly host: SharedHost;
  readonly store: DriverStore;
  readonly askClaims: AskClaims;
  readonly send: (message: ToChild) => void;
  /** Whether the child has that device: of others it may say nothing. */
  readonly has: (edgeId: string) => boolean;
  /** Whether it may speak for nodes that are no device of it, as our own drivers do. */
  readonly hasNode: (node: string) => boolean;
}

export class HostQuestions {
  readonly #deps: HostQuestionsDeps;
  readonly #open = new Set<number>();

  constructor(deps: HostQuestionsDeps) {
    this.#deps = deps;
  }

  /** Answers by and by. False when the child breaks the rules: too many questions, or one number for two. */
  take(question: ChildQuestion): boolean {
    const { id } = question;
    if (this.#open.has(id) || this.#open.size >= MOST_IN_FLIGHT) return false;
    this.#open.add(id);
    this.#answer(question).then(
      (answer) => this.#send({ type: "answer", id, answer }),
      (failure: unknown) => this.#send({ type: "answer", id, failure: inWords(failure) }),
    );
    return true;
  }

  #send(message: ToChild & { readonly type: "answer" }): void {
    this.#open.delete(message.id);
    this.#deps.send(message);
  }

  async #answer(question: ChildQuestion): Promise<unknown> {
    const { host, store, has, hasNode, askClaims } = this.#deps;
    switch (question.type) {
      case "reported": {
        const { report, source } = question;
        // It may come before the device has arrived: then it comes again.
        return has(report.device) && hasNode(source.node) ? await host.reported(report, source) : "busy";
      }
      case "pushed":
        return has(question.observation.device) ? await host.pushed(question.observation) : "refused";
      case "learned":
        return await this.#learned(question.observation);
      case "store_get": {
        const kept = await store.get(question.key);
        return kept && asBase64(kept);
      }
      case "store_all":
        return pageOf(await store.all(question.prefix), question);
      case "store_set":
        return await this.#keep(question);
      case "claims":
        return await askClaims(question.edgeIds);
    }
  }

  async #learned(observation: Observation): Promise<void> {
    if (this.#deps.has(observation.device)) await this.#deps.host.learned(observation);
  }

  /** Gives "full" in place of the error, which has to be known as such at the other end. */
  async #keep({ key, value }: FromChildOf<"store_set">): Promise<"kept" | "full"> {
    try {
      await this.#deps.store.set(key, value === undefined ? undefined : Buffer.from(value, "base64"));
      return "kept";
    } catch (failure) {
      if (failure instanceof DriverStoreFull) return "full";
      throw failure;
    }
  }
}

/** As much as fits a message, from the key after `after` on. */
function pageOf(all: ReadonlyMap<string, Uint8Array>, { after }: FromChildOf<"store_all">) {
  const keys = [...all.keys()].sort().filter((key) => after === undefined || key > after);
  const entries: [string, string][] = [];
  let bytes = 0;
  for (const key of keys) {
    const value = all.get(key) ?? new Uint8Array();
    bytes += value.byteLength + 256;
    if (entries.length > 0 && bytes > MAX_STORED_BYTES) return { entries, after: entries.at(-1)?.[0] };
    entries.push([key, asBase64(value)]);
  }
  return { entries };
}

function asBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function inWords(failure: unknown): string {
  return (failure instanceof Error ? failure.message : String(failure)).slice(0, 1024);
}
