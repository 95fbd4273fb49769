/** The questions of a child to the hub: reports, stored entries, claims. Its own file because each answer is asynchronous. */
import {
  type AskClaims,
  type DriverStore,
  DriverStoreFull,
  type Observation,
  type SharedHost,
} from "@porchlight/driver-kit";
import { MOST_IN_FLIGHT } from "./line-channel.ts";
import { type ChildQuestion, type FromChildOf, MAX_STORED_BYTES, type ToChild } from "./messages.ts";

export interface HostQuestionsDeps {
  readonly host: SharedHost;
  readonly store: DriverStore;
  readonly askClaims: AskClaims;
  readonly send: (message: ToChild) => void;
  /** Whether the child has that device: it may not report for others. */
  readonly has: (edgeId: string) => boolean;
  /** Whether it may report for a node that is not one of its devices, as built-in drivers do. */
  readonly hasNode: (node: string) => boolean;
}

export class HostQuestions {
  readonly #deps: HostQuestionsDeps;
  readonly #open = new Set<number>();

  constructor(deps: HostQuestionsDeps) {
    this.#deps = deps;
  }

  /** Answers the question asynchronously. False when the child breaks the protocol: too many questions, or a number in use. */
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
        // The report may precede the arrival of its device: then the driver sends it again.
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

  /** Returns "full" in place of the error, so that the child can recognize it. */
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

/** As many entries as fit into a message, from the key after `after` on. */
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
