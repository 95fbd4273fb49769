/** This process as one node among several: what it tells the others, what it asks of them, and what it has heard. */
import type { Clock, Log } from "@porchlight/shared/kernel";
import type { Bus } from "../bus/index.ts";
import type { Store } from "../store/index.ts";
import { Calls } from "./calls.ts";
import { type Followed, Follower, InvalidationPublisher, type InvalidationSink, NOBODY } from "./follower.ts";

export interface NodeDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Bus;
  /** Why the others cannot be reached, in a sentence; undefined while they can. */
  readonly warning: () => string | undefined;
}

export class ThisNode implements Others, AsyncDisposable {
  readonly invalidations: InvalidationPublisher;
  readonly calls: Calls;
  readonly #deps: NodeDeps;
  #follower: Follower | undefined;
  #nodeId = "";
  #leaving = false;

  private constructor(deps: NodeDeps) {
    this.#deps = deps;
    this.invalidations = InvalidationPublisher.start(deps.store, deps.bus);
    this.calls = Calls.start({ ...deps, nodeId: () => this.#nodeId });
  }

  static start(deps: NodeDeps): ThisNode {
    return new ThisNode(deps);
  }

  /** Begins to hear the others; before it, nothing of what is kept in memory may be told. */
  async hear(followed: Followed): Promise<void> {
    this.#follower = await Follower.start({ ...this.#deps, followed });
  }

  /** From now on the others know it by this ID. */
  taken(nodeId: string): void {
    this.#nodeId = nodeId;
    this.calls.listenAs(nodeId);
  }

  nodeId(): string {
    return this.#nodeId;
  }

  /** Whether the others can be told and asked at present. */
  get reachesOthers(): boolean {
    return this.#deps.bus.connected;
  }

  /** Why they cannot, in a sentence; undefined when they can, or have been away for a moment only. */
  get warning(): string | undefined {
    return this.#deps.warning();
  }

  /** Its hubs are being sent away. */
  leave(): void {
    this.#leaving = true;
  }

  leaving(): boolean {
    return this.#leaving;
  }

  follow(ecosystemId: string): void {
    this.#follower?.follow(ecosystemId);
  }

  versionOf(ecosystemId: string): number {
    return this.#follower?.versionOf(ecosystemId) ?? 0;
  }

  atLeast(ecosystemId: string, version: number): void {
    this.#follower?.atLeast(ecosystemId, version);
  }

  /** There while what is kept in memory may not be told; settles when it may. @param outcome of what is asked for, if it does not @throws "Service Unavailable" */
  catchUp(outcome?: "not_sent"): Promise<void> | undefined {
    return this.#follower?.current ? undefined : this.#follower?.catchUp(outcome);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.invalidations[Symbol.dispose]();
    this.calls[Symbol.dispose]();
    await this.#follower?.[Symbol.asyncDispose]();
  }
}

/** The other nodes, as a part with something in memory sees them: it tells them what it does, and says what it keeps. */
export interface Others {
  readonly invalidations: InvalidationSink;
  /** Something of the ecosystem is kept in memory: from now on it must be told what others change of it. */
  follow(ecosystemId: string): void;
}

/** Of a lone node. */
export const NO_OTHERS: Others = { invalidations: NOBODY, follow: () => undefined };
