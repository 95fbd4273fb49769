/** The questions of a driver in a child to its agent, each with its answer. */
import { DriverStoreFull, type Observation, type PushResult, type ReportSource } from "@porchlight/driver-kit";
import { z } from "zod";
import { MOST_IN_FLIGHT } from "./line-channel.ts";
import { ipcEdgeId, observation as observationSchema, pushResult, reportResult } from "./message-parts.ts";
import { type ChildQuestion, type FromChild, MAX_STORED_BYTES, storePage, type ToChildOf } from "./messages.ts";

/** A question before it has a number. */
type Asked = ChildQuestion extends infer Q ? (Q extends ChildQuestion ? Omit<Q, "id"> : never) : never;

interface Open {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (failure: Error) => void;
}

const claimsAnswer = z.array(ipcEdgeId).optional();
const base64 = z.string().optional();

export class Questions {
  readonly #send: (message: FromChild) => void;
  readonly #open = new Map<number, Open>();
  #id = 0;
  #isOver = false;

  constructor(send: (message: FromChild) => void) {
    this.#send = send;
  }

  /** Never rejects. */
  async reported(report: Observation, source: ReportSource): Promise<"stored" | "repeated" | "busy"> {
    const answer = await this.#ask({ type: "reported", report: plain(report), source }).catch(() => "busy");
    return reportResult.safeParse(answer).data ?? "busy";
  }

  /** Never rejects. */
  async pushed(observation: Observation): Promise<PushResult> {
    // The channel rejects such a value: it would end the whole driver.
    if (!observationSchema.safeParse(observation).success) return "refused";
    const answer = await this.#ask({ type: "pushed", observation: plain(observation) }).catch(() => "busy");
    return pushResult.safeParse(answer).data ?? "busy";
  }

  /** @throws Error when the value could not be stored */
  async learned(observation: Observation): Promise<void> {
    if (!observationSchema.safeParse(observation).success) throw new Error("This is not a value within its bounds.");
    await this.#ask({ type: "learned", observation: plain(observation) });
  }

  async claims(edgeIds: readonly string[]): Promise<readonly string[] | undefined> {
    return claimsAnswer.parse(await this.#ask({ type: "claims", edgeIds: [...edgeIds] }));
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return bytesOf(base64.parse(await this.#ask({ type: "store_get", key })));
  }

  async all(prefix: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const all = new Map<string, Uint8Array>();
    let after: string | undefined;
    do {
      const page = storePage.parse(await this.#ask({ type: "store_all", prefix, after }));
      for (const [key, value] of page.entries) all.set(key, Buffer.from(value, "base64"));
      after = page.after;
    } while (after !== undefined);
    return all;
  }

  /** @throws DriverStoreFull also for a value that no message can hold */
  async set(key: string, value: Uint8Array | undefined): Promise<void> {
    if (key.length > 256 || (value?.byteLength ?? 0) > MAX_STORED_BYTES) throw new DriverStoreFull();
    const text = value && Buffer.from(value).toString("base64");
    if ((await this.#ask({ type: "store_set", key, value: text })) === "full") throw new DriverStoreFull();
  }

  answered({ id, answer, failure }: ToChildOf<"answer">): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    if (failure === undefined) open?.resolve(answer);
    else open?.reject(new Error(failure));
  }

  /** Rejects all open and future questions. */
  end(): void {
    this.#isOver = true;
    for (const { reject } of this.#open.values()) reject(new Error("The agent is gone."));
    this.#open.clear();
  }

  #ask(asked: Asked): Promise<unknown> {
    if (this.#isOver) return Promise.reject(new Error("The agent is gone."));
    // The agent answers every question, so the limit is reached only when the hub's disk is slow.
    if (this.#open.size >= MOST_IN_FLIGHT)
      return Promise.reject(new Error("Too many requests are waiting for the agent."));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#id = this.#id >= 0xffffffff ? 1 : this.#id + 1;
    const id = this.#id;
    this.#open.set(id, { resolve, reject });
    this.#send({ ...asked, id });
    return promise;
  }
}

/** The observation without extra fields that a driver may have added. */
function plain({ device, service, index, property, value, isRetained }: Observation) {
  return { device, service, index, property, value, ...(isRetained && { isRetained }) };
}

function bytesOf(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text, "base64");
}
