/**
 * Pairings that have begun and not ended: a device that has accepted the hub while the hub died is found again, and one that a person gave
 * up is let go.
 *
 * Invariant: before a device is told of its id in the fabric, the id is on disk; it is forgotten only when the node is known, or has been
 * looked for in vain.
 */
import type { DriverStore } from "@porchlight/driver-kit";
import { type Clock, deadline, type Log, TaskSet } from "@porchlight/shared/kernel";
import type { MatterNetwork } from "../network/matter-network.ts";

export interface OpenPairingsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: DriverStore;
  readonly network: MatterNetwork;
}

const PREFIX = "pairing ";
/** What a person ended must not be had after all. */
const CANCELLED = "cancelled";
const RUNNING = "running";
/** A device that has not completed its pairing forgets it within this time, and one that has answers. */
const SEARCH_MS = 300_000;

export class OpenPairings implements Disposable {
  readonly #deps: OpenPairingsDeps;
  readonly #left: ReadonlyMap<string, string>;
  readonly #ending = new AbortController();
  readonly #tasks = new TaskSet();

  private constructor(deps: OpenPairingsDeps, left: ReadonlyMap<string, string>) {
    this.#deps = deps;
    this.#left = left;
  }

  /** @throws what the store throws */
  static async load(deps: OpenPairingsDeps): Promise<OpenPairings> {
    const entries = [...(await deps.store.all(PREFIX))];
    const left = entries.map(([key, value]) => [key.slice(PREFIX.length), Buffer.from(value).toString()] as const);
    return new OpenPairings(deps, new Map(left));
  }

  /** Settles when it is on disk. @throws what the store throws */
  async begin(nodeId: string): Promise<void> {
    await this.#deps.store.set(`${PREFIX}${nodeId}`, Buffer.from(RUNNING));
  }

  /** The node is known, or no device has taken the id. @throws what the store throws */
  async end(nodeId: string): Promise<void> {
    await this.#deps.store.set(`${PREFIX}${nodeId}`, undefined);
  }

  /** A person has given it up: should the device have taken the id, it is let go. @throws what the store throws */
  async cancel(nodeId: string): Promise<void> {
    await this.#deps.store.set(`${PREFIX}${nodeId}`, Buffer.from(CANCELLED));
    void this.#tasks.add(this.#recover(nodeId, CANCELLED));
  }

  /** Looks for what an earlier life has left. */
  recover(): void {
    for (const [nodeId, state] of this.#left) void this.#tasks.add(this.#recover(nodeId, state));
  }

  [Symbol.dispose](): void {
    this.#ending.abort(new Error("the driver stops"));
  }

  async #recover(nodeId: string, state: string): Promise<void> {
    const { clock, log, network } = this.#deps;
    const time = deadline(clock, "search for a device that may be paired", SEARCH_MS, { signal: this.#ending.signal });
    const { signal } = time;
    try {
      const node = network.nodes.find((each) => each.nodeId === nodeId) ?? (await network.adopt(nodeId, signal));
      if (state === CANCELLED) await node.remove(true, signal);
      log.info({ node: nodeId, state }, "a pairing that was interrupted has been completed or taken back");
      await this.end(nodeId);
    } catch (failure) {
      // Not while the driver ends: it is looked for again.
      if (time.isOver) await this.end(nodeId).catch(() => undefined);
      log.info({ node: nodeId, failure: String(failure) }, "a pairing that was interrupted has not come about");
    } finally {
      time.end();
    }
  }
}
