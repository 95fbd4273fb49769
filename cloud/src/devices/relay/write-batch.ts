/**
 * Writes of one call that a hub is asked for together. Each goes its own way, as any other write does; where it would ask the hub, or the node
 * that has the hub's tunnel, it waits for the others and is asked for with them.
 *
 * Invariants: they are asked for as soon as each has come so far or has ended; whoever asks again afterwards is by itself.
 */
import type { Value } from "@porchlight/shared/model";
import type { CommandAnswer, ResultRecord } from "@porchlight/shared/tunnel";
import type { HubCall, HubCommand, HubTunnel } from "../../tunnels/index.ts";

/** One write as its hub is asked for it. */
export interface HubAsk {
  readonly command: HubCommand;
  readonly call: HubCall;
  /** Told the answer when it comes after its caller's time. */
  readonly late: (answer: ResultRecord) => void;
}

/** One write as the node that has the hub's tunnel is asked for it. */
export interface NodeAsk {
  readonly commandId: string;
  readonly deviceId: string;
  readonly selector: string;
  readonly value: Value;
}

/** One of those that are asked for together; whoever asks settles each. */
export interface Asked<A, R> {
  readonly ask: A;
  resolve(result: R | Promise<R>): void;
  reject(failure: unknown): void;
}

type AskTogether<A, R> = (asked: readonly Asked<A, R>[]) => void;

/** What is asked for together, by whom it is asked of. */
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

/** Writes of one call for one hub. */
export class WriteBatch {
  readonly #ofHub = new Gathering<HubTunnel, HubAsk, CommandAnswer>();
  readonly #ofNode = new Gathering<string, NodeAsk, unknown>();
  readonly #assembled = Promise.withResolvers<void>();
  /** Members that have yet to assemble, and to ask. */
  #coming: number;
  #open: number;

  private constructor(size: number) {
    this.#coming = size;
    this.#open = size;
  }

  /** A batch of so many writes: its members. */
  static of(size: number): BatchMember[] {
    const batch = new WriteBatch(size);
    return Array.from({ length: size }, () => new BatchMember(batch));
  }

  assemble(): Promise<void> {
    this.#coming -= 1;
    if (this.#coming === 0) this.#assembled.resolve();
    return this.#assembled.promise;
  }

  /** Settles when every member has assembled, or has ended. */
  get whenAssembled(): Promise<void> {
    return this.#assembled.promise;
  }

  askHub(tunnel: HubTunnel, ask: HubAsk, askTogether: AskTogether<HubAsk, CommandAnswer>): Promise<CommandAnswer> {
    return this.#ofHub.add(tunnel, ask, askTogether);
  }

  askNode(nodeId: string, ask: NodeAsk, askTogether: AskTogether<NodeAsk, unknown>): Promise<unknown> {
    return this.#ofNode.add(nodeId, ask, askTogether);
  }

  /** A member has asked, or has ended without. */
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

/** One write among those of its batch. */
export class BatchMember {
  readonly #batch: WriteBatch;
  #state: "coming" | "assembled" | "passed" = "coming";

  constructor(batch: WriteBatch) {
    this.#batch = batch;
  }

  /** Waits until every other member has come so far or has ended: nothing is waited for between this and the socket but what all of them wait for. */
  assembled(): Promise<void> {
    if (this.#state !== "coming") return this.#batch.whenAssembled;
    this.#state = "assembled";
    return this.#batch.assemble();
  }

  /** @throws as `askTogether` settles it */
  askHub(tunnel: HubTunnel, ask: HubAsk, askTogether: AskTogether<HubAsk, CommandAnswer>): Promise<CommandAnswer> {
    const answer = this.#batch.askHub(tunnel, ask, askTogether);
    this.#pass();
    return answer;
  }

  /** @throws as `askTogether` settles it */
  askNode(nodeId: string, ask: NodeAsk, askTogether: AskTogether<NodeAsk, unknown>): Promise<unknown> {
    const answer = this.#batch.askNode(nodeId, ask, askTogether);
    this.#pass();
    return answer;
  }

  /** Its write has ended, in whichever way. */
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
