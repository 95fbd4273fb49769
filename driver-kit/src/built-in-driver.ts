/**
 * A driver that is part of the hub's program, as its package describes it. Every hub loads the description, so it has the settings only;
 * `start` loads the driver.
 */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { z } from "zod";
import type { Admissions } from "./host/admission.ts";
import type { AskClaims } from "./host/claims.ts";
import type { SharedHost } from "./host/session-claims.ts";
import type { StatedDriver } from "./host/supervised.ts";
import type { DriverStore } from "./kept/driver-store.ts";
import type { NetworkBrowser } from "./network/network-browser.ts";

/** What the hub gives to such a driver. */
export interface BuiltInSurroundings {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: SharedHost;
  readonly hubEdgeId: string;
  /** Asks the cloud which devices are another hub's. */
  readonly askClaims: AskClaims;
  /** The devices that people have admitted in addition to the settings. */
  readonly admissions: Admissions;
  readonly store: DriverStore;
  /** The browser of the home network, for drivers that find their devices there. */
  readonly network: () => Promise<NetworkBrowser>;
}

export interface BuiltInDriver<Schema extends z.ZodType = z.ZodType> {
  /** What stands under the driver's name in the settings of the agent. */
  readonly settings: Schema;
  /** What status and logs call the driver, when that is not its name in the settings. */
  shown?(settings: z.output<Schema>): string;
  /** Loads the driver and starts it. What it throws is shown, and it is called again. */
  start(settings: z.output<Schema>, around: BuiltInSurroundings): Promise<StatedDriver>;
}
