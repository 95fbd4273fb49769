/** How a simulated device can misbehave towards the hub, and what becomes of a request while it does. */
import { ERROR_CODE, type MessageName } from "@porchlight/shared/wire";

export type DeviceFault =
  | { readonly mode: "none" }
  /** Never carries out and never answers. */
  | { readonly mode: "silent" }
  /** Carries out and never answers. */
  | { readonly mode: "mute" }
  /** Carries out and answers after so long, or once it is slow no more. */
  | { readonly mode: "slow"; readonly ms: number }
  /** Stays as it is, for every caller; answers a WRITE with the value that it has. */
  | { readonly mode: "stuck" }
  /** Says values of another type than it described. */
  | { readonly mode: "wrong" }
  /** Refuses every value: ERROR 8. */
  | { readonly mode: "refuse" }
  /** ERROR 9, always or so many times. */
  | { readonly mode: "busy"; readonly times?: number | undefined }
  /** ERROR 10. */
  | { readonly mode: "broken" };

export const NO_FAULT: DeviceFault = { mode: "none" };

/** Every way in which a device can misbehave, with what its number means where it takes one. */
export const DEVICE_FAULTS: Readonly<Record<Exclude<DeviceFault["mode"], "none">, string>> = {
  silent: "",
  mute: "",
  slow: "ms until it answers, 1000 when left out",
  stuck: "",
  wrong: "",
  refuse: "",
  busy: "requests that it turns away, all when left out",
  broken: "",
};

export function isDeviceFault(name: string): name is keyof typeof DEVICE_FAULTS {
  return Object.hasOwn(DEVICE_FAULTS, name);
}

export type Treatment =
  | { readonly kind: "carry_out"; readonly afterMs: number; readonly mute: boolean }
  | { readonly kind: "drop" }
  | { readonly kind: "error"; readonly code: number; readonly text: string };

/** What a device with that fault does with a request of that name. */
export function treat(fault: DeviceFault, request: MessageName): Treatment {
  switch (fault.mode) {
    case "silent":
      return { kind: "drop" };
    case "mute":
      return { kind: "carry_out", afterMs: 0, mute: true };
    case "slow":
      return { kind: "carry_out", afterMs: fault.ms, mute: false };
    case "refuse":
      if (request === "WRITE") return { kind: "error", code: ERROR_CODE.valueRefused, text: "This value is refused." };
      return AT_ONCE;
    case "busy":
      if (request === "DESCRIBE") return AT_ONCE;
      return { kind: "error", code: ERROR_CODE.busy, text: "Busy: ask again." };
    case "broken":
      if (request === "DESCRIBE") return AT_ONCE;
      return { kind: "error", code: ERROR_CODE.hardwareFailure, text: "The hardware has failed." };
    case "stuck":
    case "wrong":
    case "none":
      return AT_ONCE;
  }
}

/** Whether a device with that fault answers at all. */
export function speaks(fault: DeviceFault): boolean {
  return fault.mode !== "silent" && fault.mode !== "mute";
}

/** The fault after one request was treated so: a busy device that counts is well in the end. */
export function worn(fault: DeviceFault, treatment: Treatment): DeviceFault {
  if (fault.mode !== "busy" || fault.times === undefined || treatment.kind !== "error") return fault;
  return fault.times > 1 ? { mode: "busy", times: fault.times - 1 } : NO_FAULT;
}

const AT_ONCE: Treatment = { kind: "carry_out", afterMs: 0, mute: false };
