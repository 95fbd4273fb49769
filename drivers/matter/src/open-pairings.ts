/**
 * Pairings in progress: finds a device again that accepted the hub while the hub crashed, and releases one whose pairing a person
 * cancelled.
 *
 * Invariant: the ID of a node is on disk before a device gets it; it is removed only when the node is known, or the search for it has
 * failed.
 */
import type { DriverStore } from "@porchlight/driver-kit";
import { type Clock, deadline, type Log, TaskSet } from "@porchlight/shared/kernel";
import type { MatterNetwork } from "./matter-network.ts";

export interface OpenPairingsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: DriverStore;
  readonly network: MatterNetwork;
}

const PREFIX = "pairing ";
/** The person has cancelled, so the device must not stay paired. */
const CANCELLED = "cancelled";
const RUNNING = "running";
/** Within this time, ms, a device that has not completed its pairing forgets it, and one that has completed it answers. */
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

  /** Resolves when the ID is on disk. @throws what the store throws */
  async begin(nodeId: string): Promise<void> {
    await this.#deps.store.set(`${PREFIX}${nodeId}`, Buffer.from(RUNNING));
  }

  /** Removes the ID: the node is known, or no device has taken the ID. @throws what the store throws */
  async end(nodeId: string): Promise<void> {
    await this.#deps.store.set(`${PREFIX}${nodeId}`, undefined);
  }

  /** A person has cancelled: releases the device in case it has taken the ID. @throws what the store throws */
  async cancel(nodeId: string): Promise<void> {
    await this.#deps.store.set(`${PREFIX}${nodeId}`, Buffer.from(CANCELLED));
    void this.#tasks.add(this.#recover(nodeId, CANCELLED));
  }

  /** Resumes the pairings that an earlier process left open. */
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
      // While the driver stops, the ID is kept for another search.
      if (time.isOver) await this.end(nodeId).catch(() => undefined);
      log.info({ node: nodeId, failure: String(failure) }, "a pairing that was interrupted has not come about");
    } finally {
      time.end();
    }
  }
}
