/**
 * A driver that is part of the hub's program. Every hub loads this description, so it holds only the settings; `start` loads the driver's
 * code.
 */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { z } from "zod";
import type { Admissions } from "./host/admission.ts";
import type { AskClaims } from "./host/claims.ts";
import type { SharedHost } from "./host/session-claims.ts";
import type { StatedDriver } from "./host/supervised.ts";
import type { DriverStore } from "./kept/driver-store.ts";
import type { NetworkBrowser } from "./network/network-browser.ts";

/** What the hub passes to a built-in driver. */
export interface BuiltInSurroundings {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: SharedHost;
  readonly hubEdgeId: string;
  /** Asks the cloud which devices belong to another hub. */
  readonly askClaims: AskClaims;
  /** Devices that people have admitted in addition to the settings. */
  readonly admissions: Admissions;
  readonly store: DriverStore;
  /** The browser of the home network, for drivers that discover their devices there. */
  readonly network: () => Promise<NetworkBrowser>;
}

export interface BuiltInDriver<Schema extends z.ZodType = z.ZodType> {
  /** Schema of the driver's section in the agent's settings. */
  readonly settings: Schema;
  /** The driver's name in status and logs, if it differs from its name in the settings. */
  shown?(settings: z.output<Schema>): string;
  /** Loads and starts the driver. When it throws, the hub reports the error and calls it again. */
  start(settings: z.output<Schema>, around: BuiltInSurroundings): Promise<StatedDriver>;
}
