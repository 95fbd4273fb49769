/** What an agent is made of from outside: where it runs, what it speaks through, and what tests set otherwise. */
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

/** For `test/world`, which has no network: takes the API at home in the place of a server. */
export type ServeAtHome = (api: HomeApiDeps) => Promise<AsyncDisposable & { readonly url: string }>;

export interface AgentDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Folder of `agent.db` and `identity.key`; made when it is not there. */
  readonly dataDir: string;
  /** Base address of the service. */
  readonly cloudUrl: string;
  /** Where the client token is kept. */
  readonly tokens: TokenStore;
  /** Where a hub without one asks to be paired; without this it works at home only. */
  readonly pairing?: PairingCloud | undefined;
  /** The hub's edgeId, at the first start only. */
  readonly edgeId?: string | undefined;
  readonly dial: Dial;
  /** Where the API at home is served, or what serves it; nowhere when left out. */
  readonly localApi?: HomeAddress | ServeAtHome | undefined;
  /** The broker on which the hub's own devices are told; nowhere when left out. */
  readonly publish?: MqttSettings | undefined;
  /** Makes the drivers, which tell what they hear to the host, and ask whose a device is before they take it off a network. */
  readonly drivers: (
    host: SharedHost,
    hubEdgeId: string,
    askClaims: AskClaims,
    kept: KeptForDrivers,
  ) => readonly StatedDriver[];
  /** Answers what a person asks of the hub itself through the cloud; nobody is answered when left out. */
  readonly maintenance?: ((hub: MaintainedHub) => AskMaintenance) | undefined;
  /** Whether the machine's clock has been set since it was switched on; left out: it counts as set. */
  readonly isMachineClockSet?: SceneTriggersDeps["isMachineClockSet"];
  /** Which start of the machine this is; see {@link State.open}. */
  readonly boot?: Boot | undefined;
  readonly settings?: AgentTuning | undefined;
}
