/** The dependencies of an agent: its environment, its connections, and the settings that tests change. */
import type { AskClaims, SharedHost, StatedDriver } from "@porchlight/driver-kit";
import type { MqttSettings } from "@porchlight/driver-mqtt";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { TokenStore } from "./config/index.ts";
import type { KeptForDrivers } from "./drivers/index.ts";
import type { HomeAddress, HomeApiDeps } from "./local-api/index.ts";
import type { MembershipSettings } from "./membership.ts";
import type { AskMaintenance, MaintainedHub } from "./ops/index.ts";
import type { PairingCloud } from "./pairing/index.ts";
import type { SceneTriggersDeps } from "./scenes/index.ts";
import type { Boot } from "./state/index.ts";
import type { Dial, UplinkSettings } from "./uplink/index.ts";

export interface AgentTuning {
  readonly uplink?: Partial<UplinkSettings> | undefined;
  readonly membership?: Partial<MembershipSettings> | undefined;
  /** See {@link State.open}. */
  readonly groupMs?: number | undefined;
  readonly outboxBytes?: number | undefined;
  readonly reserveBytes?: number | undefined;
  readonly beforeCommit?: (() => void) | undefined;
  /** How long after the start a device that was online may take to come back, ms (15 s). */
  readonly absentMs?: number | undefined;
}

/** For `test/world`, which has no network: receives the API at home in the place of a server. */
export type ServeAtHome = (api: HomeApiDeps) => Promise<AsyncDisposable & { readonly url: string }>;

export interface AgentDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Folder of `agent.db` and `identity.key`; created if it does not exist. */
  readonly dataDir: string;
  /** Base address of the service. */
  readonly cloudUrl: string;
  /** Stores the client token. */
  readonly tokens: TokenStore;
  /** The cloud's pairing routes, for a hub without a token; when left out, it works at home only. */
  readonly pairing?: PairingCloud | undefined;
  /** The hub's edgeId, used at the first start only. */
  readonly edgeId?: string | undefined;
  readonly dial: Dial;
  /** The address of the API at home, or a function that serves it; when left out, it is not served. */
  readonly localApi?: HomeAddress | ServeAtHome | undefined;
  /** The broker on which the hub's own devices are published; when left out, they are not published. */
  readonly publish?: MqttSettings | undefined;
  /** Creates the drivers. They report to the host, and ask for a device's owner before they take it off a network. */
  readonly drivers: (
    host: SharedHost,
    hubEdgeId: string,
    askClaims: AskClaims,
    kept: KeptForDrivers,
  ) => readonly StatedDriver[];
  /** Answers maintenance requests to the hub through the cloud; when left out, there are no answers. */
  readonly maintenance?: ((hub: MaintainedHub) => AskMaintenance) | undefined;
  /** Whether the machine's clock has been set since power-on; when left out, it counts as set. */
  readonly isMachineClockSet?: SceneTriggersDeps["isMachineClockSet"];
  /** The current start of the machine; see {@link State.open}. */
  readonly boot?: Boot | undefined;
  readonly settings?: AgentTuning | undefined;
}
