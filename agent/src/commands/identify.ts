/** Makes a device show itself on a request at the hub, so that a user can recognize it. */
import { attemptOf, type Driver } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import type { State } from "../state/index.ts";

export interface IdentifyDeps {
  readonly clock: Clock;
  readonly state: Pick<State, "learn">;
  /** The driver on whose link the device is live. */
  readonly driverOf: (device: string) => Pick<Driver, "write"> | undefined;
}

/** How long a device may take to start to show itself, ms. */
const IDENTIFY_MS = 10_000;

/** Writes without a journal entry: a device that shows itself twice does no harm. Returns the reason of a failure. */
export async function identify(
  { clock, state, driverOf }: IdentifyDeps,
  device: string,
  active: boolean,
): Promise<string | undefined> {
  const address = { service: "Identify", index: "0", property: "active" };
  const permit = { deadline: clock.monotonic() + IDENTIFY_MS, mayTouch: () => true };
  const result = await driverOf(device)?.write(device, address, active, attemptOf(clock, permit));
  if (result?.kind !== "value") return result?.detail ?? "the device is away";
  await state.learn({ device, ...address, value: result.value }, "local");
  return undefined;
}
