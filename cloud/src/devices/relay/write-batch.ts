/**
 * Combines the writes of one call for one hub. Each write follows the usual path; where it would send a request to the
 * hub, or to the node that has the hub's tunnel, it waits for the others, and one request is sent for all.
 *
 * Invariants: the request is sent as soon as each write has reached this point or has ended; a later request goes
 * alone.
 */
import type { Value } from "@porchlight/shared/model";
import type { CommandAnswer, ResultRecord } from "@porchlight/shared/tunnel";
import type { HubCall, HubCommand, HubTunnel } from "../../tunnels/index.ts";

/** One write, as a request to its hub. */
export interface HubAsk {
  readonly command: HubCommand;
  readonly call: HubCall;
  /** Receives an answer that arrives after the caller's time. */
  readonly late: (answer: ResultRecord) => void;
}

/** One write, as a request to the node that has the hub's tunnel. */
export interface NodeAsk {
  readonly commandId: string;
  readonly deviceId: string;
  readonly selector: string;
  readonly value: Value;
}

/** One of the combined requests; the sender settles each. */
export interface Asked<A, R> {
  readonly ask: A;
  resolve(result: R | Promise<R>): void;
  reject(failure: unknown): void;
}

type AskTogether<A, R> = (asked: readonly Asked<A, R>[]) => void;

/** Requests to be combined, by receiver. */
class Gathering<K, A, R> {
  readonly #groups = new Map<K, { readonly asked: Asked<A, R>[]; readonly askTogether: AskTogether<A, R> }>();

  add(of: K, ask: A, askTogether: AskTogether<A, R>): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const group = this.#groups.get(of) ?? { asked: [], askTogether };
    this.#groups.set(of, group);
    group.asked.push({ ask, resolve, reject });
    return promise;
  }

  flush(): void {
    const groups = [...this.#groups.values()];
    this.#groups.clear();
    for (const { asked, askTogether } of groups) askTogether(asked);
  }
}

/** The writes of one call for one hub. */
export class WriteBatch {
  readonly #ofHub = new Gathering<HubTunnel, HubAsk, CommandAnswer>();
  readonly #ofNode = new Gathering<string, NodeAsk, unknown>();
  readonly #assembled = Promise.withResolvers<void>();
  /** Members that have neither assembled nor ended. */
  #coming: number;
  #open: number;

  private constructor(size: number) {
    this.#coming = size;
    this.#open = size;
  }

  /** Creates a batch of this size; returns its members. */
  static of(size: number): BatchMember[] {
    const batch = new WriteBatch(size);
    return Array.from({ length: size }, () => new BatchMember(batch));
  }

  assemble(): Promise<void> {
    this.#coming -= 1;
    if (this.#coming === 0) this.#assembled.resolve();
    return this.#assembled.promise;
  }

  /** Resolves when every member has assembled or ended. */
  get whenAssembled(): Promise<void> {
    return this.#assembled.promise;
  }

  askHub(tunnel: HubTunnel, ask: HubAsk, askTogether: AskTogether<HubAsk, CommandAnswer>): Promise<CommandAnswer> {
    return this.#ofHub.add(tunnel, ask, askTogether);
  }

  askNode(nodeId: string, ask: NodeAsk, askTogether: AskTogether<NodeAsk, unknown>): Promise<unknown> {
    return this.#ofNode.add(nodeId, ask, askTogether);
  }

  /** A member has sent its request, or has ended without one. */
  passed(): void {
    this.#open -= 1;
    this.flush();
  }

  flush(): void {
    if (this.#open > 0) return;
    this.#ofHub.flush();
    this.#ofNode.flush();
  }
}

/** One write of a batch. */
export class BatchMember {
  readonly #batch: WriteBatch;
  #state: "coming" | "assembled" | "passed" = "coming";

  constructor(batch: WriteBatch) {
    this.#batch = batch;
  }

  /**
   * Waits until every other member has come this far or ended. From here to the socket, members wait only for things
   * that all of them wait for.
   */
  assembled(): Promise<void> {
    if (this.#state !== "coming") return this.#batch.whenAssembled;
    this.#state = "assembled";
    return this.#batch.assemble();
  }

  /** @throws what `askTogether` rejects it with */
  askHub(tunnel: HubTunnel, ask: HubAsk, askTogether: AskTogether<HubAsk, CommandAnswer>): Promise<CommandAnswer> {
    const answer = this.#batch.askHub(tunnel, ask, askTogether);
    this.#pass();
    return answer;
  }

  /** @throws what `askTogether` rejects it with */
  askNode(nodeId: string, ask: NodeAsk, askTogether: AskTogether<NodeAsk, unknown>): Promise<unknown> {
    const answer = this.#batch.askNode(nodeId, ask, askTogether);
    this.#pass();
    return answer;
  }

  /** The write has ended, with any result. */
  leave(): void {
    if (this.#state !== "passed") this.#pass();
  }

  #pass(): void {
    if (this.#state === "passed") {
      this.#batch.flush();
      return;
    }
    if (this.#state === "coming") void this.#batch.assemble();
    this.#state = "passed";
    this.#batch.passed();
  }
}
