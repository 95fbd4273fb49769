/** Reasons why the hub does not have an ESPHome device: a name, a sentence, and whether a retry can help. */
import { DeviceTrouble, LASTING_TROUBLE_MS, QUIET_TROUBLES, type SharedTroubleKind } from "@porchlight/driver-kit";
import { WireProblem, type WireProblemKind } from "./wire/frames.ts";

export type EspHomeTroubleKind =
  | SharedTroubleKind
  | "no_esphome"
  | "no_mac"
  | "too_many_connections"
  | "needs_key"
  | "wrong_key"
  | "not_encrypted"
  | "needs_password"
  | "api_version"
  /** Another device answers than the one that was announced or was there before. */
  | "other_device"
  /** It sleeps most of the time and wakes by itself. */
  | "asleep";

/** What people can do, in a sentence; quiet troubles need nothing. */
const CURES: Readonly<Partial<Record<EspHomeTroubleKind, string>>> = {
  not_reached: "Check that it has power, and that the hub has its address.",
  no_esphome: "Find out which device has that address, and correct `drivers.esphome.devices`.",
  no_mac: "Update its firmware.",
  too_many_connections: "Disconnect other clients from it, or raise `max_connections` under its `api:`.",
  needs_key: "Run `porchlight-agent devices pair esphome-key`, or add `key` under `drivers.esphome.devices`.",
  wrong_key: "Correct `key` under `drivers.esphome.devices`, or run `porchlight-agent devices pair esphome-key`.",
  not_encrypted: "Set `api: encryption:` in its configuration, or remove its `key` from `drivers.esphome.devices`.",
  needs_password: "Remove `password` from its `api:`, and set `encryption:` instead.",
  api_version: "Update its firmware, and the hub.",
  other_device: "Correct its address. If the new device is right, admit it by its edgeId.",
};

export class EspHomeTrouble extends DeviceTrouble<EspHomeTroubleKind> {
  override get cure(): string | undefined {
    return CURES[this.kind];
  }

  /** A person can also admit a device found in place of the expected one. */
  override get awaitsAdmission(): boolean {
    return super.awaitsAdmission || this.kind === "other_device";
  }
}

/** Troubles that only a person can resolve; the driver retries them seldom. */
const FOR_PEOPLE: ReadonlySet<EspHomeTroubleKind> = new Set([
  ...(["no_esphome", "no_mac", "needs_key", "wrong_key", "not_encrypted", "needs_password", "api_version"] as const),
  ...(["other_device", ...QUIET_TROUBLES] as const),
]);
/** Delay between attempts to reach a sleeping device, ms: it may be awake for only a few seconds. */
const ASLEEP_MS = 5000;

/** Fixed delay before the next attempt, ms; undefined for growing delays. */
export function waitOf({ kind }: EspHomeTrouble): number | undefined {
  if (kind === "asleep") return ASLEEP_MS;
  return FOR_PEOPLE.has(kind) ? LASTING_TROUBLE_MS : undefined;
}

/** Troubles that need no report: the state is intended, or the device is already listed as waiting for a person. */
const NOT_REPORTED: ReadonlySet<EspHomeTroubleKind> = new Set([...QUIET_TROUBLES, "asleep"]);

export function needsReport({ kind }: EspHomeTrouble): boolean {
  return !NOT_REPORTED.has(kind);
}

/** Whether the hub lacks the device's encryption key. */
export function lacksKey({ kind }: EspHomeTrouble): boolean {
  return kind === "needs_key" || kind === "wrong_key";
}

const OF_WIRE: Readonly<Record<WireProblemKind, EspHomeTroubleKind>> = {
  refused_at_once: "too_many_connections",
  needs_key: "needs_key",
  wrong_key: "wrong_key",
  no_encryption: "not_encrypted",
  needs_password: "needs_password",
  api_version: "api_version",
  bad_bytes: "no_esphome",
  closed: "not_reached",
};

export function espHomeTroubleOf(failure: unknown): EspHomeTrouble {
  if (failure instanceof EspHomeTrouble) return failure;
  if (failure instanceof WireProblem) {
    const kind = OF_WIRE[failure.kind];
    return new EspHomeTrouble(kind, kind === "not_reached" ? `It is not reached. ${failure.message}` : failure.message);
  }
  const why = failure instanceof Error ? failure.message : String(failure);
  return new EspHomeTrouble("not_reached", `It is not reached (${why}).`);
}
