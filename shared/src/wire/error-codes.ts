/** The codes of ERROR: their names, and the API's error for a command that ends with one. DP4. */
import type { ErrorName, Outcome } from "../kernel/index.ts";

export const ERROR_CODE = {
  unknownType: 1,
  malformed: 2,
  unknownDevice: 3,
  unknownService: 4,
  unknownProperty: 5,
  notReadable: 6,
  notWritable: 7,
  valueRefused: 8,
  busy: 9,
  hardwareFailure: 10,
  versionNotSupported: 11,
  notAdmitted: 12,
} as const;

/** The hub's interpretation of an ERROR that answers one of its requests. */
export interface ErrorVerdict {
  /** The code in words, for logs and details. */
  readonly says: string;
  /** The API's error. */
  readonly name: ErrorName;
  readonly outcome: Outcome;
  /** Whether the hub's description of the device is outdated, so that it must ask for a new one. */
  readonly describeAfresh: boolean;
}

const row = (says: string, name: ErrorName, outcome: Outcome, describeAfresh = false): ErrorVerdict => ({
  says,
  name,
  outcome,
  describeAfresh,
});

const VERDICTS: ReadonlyMap<number, ErrorVerdict> = new Map([
  [ERROR_CODE.unknownType, row("unknown type", "Device Unreachable", "not_applied")],
  [ERROR_CODE.malformed, row("malformed", "Device Unreachable", "not_applied", true)],
  [ERROR_CODE.unknownDevice, row("unknown device", "Device Unreachable", "not_applied", true)],
  [ERROR_CODE.unknownService, row("unknown service", "Device Unreachable", "not_applied", true)],
  [ERROR_CODE.unknownProperty, row("unknown property", "Device Unreachable", "not_applied", true)],
  [ERROR_CODE.notReadable, row("not readable", "Device Rejected", "rejected")],
  [ERROR_CODE.notWritable, row("not writable", "Device Rejected", "rejected")],
  [ERROR_CODE.valueRefused, row("value rejected", "Device Rejected", "rejected")],
  [ERROR_CODE.busy, row("busy", "Device Unreachable", "not_applied")],
  [ERROR_CODE.hardwareFailure, row("hardware failure", "Device Unreachable", "unknown")],
  [ERROR_CODE.versionNotSupported, row("version not supported", "Device Unreachable", "unknown")],
  [ERROR_CODE.notAdmitted, row("not admitted", "Device Unreachable", "unknown")],
]);

/** The meaning of an ERROR code; an unknown code counts as a hardware failure. */
export function errorVerdict(code: number): ErrorVerdict {
  return VERDICTS.get(code) ?? row(`error ${code}`, "Device Unreachable", "unknown");
}
