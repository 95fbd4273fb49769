/** Looks for the node that can ask a hub: this one, another, or, while the hub is on its way from one to the next, soon one of them. */
import { BoundedMap, type Clock, isNamed, sleep } from "@porchlight/shared/kernel";
import type { Calls, Others } from "../../nodes/index.ts";
import { NoResponder, NotHere } from "../../nodes/index.ts";
import type { Store } from "../../store/index.ts";
import { tunnelLocationOf } from "../../tunnels/index.ts";
import type { HubView } from "../device/hub-view.ts";
import { askable } from "./hub-write.ts";

/** What this module needs of the other nodes. */
export interface TunnelNodes extends Others {
  readonly calls: Pick<Calls, "ask" | "handle">;
  nodeId(): string;
  /** Whether this node is stopping, and has sent its hubs away. */
  leaving(): boolean;
  /** The version of an ecosystem at which what is in memory here stands. */
  versionOf(ecosystemId: string): number;
  /** What is in memory here must be of that version at least, or is read anew. */
  atLeast(ecosystemId: string, version: number): void;
}

export interface TunnelLocatorDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly hubs: HubView;
  readonly nodes: TunnelNodes;
}

/** A hub that changes nodes is waited for so long, ms. */
const MOVING_MS = 10_000;
/** Between two looks, ms. */
const AGAIN_MS = 150;
/** Hubs whose node is remembered. */
const MOST = 50_000;

export type FoundTunnel<T> =
  | { readonly kind: "asked"; readonly answer: T }
  /**
   * Its tunnel is here, or nowhere, or on a node that cannot be asked. `sent`: a node that had it may have begun with what was
   * asked for.
   */
  | { readonly kind: "here" | "away" | "unreachable"; readonly sent: boolean };

export class TunnelLocator {
  readonly #deps: TunnelLocatorDeps;
  /** Where hubs were found before: a guess, which the node that is asked puts right. */
  readonly #known = new BoundedMap<string, string>(MOST);

  constructor(deps: TunnelLocatorDeps) {
    this.#deps = deps;
  }

  /**
   * Asks the node that has the hub's tunnel. While nothing has been done and the hub is changing nodes, it looks again.
   * @param until monotonic, ms
   * @throws what `ask` throws, but NoResponder and NotHere
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

  /** The hub has another tunnel than it had. */
  moved(clientId: string): void {
    this.#known.delete(clientId);
  }

  /** While the database cannot be asked it is not known. */
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
    // Its tunnel was here a moment ago, and what has become of it is not stored yet.
    if (found.nodeId === nodes.nodeId()) return nodes.leaving() ? MOVING : undefined;
    this.#known.set(clientId, found.nodeId);
    return found.nodeId;
  }
}

const MOVING = "moving";
const UNSURE = "unsure";
