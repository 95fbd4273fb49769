/** What every driver of a hub is made with. */
import type { Admissions, AskClaims, DriverStore, SharedHost } from "@porchlight/driver-kit";
import type { FrameLog } from "@porchlight/driver-porchlight";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";

/** What the hub keeps for its drivers. */
export interface KeptForDrivers {
  /** What people have admitted beside the settings. */
  readonly admissions: Admissions;
  /** @param driver name of the driver, under which it finds what it kept */
  store(driver: string): DriverStore;
}

export interface HomeDriversDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: SharedHost;
  readonly hubEdgeId: string;
  /** Asks the cloud which devices are another hub's. */
  readonly askClaims: AskClaims;
  readonly kept: KeptForDrivers;
  /** Keeps the frames of serial lines and network devices; left out while none are kept. */
  readonly frames?: FrameLog | undefined;
}
