/**
 * What a driver is: the one page that a driver's author reads. A driver knows how some kind of device speaks; it neither
 * stores nor decides. It tells its host what it hears, and carries out what its host asks.
 */
import type { Log } from "@porchlight/shared/kernel";
import type { DeviceAbout, DeviceDescription, PropertyAddress, Value } from "@porchlight/shared/model";

/** A device that is live on a driver's link. */
export interface LiveDevice {
  readonly edgeId: string;
  readonly description: DeviceDescription;
  readonly about: DeviceAbout;
  /** How it is reached, for people: `serial /dev/ttyUSB0`. */
  readonly transport: string;
}

/** Something that a device said of one of its properties. */
export interface Observation extends PropertyAddress {
  readonly device: string;
  readonly value: Value;
  /** Somebody, a broker say, has kept it since an unknown time: it counts while nothing else is known, and as of unknown age. */
  readonly isRetained?: boolean | undefined;
}

/** Names a report for ever, so that a repetition has no second effect: for protocols that number and repeat their reports. */
export interface ReportSource {
  /** edgeId of the node that sent it. */
  readonly node: string;
  readonly boot: number;
  readonly seq: number;
}

/**
 * What became of a push. `replaced`: a newer value of the property came before there was room for it. `busy`: it is not kept, because
 * too many events wait or the hub ends; without an acknowledgement its sender may repeat it. `refused`: the device is not live on this
 * driver, does not describe the property, or describes it with another type.
 */
export type PushResult = "stored" | "replaced" | "busy" | "refused";

/** A device that is seen, and that the hub leaves alone. */
export interface FoundDevice {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  /** Its service classes, as far as they are known: a person must see that it is a lock. */
  readonly services: readonly string[];
  /** `awaiting_admission`: it has a service that must be admitted one by one. `not_admitted`: it was never asked for. */
  readonly admission: "awaiting_admission" | "not_admitted";
}

/** A bridge or device that the driver has found, and that a person must pair first: it cannot be read, set or admitted. */
export interface UnpairedDevice {
  /** What it calls itself, or what it is: `Hue bridge Hall`. */
  readonly name: string;
  readonly edgeId?: string | undefined;
  /** Where it is, for people: `192.168.1.20`. */
  readonly address?: string | undefined;
  /** What is missing, or what a person must do, in a sentence: `Press the round button on the bridge.` */
  readonly missing: string;
  /** The kind of the setup that pairs it; left out when no setup can. */
  readonly setup?: string | undefined;
}

/** What a host says of a device that has arrived. */
export type Arrival = "admitted" | "refused" | "later";

/** What the driver tells. Everything is given in by the composition root. */
export interface DriverHost {
  readonly log: Log;
  /**
   * A device is live, described, and can be asked. `refused`: it is live elsewhere, and must be left alone on this link.
   * `later`: whether it may be had is not known yet; the driver is to ask again.
   */
  arrived(device: LiveDevice): Arrival;
  /** A device that is live describes itself otherwise than before: after an update of its firmware, say. */
  described(device: LiveDevice): void;
  /**
   * A line is open, and who is on it is not known yet: what is asked of the devices that were last on it waits for them a while.
   * @param transport of those devices
   */
  opened(transport: string): void;
  /** It cannot be asked any more. */
  left(edgeId: string): void;
  /**
   * A device reported by itself, in a protocol that numbers its reports and repeats them until they are acknowledged. Settles once the report is committed: only then may it be acknowledged.
   * `repeated`: it had been committed before. `busy`: there is no room; it is to come again.
   */
  reported(report: Observation, source: ReportSource): Promise<"stored" | "repeated" | "busy">;
  /**
   * A device said by itself what is true now, and does not repeat it. The host keeps it until it is stored: of each property the newest
   * value, and every event, in their order. Settles when that is decided, for a protocol that can acknowledge it.
   */
  pushed(observation: Observation): Promise<PushResult>;
  /** The driver has read a value by itself, or heard one that somebody had kept since an unknown time (`isRetained`; another value that the hub has ends by it): after describing a device, or to find out what a silent write did. */
  learned(observation: Observation): Promise<void>;
  /** The driver could not find out by itself what a property now is: it is asked to read it, again and again, until it has been read. */
  unread(device: string, address: PropertyAddress): void;
  /** A node has rebooted and does not count its boots: what is remembered of its reports is void. */
  forgetReports(node: string): void;
}

/** How long, and by whose permission, a driver may try. */
export interface Attempt {
  /** On the clock's monotonic time, ms: the hardware is not touched after it. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  /** ID of the command that is carried out, for what is kept of it; absent of a read. Nothing is decided by it. */
  readonly command?: string | undefined;
  /**
   * The only way to touch the hardware, asked for again at every try. Runs `send` before it returns, and gives what that gives.
   * @throws NotTouched, and `send` has not run: the deadline is past, or there is no permission any more; the attempt is `not_applied`
   */
  readonly touch: <T>(send: () => T) => T;
}

/** How an attempt ended. `name`, `outcome`: as the API says it. */
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
  /** Writes; a `value` result is what the device says the property now is. Never throws for what a device or line does. */
  write(device: string, address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult>;
  /** These devices belong to another hub of the home: left alone until that one lets them go. For links that two hubs can share. */
  yield?(edgeIds: readonly string[]): void;
  /** Settles, with why, when the driver cannot go on by itself: it is disposed of and started anew. */
  readonly failed?: Promise<unknown> | undefined;
  /** Devices that are seen, and may not be had before a person admits them: the first 100. */
  found?(): readonly FoundDevice[];
  /** What it has found and a person must pair first: the first 100. */
  unpaired?(): readonly UnpairedDevice[];
  /** What keeps it from its devices, for people; undefined when nothing does. */
  problem?(): string | undefined;
  /** The kinds of setup that it offers now. */
  setups?(): readonly SetupKind[];
  /** Runs one of them to its end. @throws SetupFailed, the talk's signal's reason */
  setup?(kind: string, talk: SetupTalk): Promise<void>;
}

// A conversation between a driver and a person, in one form for every kind of pairing: press the button, enter the code, choose, wait.
// The person may sit at the hub, at home, or in front of the portal.

/** A kind of setup that a driver offers. */
export interface SetupKind {
  /** Of letters, digits and hyphens, for programs: `zigbee`. */
  readonly kind: string;
  /** What it does, for people: `Let a Zigbee device join`. */
  readonly title: string;
  /**
   * edgeIds of devices that are bound to this hub: such a setup is never offered to people, but run when the hub leaves its owner. It lets
   * go of them, names each that it has let go by `found`, and cannot ask. What it does not name must be reset by hand.
   */
  readonly releases?: readonly string[] | undefined;
}

/** What a person is asked for. A `code` may be shown while it is typed; a `password` may not. */
export type SetupQuestion =
  | { readonly ask: "code" | "password"; readonly text: string }
  | { readonly ask: "choice"; readonly text: string; readonly choices: readonly string[] };

/** A device that a setup has brought. */
export interface SetupFind {
  readonly edgeId?: string | undefined;
  /** What it is, as far as is known: `IKEA TRADFRI bulb`. */
  readonly name: string;
}

/** The driver's side of the conversation. */
export interface SetupTalk {
  /** Aborted when the person has ended it, when it has taken too long, and when the driver ends. */
  readonly signal: AbortSignal;
  /**
   * Says what to do, or what goes on: it stands until the next word.
   * @param seconds how long that is true for at most: `The network is open`
   */
  tell(text: string, seconds?: number): void;
  /** Waits for the person's answer. One of the `choices`, where there are some. @throws the signal's reason */
  ask(question: SetupQuestion): Promise<string>;
  /** Something has been found: told at once, while the setup goes on. */
  found(find: SetupFind): void;
}

/** A setup has not come to its end; the message says why, and what the person can do. */
export class SetupFailed extends Error {}
