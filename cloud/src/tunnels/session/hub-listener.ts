/**
 * The messages that flow upward from a tunnel, as this module declares them: the module `devices` implements it,
 * `app.ts` connects them.
 */

import type {
  DeviceDescription,
  DriverAnswer,
  DriverQuestion,
  MaintenanceAnswer,
  MaintenanceQuestion,
  Value,
} from "@porchlight/shared/model";
import type {
  CommandAnswer,
  DeviceName,
  Failure,
  HubRecord,
  Inventory,
  Names,
  ReadAnswer,
  ResultRecord,
  Scenes,
  StoredScene,
} from "@porchlight/shared/tunnel";
import type { Transaction } from "../../store/index.ts";
import type { Hub } from "./hub.ts";

export interface RecordBatch {
  readonly records: readonly HubRecord[];
  /** The last number offered before on this connection: a batch is not stored when its predecessor was not. */
  readonly after: number;
}

/** A device as its hub describes it, assembled from its parts. */
export interface DescribedDevice {
  readonly edgeId: string;
  readonly digest: string;
  readonly arrival: number;
  readonly online: boolean;
  readonly about: Readonly<Record<string, string>>;
  readonly services: DeviceDescription;
}

/** The answer to a hub's inventory. */
export interface InventoryAnswer {
  readonly wanted: readonly string[];
  readonly claimed: readonly string[];
}

export interface HubListener {
  /** In the write job that opens the tunnel: the hub's history differs from the stored one. */
  newHistory(tx: Transaction, hub: Hub): Promise<void>;
  /** The tunnel is open, and the hub has its welcome. */
  opened(tunnel: HubTunnel): void;
  /**
   * Stores a batch with its effects; the write is queued before the first await, so that batches keep their order.
   * Returns the number up to which everything is stored.
   * @throws Superseded
   */
  records(hub: Hub, batch: RecordBatch): Promise<number>;
  /** Returns the edgeIds whose description is missing, and those of devices that live on another hub. @throws Superseded */
  inventory(hub: Hub, inventory: Inventory): Promise<InventoryAnswer>;
  /** Returns those of the edgeIds whose devices live on another hub. @throws Superseded */
  claims(hub: Hub, edgeIds: readonly string[]): Promise<readonly string[]>;
  /** @throws Superseded */
  describe(hub: Hub, device: DescribedDevice): Promise<void>;
}

/** One property of a device, as a request to its hub names it. */
export interface HubTarget {
  readonly device: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
}

export interface HubCommand extends HubTarget {
  readonly id: string;
  readonly value: Value;
}

export interface HubCall {
  /** Monotonic time of this process after which the hub no longer accesses hardware for the call. */
  readonly deadline: number;
  /** Monotonic time at which the caller stops waiting. */
  readonly answerBy: number;
  /** For a command: the request that it belongs to, for the hub's log. */
  readonly requestId?: string | undefined;
  /** For a command: whether the hub reports where its time went. */
  readonly trace?: boolean | undefined;
  /** For a read: a value that its device confirmed within this time is answered without a read, ms; absent: every device is read. */
  readonly maxAgeMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of one item of a read: the value, or why it could not be read. */
export type ReadResult = ReadAnswer["items"][number];
export type { Failure, ResultRecord };

/** A live tunnel, as use-cases call it. */
export interface HubTunnel {
  readonly hub: Hub;
  /**
   * @param late receives an answer that arrives after this has failed with PeerTimeout
   * @throws PeerGone, PeerTimeout, PeerRefused, or the signal's reason
   */
  command(command: HubCommand, call: HubCall, late?: (answer: ResultRecord) => void): Promise<CommandAnswer>;
  /**
   * Sends the commands of one call of a scene in one frame. Returns one answer for each, in order.
   * @param late receives answers that arrive after this has failed with PeerTimeout
   * @throws PeerGone, PeerTimeout, PeerRefused
   */
  callScene(
    sceneId: string,
    commands: readonly HubCommand[],
    call: HubCall,
    late?: (answers: readonly CommandAnswer[]) => void,
  ): Promise<readonly CommandAnswer[]>;
  /** Returns one result for each item, in order. @throws PeerGone, PeerTimeout, PeerRefused, or the signal's reason */
  read(items: readonly HubTarget[], call: HubCall): Promise<readonly ReadResult[]>;
  /** Sends a user's request to the hub's drivers. @throws PeerGone, PeerTimeout, PeerRefused, or the signal's reason */
  drivers(
    question: DriverQuestion,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<DriverAnswer>;
  /** Sends a user's request to the hub itself. @throws PeerGone, PeerTimeout, PeerRefused, or the signal's reason */
  maintenance(
    question: MaintenanceQuestion,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<MaintenanceAnswer>;
  /** The hub is about to disconnect and reconnects at once, to this node or another: this tunnel takes no more requests. */
  readonly isLeaving: boolean;
  /** Digest of the names that the hub has, from its hello; undefined when it does not use names. */
  readonly namesDigest: string | undefined;
  /** Sends the names of its devices; returns the edgeIds whose name the hub lacks. @throws PeerGone, PeerTimeout, PeerRefused */
  names(names: Names): Promise<readonly string[]>;
  /** @throws PeerGone, PeerTimeout, PeerRefused */
  name(name: DeviceName): Promise<void>;
  /** Digest of the scenes that the hub has, from its hello; undefined when it does not support scenes. */
  readonly scenesDigest: string | undefined;
  /** Sends the list of scenes to store; returns the IDs of those that the hub lacks. @throws PeerGone, PeerTimeout, PeerRefused */
  scenes(scenes: Scenes): Promise<readonly string[]>;
  /** @throws PeerGone, PeerTimeout, PeerRefused */
  scene(scene: StoredScene): Promise<void>;
}
