/** The faults of a simulated device towards the hub, and the effect of each on a request. */
import { ERROR_CODE, type MessageName } from "@porchlight/shared/wire";

export type DeviceFault =
  | { readonly mode: "none" }
  /** Neither executes nor answers. */
  | { readonly mode: "silent" }
  /** Executes but never answers. */
  | { readonly mode: "mute" }
  /** Executes and answers after this time, or as soon as the fault ends. */
  | { readonly mode: "slow"; readonly ms: number }
  /** Executes at once, and answers this much later with the value as it was then: violates B10. */
  | { readonly mode: "stale"; readonly ms: number }
  /**
   * Executes WRITEs and IDENTIFYs without an answer, always or this number of times; a repetition finds the node back at HELLO, without
   * memory of them.
   */
  | { readonly mode: "forget"; readonly times?: number | undefined }
  /** Keeps its values against every caller; answers a WRITE with the value that it has. */
  | { readonly mode: "stuck" }
  /** Sends values of another type than described. */
  | { readonly mode: "wrong" }
  /** Rejects every value: ERROR 8. */
  | { readonly mode: "refuse" }
  /** Answers ERROR 9, always or this number of times. */
  | { readonly mode: "busy"; readonly times?: number | undefined }
  /** Answers ERROR 10. */
  | { readonly mode: "broken" };

export const NO_FAULT: DeviceFault = { mode: "none" };

/** Every fault of a device, with the meaning of its number where it takes one. */
export const DEVICE_FAULTS: Readonly<Record<Exclude<DeviceFault["mode"], "none">, string>> = {
  silent: "",
  mute: "",
  slow: "ms until it answers, 1000 when left out",
  stale: "ms from reading a value to answering with it, 250 when left out",
  forget: "WRITEs and IDENTIFYs that it forgets without an answer, all when left out",
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
  | CarryOut
  | { readonly kind: "drop" }
  | { readonly kind: "error"; readonly code: number; readonly text: string };

interface CarryOut {
  readonly kind: "carry_out";
  readonly afterMs: number;
  /** Time from the execution to the answer. */
  readonly answerAfterMs: number;
  /** `unsaid`: without an answer; `lost`: without one, and the node has forgotten the request when it is repeated. */
  readonly answer: "said" | "unsaid" | "lost";
}

/** How a device with that fault treats a request of that type. */
export function treat(fault: DeviceFault, request: MessageName): Treatment {
  switch (fault.mode) {
    case "silent":
      return { kind: "drop" };
    case "mute":
      return { ...AT_ONCE, answer: "unsaid" };
    case "slow":
      return { ...AT_ONCE, afterMs: fault.ms };
    case "stale":
      return request === "DESCRIBE" ? AT_ONCE : { ...AT_ONCE, answerAfterMs: fault.ms };
    case "forget":
      return request === "WRITE" || request === "IDENTIFY" ? { ...AT_ONCE, answer: "lost" } : AT_ONCE;
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

/** The fault after one such request: a fault with a count ends. */
export function worn(fault: DeviceFault, treatment: Treatment): DeviceFault {
  if ((fault.mode !== "busy" && fault.mode !== "forget") || fault.times === undefined) return fault;
  const isCounted = fault.mode === "busy" ? treatment.kind === "error" : isLost(treatment);
  if (!isCounted) return fault;
  return fault.times > 1 ? { mode: fault.mode, times: fault.times - 1 } : NO_FAULT;
}

function isLost(treatment: Treatment): boolean {
  return treatment.kind === "carry_out" && treatment.answer === "lost";
}

const AT_ONCE: CarryOut = { kind: "carry_out", afterMs: 0, answerAfterMs: 0, answer: "said" };
