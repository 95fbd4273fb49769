/** A driver that does what a test has it do, behind a channel in memory. */
import { type Attempt, attemptOf, carryOut, type LiveDevice, type StatedDriver } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { VirtualClock } from "@porchlight/shared/kernel";
import type { ChildDriverDeps } from "./child-driver.ts";
import { type Child, throughChannel } from "./through-channel.fixture.ts";

export const LAMP = "02-00-00-00-00-01";
export const ON = { service: "Switch", index: "0", property: "on" };

/** A device with one switch, of a standard class by default. */
export function lamp(edgeId = LAMP, service = "Switch"): LiveDevice {
  const property = { property: "on", type: "boolean", access: ["read", "write", "notify"] } as const;
  return { edgeId, description: [{ service, index: "0", properties: [property] }], about: {}, transport: "script" };
}

export interface Scripted {
  readonly clock: VirtualClock;
  readonly host: FakeHost;
  readonly child: Child;
  attempt(ms?: number, mayTouch?: () => boolean, signal?: AbortSignal): Attempt;
}

export async function scripted(
  driver: Partial<StatedDriver> = {},
  deps: Partial<Omit<ChildDriverDeps, "host">> = {},
): Promise<Scripted> {
  const [clock, host] = [new VirtualClock(), new FakeHost()];
  const child = await throughChannel({ clock, host, ...deps }, () => ({
    name: "script",
    has: () => true,
    read: (_device, _address, attempt) => carryOut(attempt, () => attempt.touch(() => ({ now: true }))),
    write: (_device, _address, value, attempt) => carryOut(attempt, () => attempt.touch(() => ({ now: value }))),
    [Symbol.asyncDispose]: async () => undefined,
    ...driver,
  }));
  const attempt = (ms = 10_000, mayTouch = () => true, signal?: AbortSignal) =>
    attemptOf(clock, { deadline: clock.monotonic() + ms, mayTouch, signal });
  return { clock, host, child, attempt };
}
