/**
 * What a driver is: the one page that a driver's author reads. A driver speaks the protocol of one kind of device; it neither stores nor
 * decides. It reports to its host what devices send, and executes the host's requests.
 */
import type { Log } from "@porchlight/shared/kernel";
import type { DeviceAbout, DeviceDescription, PropertyAddress, Value } from "@porchlight/shared/model";

/** A device that is live on a driver's link. */
export interface LiveDevice {
  readonly edgeId: string;
  readonly description: DeviceDescription;
  readonly about: DeviceAbout;
  /** The path to the device, for people: `serial /dev/ttyUSB0`. */
  readonly transport: string;
}

/** A value that a device reported for one of its properties. */
export interface Observation extends PropertyAddress {
  readonly device: string;
  readonly value: Value;
  /**
   * A third party, such as a broker, has retained the value since an unknown time: it counts only while no other value is known, with
   * unknown age.
   */
  readonly isRetained?: boolean | undefined;
}

/** Identifies a report permanently, so that a repetition has no second effect: for protocols that number and repeat their reports. */
export interface ReportSource {
  /** edgeId of the node that sent it. */
  readonly node: string;
  readonly boot: number;
  readonly seq: number;
}

/**
 * The result of a push. `replaced`: a newer value of the property came before there was room for this one. `busy`: it is dropped, because
 * too many events wait or the hub is shutting down; without an acknowledgement its sender may repeat it. `refused`: the device is not
 * live on this driver, does not describe the property, or describes it with another type.
 */
export type PushResult = "stored" | "replaced" | "busy" | "refused";

/** A device that the driver sees and the hub does not use. */
export interface FoundDevice {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  /** Its service classes, as far as they are known: a person must see, for example, that the device is a lock. */
  readonly services: readonly string[];
  /** `awaiting_admission`: it has a service that must be admitted individually. `not_admitted`: its admission was never requested. */
  readonly admission: "awaiting_admission" | "not_admitted";
}

/** A bridge or device that the driver has found and a person must pair first: it cannot be read, written or admitted. */
export interface UnpairedDevice {
  /** The name that it announces, or its kind: `Hue bridge Hall`. */
  readonly name: string;
  readonly edgeId?: string | undefined;
  /** Its address, for people: `192.168.1.20`. */
  readonly address?: string | undefined;
  /** What is missing, or what a person must do, in a sentence: `Press the round button on the bridge.` */
  readonly missing: string;
  /** The kind of the setup that pairs it; absent when no setup can. */
  readonly setup?: string | undefined;
}

/** The host's answer to a device that has arrived. */
export type Arrival = "admitted" | "refused" | "later";

/** The host's interface for a driver's reports. The composition root injects all of it. */
export interface DriverHost {
  readonly log: Log;
  /**
   * A device is live, described, and can be read and written. `refused`: it is live on another link, and this link must leave it alone.
   * `later`: its owner is not known yet; the driver must try again.
   */
  arrived(device: LiveDevice): Arrival;
  /** The description of a live device has changed, for example after a firmware update. */
  described(device: LiveDevice): void;
  /**
   * A line is open, and its devices are not known yet: commands to the devices that were last on it wait for them for a while.
   * @param transport of those devices
   */
  opened(transport: string): void;
  /** The device is no longer live. */
  left(edgeId: string): void;
  /**
   * A device sent a report by itself, in a protocol that numbers its reports and repeats them until they are acknowledged. Settles once
   * the report is committed; the driver must not acknowledge it earlier.
   * `repeated`: it had been committed before. `busy`: there is no room; the device must send it again.
   */
  reported(report: Observation, source: ReportSource): Promise<"stored" | "repeated" | "busy">;
  /**
   * A device sent its current state by itself, and does not repeat it. The host queues it until it is stored: the newest value of each
   * property, and every event, in order. Settles when that is decided, for a protocol that can acknowledge it.
   */
  pushed(observation: Observation): Promise<PushResult>;
  /**
   * The driver has read a value by itself, after describing a device or to find the effect of an unanswered write, or has received a
   * value that a third party retained since an unknown time (`isRetained`; it ends the validity of a different value that the hub has).
   */
  learned(observation: Observation): Promise<void>;
  /**
   * The driver could not find out the current value of a property by itself: the host asks it to read the property until a read succeeds.
   */
  unread(device: string, address: PropertyAddress): void;
  /** A node has rebooted and does not count its boots: the host discards its record of the node's reports. */
  forgetReports(node: string): void;
}

/** How long, and with whose permission, a driver may try. */
export interface Attempt {
  /** On the clock's monotonic time, ms: the hardware is not touched after it. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  /** ID of the command that is executed, for the driver's records; absent for a read. No decision depends on it. */
  readonly command?: string | undefined;
  /**
   * The only way to touch the hardware; permission is checked again at every try. Runs `send` before it returns, and returns its result.
   * @throws NotTouched, and `send` has not run: the deadline is past, or permission is withdrawn; the attempt is `not_applied`
   */
  readonly touch: <T>(send: () => T) => T;
}

/** How an attempt ended. `name` and `outcome` have the API's values. */
export type DriverResult =
  | { readonly kind: "value"; readonly value: Value }
  | {
      readonly kind: "failed";
      readonly name: "Device Unreachable" | "Device Rejected" | "Hub Timeout";
      readonly outcome: "rejected" | "not_applied" | "unknown";
      readonly detail: string;
      /** The device's own error code. */
      readonly code?: number | undefined;
    };

export interface Driver extends AsyncDisposable {
  /** For logs and `status`. */
  readonly name: string;
  /** Whether the device is live here. */
  has(edgeId: string): boolean;
  /** Reads from the hardware. Never throws for what a device or line does. */
  read(device: string, address: PropertyAddress, attempt: Attempt): Promise<DriverResult>;
  /** Writes; a `value` result is the property's value as the device reports it. Never throws for what a device or line does. */
  write(device: string, address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult>;
  /**
   * These devices belong to another hub of the home: the driver leaves them alone until that hub releases them. For links that two hubs
   * can share.
   */
  yield?(edgeIds: readonly string[]): void;
  /** Settles, with the reason, when the driver cannot continue: the hub disposes of it and starts it again. */
  readonly failed?: Promise<unknown> | undefined;
  /** Devices that the driver sees and that a person must admit first: at most 100. */
  found?(): readonly FoundDevice[];
  /** Devices and bridges that the driver has found and a person must pair first: at most 100. */
  unpaired?(): readonly UnpairedDevice[];
  /** Why the driver cannot reach its devices, for people; undefined when it can. */
  problem?(): string | undefined;
  /** The kinds of setup that the driver offers now. */
  setups?(): readonly SetupKind[];
  /** Runs a setup of that kind to its end. @throws SetupFailed, the talk's signal's reason */
  setup?(kind: string, talk: SetupTalk): Promise<void>;
}

/** A kind of setup that a driver offers. */
export interface SetupKind {
  /** Letters, digits and hyphens, for programs: `zigbee`. */
  readonly kind: string;
  /** A description for people: `Let a Zigbee device join`. */
  readonly title: string;
  /**
   * edgeIds of devices that are bound to this hub: such a setup is never offered to people; it runs when the hub leaves its owner. It
   * unbinds them, reports each unbound device by `found`, and cannot ask. A device that it does not report must be reset by hand.
   */
  readonly releases?: readonly string[] | undefined;
}

/** A question to the person. A `code` may be shown while it is typed; a `password` must not be. */
export type SetupQuestion =
  | { readonly ask: "code" | "password"; readonly text: string }
  | { readonly ask: "choice"; readonly text: string; readonly choices: readonly string[] };

/** A device that a setup has added. */
export interface SetupFind {
  readonly edgeId?: string | undefined;
  /** A description, as far as it is known: `IKEA TRADFRI bulb`. */
  readonly name: string;
}

/**
 * The driver's side of the conversation with a person, in one form for every kind of pairing: press the button, enter the code, choose,
 * wait. The person may sit at the hub, at home, or in front of the portal.
 */
export interface SetupTalk {
  /** Aborted when the person ends the setup, when it takes too long, and when the driver ends. */
  readonly signal: AbortSignal;
  /**
   * Shows an instruction or the progress, until the next call.
   * @param seconds how long the text is true at most: `The network is open`
   */
  tell(text: string, seconds?: number): void;
  /** Waits for the person's answer: one of the `choices`, if there are any. @throws the signal's reason */
  ask(question: SetupQuestion): Promise<string>;
  /** Reports a device at once, while the setup continues. */
  found(find: SetupFind): void;
}

/** A setup has failed; the message states why, and what the person can do. */
export class SetupFailed extends Error {}
