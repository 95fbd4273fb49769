/** Reasons why the hub does not have a device: a name, a sentence, and whether a retry can help. */
import { DeviceTrouble, LASTING_TROUBLE_MS, QUIET_TROUBLES, type SharedTroubleKind } from "@porchlight/driver-kit";
import { type DeviceInfo, introduction } from "./description/describe.ts";
import { WrongPassword } from "./rpc-channel.ts";
import { NoShelly, TooManyConnections } from "./web-socket.ts";

export type TroubleKind =
  | SharedTroubleKind
  | "no_shelly"
  | "gen1"
  | "firmware_too_old"
  | "too_many_connections"
  | "wrong_password"
  | "needs_password"
  /** It sleeps most of the time and would connect to the hub itself, but the hub does not listen. */
  | "sleeps";

/** What people can do, in a sentence; quiet troubles need nothing. */
const CURES: Readonly<Partial<Record<TroubleKind, string>>> = {
  not_reached: "Check that it has power and that its address is right.",
  no_shelly: "Correct its address in `drivers.shelly.devices`.",
  gen1: "Connect it by MQTT and remove it from `drivers.shelly.devices`.",
  firmware_too_old: "Update it in the Shelly app or on its web page.",
  too_many_connections: "Close its web page and disconnect other clients: it allows six connections.",
  wrong_password: "Correct it under `drivers.shelly.devices`, or run `porchlight-agent devices pair shelly-password`.",
  sleeps: "Set `drivers.shelly.listen`, and the outbound WebSocket on the device's web page.",
  needs_password: "Run `porchlight-agent devices pair shelly-password`, or add it under `drivers.shelly.devices`.",
};

export class Trouble extends DeviceTrouble<TroubleKind> {
  override get cure(): string | undefined {
    return CURES[this.kind];
  }
}

/** Troubles that only a person can resolve; the driver retries them seldom. */
const LASTING: ReadonlySet<TroubleKind> = new Set([
  ...(["no_shelly", "gen1", "firmware_too_old", "wrong_password", "needs_password", "sleeps"] as const),
  ...QUIET_TROUBLES,
]);
const QUIET: ReadonlySet<TroubleKind> = new Set(QUIET_TROUBLES);

/** Fixed delay before the next attempt, ms; undefined for growing delays. */
export function shellyWaitOf({ kind }: Trouble): number | undefined {
  return LASTING.has(kind) ? LASTING_TROUBLE_MS : undefined;
}

/** Whether the hub lacks the device's password. */
export function lacksPassword({ kind }: Trouble): boolean {
  return kind === "needs_password" || kind === "wrong_password";
}

/** Needs no report: the state is intended, or the device is already listed as waiting for a person. */
export function isQuiet({ kind }: Trouble): boolean {
  return QUIET.has(kind);
}

export function troubleOf(failure: unknown): Trouble {
  if (failure instanceof Trouble) return failure;
  if (failure instanceof WrongPassword)
    return failure.wasGiven
      ? new Trouble("wrong_password", "Its password is not the one that the hub knows.")
      : new Trouble("needs_password", "It needs its password.");
  if (failure instanceof NoShelly) return new Trouble("no_shelly", failure.message);
  if (failure instanceof TooManyConnections) return new Trouble("too_many_connections", failure.message);
  const why = failure instanceof Error ? failure.message : String(failure);
  return new Trouble("not_reached", `It cannot be reached (${why}).`);
}

/** Parses a device's identity. @throws Trouble when the hub does not support the device */
export function shellyOf(json: unknown): DeviceInfo {
  const reported = introduction(json);
  switch (reported.kind) {
    case "shelly":
      return reported.info;
    case "gen1":
      throw new Trouble("gen1", "It is a first-generation device, which the hub supports by MQTT only.");
    case "firmware_too_old":
      throw new Trouble("firmware_too_old", `Its firmware ${reported.version} is too old: 1.0.0 or later is needed.`);
    case "no_shelly":
      throw new Trouble("no_shelly", "The device at this address is not a Shelly device.");
  }
}
