/**
 * Compares the tunnels of this node with the database's: another node may have taken a hub over, and the message about
 * it may have been lost.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import { type OpenTunnel, openTunnelsOf } from "../service-queries.ts";
import type { Tunnel } from "./tunnel.ts";

export interface OwnRowsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: TunnelRegistry;
  readonly nodeId: () => string;
  /** A row is open under this node, and no tunnel belongs to it. */
  readonly onStray: (row: OpenTunnel) => Promise<void>;
}

const LOOK_MS = 2_000;

export class OwnRows implements AsyncDisposable {
  readonly #deps: OwnRowsDeps;
  readonly #timer: Timer;
  readonly #rounds = new Rounds(() => this.#look());
  /** Stray rows of the previous look: a row of a tunnel that is being opened is no stray. */
  #strays = new Set<string>();

  private constructor(deps: OwnRowsDeps) {
    this.#deps = deps;
    this.#timer = every(deps.clock, "tunnels by the database", LOOK_MS, () => void this.#rounds.ask());
  }

  static start(deps: OwnRowsDeps): OwnRows {
    return new OwnRows(deps);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#rounds.end();
  }

  async #look(): Promise<void> {
    const { store, log, registry, nodeId } = this.#deps;
    const tunnels = registry.all();
    try {
      const rows = await openTunnelsOf(store, nodeId());
      const open = new Map(rows.map((row) => [row.client_id, row]));
      for (const tunnel of tunnels) {
        const { clientId, epoch } = tunnel.hub;
        if (open.get(clientId)?.epoch !== epoch && !tunnel.isDown) tunnel.close("superseded");
      }
      const strays = rows.filter((row) => !registry.has(row.client_id));
      for (const row of strays) if (this.#strays.has(keyOf(row))) await this.#deps.onStray(row);
      this.#strays = new Set(strays.map(keyOf));
    } catch (error) {
      log.warn({ error }, "the tunnels of this node could not be compared with the database");
    }
  }
}

function keyOf({ client_id, epoch }: OpenTunnel): string {
  return `${client_id} ${epoch}`;
}

/**
 * Maps each client to its tunnel on this node: the newest epoch wins, in any order of endings.
 *
 * Invariants: at most one tunnel a client; a replaced tunnel is closed at once, and its own late end removes
 * nothing (tunnels are compared by identity, not by client).
 */
export class TunnelRegistry {
  readonly #tunnels = new Map<string, Tunnel>();

  /** The client's tunnel while it is live: it makes the hub `online`, and takes requests. */
  live(clientId: string): Tunnel | undefined {
    const tunnel = this.get(clientId);
    return tunnel?.live ? tunnel : undefined;
  }

  /** The client's tunnel, live or about to end. */
  get(clientId: string): Tunnel | undefined {
    return this.#tunnels.get(clientId);
  }

  /** Whether the client has a tunnel here. */
  has(clientId: string): boolean {
    return this.#tunnels.has(clientId);
  }

  /** Closes the client's tunnel if its epoch is older: another node has a connection of the client with that epoch. */
  supersede(clientId: string, epoch: number): void {
    const standing = this.#tunnels.get(clientId);
    if (standing && standing.hub.epoch < epoch) standing.close("superseded");
  }

  get size(): number {
    return this.#tunnels.size;
  }

  /** Iterates over the tunnels; those that end meanwhile may be skipped. */
  each(): Iterable<Tunnel> {
    return this.#tunnels.values();
  }

  all(): readonly Tunnel[] {
    return [...this.#tunnels.values()];
  }

  /** Replaces an older tunnel of the client; returns false, and closes this one, when a newer one is registered. */
  add(tunnel: Tunnel): boolean {
    const { clientId, epoch } = tunnel.hub;
    const standing = this.#tunnels.get(clientId);
    if (standing && standing.hub.epoch > epoch) {
      tunnel.close("superseded");
      return false;
    }
    this.#tunnels.set(clientId, tunnel);
    standing?.close("superseded");
    return true;
  }

  /** Returns whether it was the client's registered tunnel. */
  remove(tunnel: Tunnel): boolean {
    if (this.#tunnels.get(tunnel.hub.clientId) !== tunnel) return false;
    return this.#tunnels.delete(tunnel.hub.clientId);
  }
}
