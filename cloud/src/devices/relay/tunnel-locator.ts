/** Finds the node that can reach a hub: this one, another, or, while the hub is moving between nodes, soon one of them. */
import { BoundedMap, type Clock, isNamed, sleep } from "@porchlight/shared/kernel";
import type { Calls, Others } from "../../nodes/index.ts";
import { NoResponder, NotHere } from "../../nodes/index.ts";
import type { Store } from "../../store/index.ts";
import { tunnelLocationOf } from "../../tunnels/index.ts";
import type { HubView } from "../hub-view.ts";
import { askable } from "./hub-write.ts";

/** The part of the other nodes that this module uses. */
export interface TunnelNodes extends Others {
  readonly calls: Pick<Calls, "ask" | "handle">;
  nodeId(): string;
  /** Whether this node is stopping, and has disconnected its hubs. */
  leaving(): boolean;
  /** The version of an ecosystem that the caches of this node reflect. */
  versionOf(ecosystemId: string): number;
  /** Requires the caches to reflect at least that version; otherwise they are dropped. */
  atLeast(ecosystemId: string, version: number): void;
}

export interface TunnelLocatorDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly hubs: HubView;
  readonly nodes: TunnelNodes;
}

/** Longest wait for a hub that is moving between nodes, ms. */
const MOVING_MS = 10_000;
/** Interval between two looks, ms. */
const AGAIN_MS = 150;
/** Maximum hubs whose node is remembered. */
const MOST = 50_000;

export type FoundTunnel<T> =
  | { readonly kind: "asked"; readonly answer: T }
  /**
   * Its tunnel is here, or nowhere, or on a node that cannot be reached. `sent`: a node that had it may have started
   * the request.
   */
  | { readonly kind: "here" | "away" | "unreachable"; readonly sent: boolean };

export class TunnelLocator {
  readonly #deps: TunnelLocatorDeps;
  /** The last known node of each hub: a guess, which the asked node corrects. */
  readonly #known = new BoundedMap<string, string>(MOST);

  constructor(deps: TunnelLocatorDeps) {
    this.#deps = deps;
  }

  /**
   * Sends a request to the node that has the hub's tunnel. While nothing has been done and the hub is moving between
   * nodes, it looks again.
   * @param until monotonic, ms
   * @throws what `ask` throws, except for NoResponder and NotHere
   */
  async ask<T>(
    ecosystemId: string,
    clientId: string,
    until: number,
    ask: (nodeId: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<FoundTunnel<T>> {
    const { clock } = this.#deps;
    const last = Math.min(until, clock.monotonic() + MOVING_MS);
    let sent = false;
    for (;;) {
      if (askable(this.#deps, clientId)) return { kind: "here", sent };
      const nodeId = await this.#findOrDoubt(ecosystemId, clientId);
      if (askable(this.#deps, clientId)) return { kind: "here", sent };
      if (nodeId === undefined) return { kind: "away", sent };
      if (nodeId !== MOVING && nodeId !== UNSURE) {
        try {
          return { kind: "asked", answer: await ask(nodeId) };
        } catch (error) {
          if (!(error instanceof NoResponder || error instanceof NotHere)) throw error;
          sent ||= error instanceof NotHere && error.sent;
          this.#known.delete(clientId);
        }
      }
      if (clock.monotonic() + AGAIN_MS > last) return { kind: nodeId === MOVING ? "away" : "unreachable", sent };
      await sleep(clock, "a hub that changes nodes", AGAIN_MS, signal);
    }
  }

  /** The hub has a new tunnel. */
  moved(clientId: string): void {
    this.#known.delete(clientId);
  }

  /** Undefined also while the database cannot be reached. */
  #findOrDoubt(ecosystemId: string, clientId: string): Promise<string | undefined> {
    return this.#find(ecosystemId, clientId).catch((error: unknown) => {
      if (isNamed(error, "Service Unavailable")) return UNSURE;
      throw error;
    });
  }

  async #find(ecosystemId: string, clientId: string): Promise<string | typeof MOVING | undefined> {
    const { store, clock, hubs, nodes } = this.#deps;
    if (hubs.live(clientId)?.isLeaving) return MOVING;
    const known = this.#known.get(clientId);
    if (known !== undefined) return known;
    const found = await tunnelLocationOf(store.of(ecosystemId).sql, ecosystemId, clientId, clock.now());
    if (found.kind !== "node") return found.kind === "moving" ? MOVING : undefined;
    // Its tunnel was here a moment ago, and its end is not stored yet.
    if (found.nodeId === nodes.nodeId()) return nodes.leaving() ? MOVING : undefined;
    this.#known.set(clientId, found.nodeId);
    return found.nodeId;
  }
}

const MOVING = "moving";
const UNSURE = "unsure";
