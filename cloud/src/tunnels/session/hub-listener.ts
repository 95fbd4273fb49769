/** What flows upward from a tunnel, as this module declares it: the module `devices` listens, `app.ts` hands it in. */

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
  /** Last number offered before on this connection: a batch is not stored when what came before it was not. */
  readonly after: number;
}

/** A device as its hub describes it, its parts put together. */
export interface DescribedDevice {
  readonly edgeId: string;
  readonly digest: string;
  readonly arrival: number;
  readonly online: boolean;
  readonly about: Readonly<Record<string, string>>;
  readonly services: DeviceDescription;
}

/** What a hub is told when it has told what it has. */
export interface InventoryAnswer {
  readonly wanted: readonly string[];
  readonly claimed: readonly string[];
}

export interface HubListener {
  /** In the write job that opens the tunnel: the hub's history is another than the one that was stored. */
  newHistory(tx: Transaction, hub: Hub): Promise<void>;
  /** The tunnel stands, and the hub has been told so. */
  opened(tunnel: HubTunnel): void;
  /**
   * Stores a batch with its effects; the write is queued before the first wait, so that batches keep their order.
   * Gives the number up to which everything is stored.
   * @throws Superseded
   */
  records(hub: Hub, batch: RecordBatch): Promise<number>;
  /** Gives the edgeIds whose description is wanted, and those of devices that live on another hub. @throws Superseded */
  inventory(hub: Hub, inventory: Inventory): Promise<InventoryAnswer>;
  /** Gives those of the edgeIds whose devices live on another hub. @throws Superseded */
  claims(hub: Hub, edgeIds: readonly string[]): Promise<readonly string[]>;
  /** @throws Superseded */
  describe(hub: Hub, device: DescribedDevice): Promise<void>;
}

/** One property of a device, as a hub is asked about it. */
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
  /** Monotonic time of this process after which the hub does not touch hardware any more. */
  readonly deadline: number;
  /** Monotonic time at which the caller does not wait any more. */
  readonly answerBy: number;
  /** Of a command, for the hub's log: the request that it is for. */
  readonly requestId?: string | undefined;
  /** Of a command: whether the hub is to say where its time went. */
  readonly trace?: boolean | undefined;
  /** Of a read: a value that its device has confirmed within this time is answered without a read, ms; absent: every device is read. */
  readonly maxAgeMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One item of a read: what the hub has read, or why not. */
export type ReadResult = ReadAnswer["items"][number];
export type { Failure, ResultRecord };

/** A living tunnel, as a use-case asks through it. */
export interface HubTunnel {
  readonly hub: Hub;
  /**
   * @param late told the answer when it comes after all, once this has failed with PeerTimeout
   * @throws PeerGone, PeerTimeout, PeerRefused, or the signal's reason
   */
  command(command: HubCommand, call: HubCall, late?: (answer: ResultRecord) => void): Promise<CommandAnswer>;
  /**
   * The commands of one call of a scene, in one frame. One answer for each, in order.
   * @param late told the answers when they come after all, once this has failed with PeerTimeout
   * @throws PeerGone, PeerTimeout, PeerRefused
   */
  callScene(
    sceneId: string,
    commands: readonly HubCommand[],
    call: HubCall,
    late?: (answers: readonly CommandAnswer[]) => void,
  ): Promise<readonly CommandAnswer[]>;
  /** One result for each item, in order. @throws PeerGone, PeerTimeout, PeerRefused, or the signal's reason */
  read(items: readonly HubTarget[], call: HubCall): Promise<readonly ReadResult[]>;
  /** What a person asks of the hub's drivers. @throws PeerGone, PeerTimeout, PeerRefused, or the signal's reason */
  drivers(
    question: DriverQuestion,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<DriverAnswer>;
  /** What a person asks of the hub itself. @throws PeerGone, PeerTimeout, PeerRefused, or the signal's reason */
  maintenance(
    question: MaintenanceQuestion,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<MaintenanceAnswer>;
  /** The hub is about to leave and comes back at once, to this node or another: nothing is asked here any more. */
  readonly isLeaving: boolean;
  /** Digest of the names that the hub said it has; undefined when it has no use for them. */
  readonly namesDigest: string | undefined;
  /** Tells what its devices are called; gives the edgeIds whose name the hub has not. @throws PeerGone, PeerTimeout, PeerRefused */
  names(names: Names): Promise<readonly string[]>;
  /** @throws PeerGone, PeerTimeout, PeerRefused */
  name(name: DeviceName): Promise<void>;
  /** Digest of the scenes that the hub said it has; undefined when it knows of no scenes. */
  readonly scenesDigest: string | undefined;
  /** Tells which scenes it is to store; gives the IDs of those that it has not. @throws PeerGone, PeerTimeout, PeerRefused */
  scenes(scenes: Scenes): Promise<readonly string[]>;
  /** @throws PeerGone, PeerTimeout, PeerRefused */
  scene(scene: StoredScene): Promise<void>;
}
