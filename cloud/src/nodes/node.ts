/** This process as one of several nodes: its notifications and requests to the others, and theirs to it. */
import type { Clock, Log } from "@porchlight/shared/kernel";
import type { Bus } from "../bus/index.ts";
import type { Store } from "../store/index.ts";
import { Calls } from "./calls.ts";
import { type Followed, Follower, InvalidationPublisher, type InvalidationSink, NO_INVALIDATIONS } from "./follower.ts";

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

  /** Starts to receive messages of the other nodes; until then no cache may be served. */
  async hear(followed: Followed): Promise<void> {
    this.#follower = await Follower.start({ ...this.#deps, followed });
  }

  /** The process has this node ID from now on. */
  taken(nodeId: string): void {
    this.#nodeId = nodeId;
    this.calls.listenAs(nodeId);
  }

  nodeId(): string {
    return this.#nodeId;
  }

  /** Whether the other nodes can be reached at present. */
  get reachesOthers(): boolean {
    return this.#deps.bus.connected;
  }

  /** Why they cannot be reached, in a sentence; undefined when they can, or the connection was lost only a moment ago. */
  get warning(): string | undefined {
    return this.#deps.warning();
  }

  /** The node is disconnecting its hubs. */
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

  /**
   * Defined while caches may not be served; resolves when they may. @param outcome of the request, for the error
   * @throws "Service Unavailable"
   */
  catchUp(outcome?: "not_sent"): Promise<void> | undefined {
    return this.#follower?.current ? undefined : this.#follower?.catchUp(outcome);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.invalidations[Symbol.dispose]();
    this.calls[Symbol.dispose]();
    await this.#follower?.[Symbol.asyncDispose]();
  }
}

/** The other nodes, as a part with a cache uses them: it publishes its changes, and registers what it caches. */
export interface Others {
  readonly invalidations: InvalidationSink;
  /** The ecosystem is in a cache: changes by other nodes must be reported from now on. */
  follow(ecosystemId: string): void;
}

/** For a single node. */
export const NO_OTHERS: Others = { invalidations: NO_INVALIDATIONS, follow: () => undefined };
