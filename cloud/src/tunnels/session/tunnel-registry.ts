/**
 * Which tunnel stands for which client on this node: the newest epoch wins, in any order of endings.
 *
 * Invariants: at most one tunnel a client; one that a newer replaced is closed at once, and its own late end removes
 * nothing (identity is compared, not the client).
 */
import type { Tunnel } from "./tunnel.ts";

export class TunnelRegistry {
  readonly #tunnels = new Map<string, Tunnel>();

  /** The client's tunnel while it is live: what `online` means, and what may be asked. */
  live(clientId: string): Tunnel | undefined {
    const tunnel = this.get(clientId);
    return tunnel?.live ? tunnel : undefined;
  }

  /** The client's tunnel, live or on its way to its end. */
  get(clientId: string): Tunnel | undefined {
    return this.#tunnels.get(clientId);
  }

  /** Whether there is one. */
  has(clientId: string): boolean {
    return this.#tunnels.has(clientId);
  }

  /** A connection of the client with that epoch stands on another node. */
  supersede(clientId: string, epoch: number): void {
    const standing = this.#tunnels.get(clientId);
    if (standing && standing.hub.epoch < epoch) standing.close("superseded");
  }

  get size(): number {
    return this.#tunnels.size;
  }

  /** One after another; those that end meanwhile may be left out. */
  each(): Iterable<Tunnel> {
    return this.#tunnels.values();
  }

  all(): readonly Tunnel[] {
    return [...this.#tunnels.values()];
  }

  /** The tunnel takes over from any older one; false, and it is closed, when a newer one stands already. */
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

  /** Whether it was the one that stood for its client. */
  remove(tunnel: Tunnel): boolean {
    if (this.#tunnels.get(tunnel.hub.clientId) !== tunnel) return false;
    return this.#tunnels.delete(tunnel.hub.clientId);
  }
}
