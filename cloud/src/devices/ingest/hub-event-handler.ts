/** The listener of the tunnels: turns the messages of hubs into jobs of this module. */
import { type Clock, type IdMaker, type Log, TaskSet, type Timer } from "@porchlight/shared/kernel";
import type { Inventory } from "@porchlight/shared/tunnel";
import type { Quotas } from "../../access/index.ts";
import type { Store, Transaction } from "../../store/index.ts";
import {
  type DescribedDevice,
  type Hub,
  type HubListener,
  type HubTunnel,
  type InventoryAnswer,
  type RecordBatch,
  standingOf,
} from "../../tunnels/index.ts";
import type { CommandQueue } from "../commands/command-queue.ts";
import type { StoredResults } from "../commands/command-result.ts";
import { readOpenCommands, settleCommand } from "../commands/command-store.ts";
import { type OpenDeadlines, recoverCommands } from "../commands/recover-commands.ts";
import { Descriptions, forgetHistory, setInventoryDigest } from "../device-row.ts";
import type { EnvironmentCache } from "../environment-cache.ts";
import type { HubTeller } from "../hub-teller.ts";
import { RecordBatches } from "./apply-records.ts";
import { applyDescription, type DescribeDeps } from "./describe-device.ts";
import { applyInventory, ClaimWatch, claimedOf, NO_ARRIVAL } from "./inventory.ts";

export interface HubEventHandlerDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly quotas: Quotas;
  readonly cache: EnvironmentCache;
  readonly deadlines: OpenDeadlines;
  readonly storedResults: StoredResults;
  readonly teller: HubTeller;
  readonly queue: CommandQueue;
}

/** Delay after a command's deadline before its hub is asked about it, ms: the node that sent it has given up by then. */
const LATER_MS = 1_000;

/** Descriptions that a hub has yet to send, and the digest that becomes valid once it has. */
interface Owed {
  readonly epoch: number;
  readonly digest: string;
  readonly edgeIds: Set<string>;
}

export class HubEventHandler implements HubListener {
  readonly #deps: HubEventHandlerDeps;
  readonly #describe: DescribeDeps;
  readonly #batches: RecordBatches;
  readonly #owed = new Map<string, Owed>();
  readonly #recovering = new TaskSet();
  readonly #later = new Map<string, Timer>();

  constructor(deps: HubEventHandlerDeps) {
    this.#deps = deps;
    this.#batches = new RecordBatches({ ...deps, listener: deps.cache, descriptions: new Descriptions() });
    this.#describe = { ...deps, claims: new ClaimWatch() };
  }

  /** Voids the numbers, arrivals and open commands of the old history. */
  async newHistory(tx: Transaction, hub: Hub): Promise<void> {
    const key = { eco: hub.ecosystemId, client: hub.clientId };
    await forgetHistory(tx, key, NO_ARRIVAL);
    for (const open of await readOpenCommands(tx, hub.ecosystemId, hub.clientId)) {
      if (open.state === "queued") continue;
      const detail = "The hub started a new history. Whether the command was carried out is not known.";
      const end = { state: "failed", outcome: "unknown", error: { name: "Hub Timeout", detail } } as const;
      await settleCommand(tx, open, end, this.#deps.clock.now());
    }
  }

  opened(tunnel: HubTunnel): void {
    // Commands with time left are sent first, in order; then the hub is asked about the rest.
    void this.#deps.queue.opened(tunnel).then((hadOpen) => hadOpen && this.#recover(tunnel, "late"));
    this.#deps.teller.opened(tunnel);
  }

  /** Asks a hub about its open commands. */
  recover(tunnel: HubTunnel): void {
    this.#recover(tunnel, "all");
  }

  #recover(tunnel: HubTunnel, among: "all" | "late"): void {
    const { log } = this.#deps;
    const recovery = recoverCommands(this.#deps, tunnel, among).then(
      (laterMs) => laterMs !== undefined && this.#recoverLater(tunnel, laterMs),
      (error: unknown) => {
        log.warn(
          { error, client: tunnel.hub.clientId },
          "the hub could not be asked about open commands; will retry with its next connection",
        );
      },
    );
    void this.#recovering.add(recovery);
  }

  /** Schedules the next recovery, with one timer for each hub; a tunnel that has ended meanwhile is not used. */
  #recoverLater(tunnel: HubTunnel, laterMs: number): void {
    this.#later.get(tunnel.hub.clientId)?.cancel();
    const timer = this.#deps.clock.timer("open commands", laterMs + LATER_MS, () => {
      this.#later.delete(tunnel.hub.clientId);
      this.#recover(tunnel, "late");
    });
    this.#later.set(tunnel.hub.clientId, timer);
  }

  records(hub: Hub, batch: RecordBatch): Promise<number> {
    return this.#batches.apply(hub, batch);
  }

  async inventory(hub: Hub, inventory: Inventory): Promise<InventoryAnswer> {
    const { wanted, claimed } = await applyInventory(this.#describe, hub, inventory);
    this.#deps.teller.look(hub.environmentId);
    const { epoch } = hub;
    // With a claimed device the list stays open: the device may be this hub's at its next announcement.
    if (wanted.length === 0 || claimed.length > 0) this.#owed.delete(hub.clientId);
    else this.#owed.set(hub.clientId, { epoch, digest: inventory.digest, edgeIds: new Set(wanted) });
    return { wanted, claimed };
  }

  claims(hub: Hub, edgeIds: readonly string[]): Promise<readonly string[]> {
    return claimedOf(this.#describe, hub, edgeIds);
  }

  async describe(hub: Hub, device: DescribedDevice): Promise<void> {
    await applyDescription(this.#describe, hub, device);
    this.#deps.teller.look(hub.environmentId);
    const owed = this.#owed.get(hub.clientId);
    if (owed?.epoch !== hub.epoch || !owed.edgeIds.delete(device.edgeId) || owed.edgeIds.size > 0) return;
    this.#owed.delete(hub.clientId);
    await this.#deps.store.writeReport(hub.ecosystemId, 1, async (tx) => {
      await standingOf(tx, hub);
      await setInventoryDigest(tx, { eco: hub.ecosystemId, client: hub.clientId }, owed.digest);
    });
  }

  /** Resolves when no recovery is in progress. */
  async idle(): Promise<void> {
    for (const timer of this.#later.values()) timer.cancel();
    this.#later.clear();
    await this.#recovering.idle();
  }
}
