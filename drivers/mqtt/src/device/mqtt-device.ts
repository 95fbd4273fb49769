/**
 * A device behind a broker, independent of dialects: its properties, the topics of their values, and the messages that set or read them.
 * A dialect builds these from its descriptions; the driver treats all of them alike.
 */
import type { Work } from "@porchlight/driver-kit";
import type { DeviceAbout, PropertyAddress, PropertyDescription, Value } from "@porchlight/shared/model";
import type { Publication } from "../broker/index.ts";
import type { Payload } from "./payload.ts";

export type { Publication };

/** A message as received. */
export interface Message {
  readonly topic: string;
  readonly payload: Payload;
  /** The broker has retained the message, since an unknown time. */
  readonly retained: boolean;
}

/** The last received value of another property of the same device; undefined when there was none. */
export type LastHeard = (address: PropertyAddress) => Value | undefined;

export interface MqttProperty {
  readonly address: PropertyAddress;
  /** The possible access through this broker: no `read` where no topic reports the value. */
  readonly description: PropertyDescription;
  /** Where its values arrive; absent when no topic reports them (Home Assistant calls that optimistic). */
  readonly state?: MqttState | undefined;
  /** The message that sets it; absent when it cannot be set. The value fits the description. */
  readonly set?: ((value: Value, known: LastHeard) => Publication) | undefined;
  /** The message that makes the device report it; absent when it cannot be read. */
  readonly ask?: Publication | undefined;
  /**
   * Its topic echoes a command before it is known whether the device has executed it, and also when the device has refused. Only the
   * device's own answer to a read counts.
   */
  readonly isEchoed?: boolean | undefined;
  /**
   * It is the target of a slow movement, and its topic reports the position: the first value that is closer to the target than the
   * previous one confirms that the device has accepted it.
   */
  readonly isGoal?: boolean | undefined;
  /** Maximum difference of a number that still confirms the one that was set, because the device stores coarser numbers. */
  readonly tolerance?: number | undefined;
}

export interface MqttState {
  /** An exact topic, without wildcards. */
  readonly topic: string;
  /** Other exact topics whose messages are read in the same way. */
  readonly also?: readonly string[] | undefined;
  /**
   * Reads the property's value from a message; undefined when the message does not contain it, `null` when the message states that there
   * is no value, or contains no valid value. Never throws.
   * @param known the last received values of the device's properties, for values that are inferred
   */
  readonly read: (payload: Payload, known?: LastHeard) => Value | undefined;
  /** The part of a message that `read` uses, unparsed; for `status`, where it is not understood. */
  readonly raw?: ((payload: Payload) => unknown) | undefined;
  /** The unit of the value in messages. When it changes, the previous value ends. */
  readonly unit?: string | undefined;
  /** When a value changes because no message has renewed it. */
  readonly ends?: readonly ValueEnd[] | undefined;
  /** The conditions of the value: while one does not hold, there is no value. */
  readonly holds?: readonly MqttCondition[] | undefined;
}

/** A value changes when no message has renewed it for that long. */
export interface ValueEnd {
  readonly afterMs: number;
  /** The value that ends; absent: every value. */
  readonly of?: Value | undefined;
  readonly becomes: Value;
}

/** A condition that topics report: that a device is reachable, that a lamp shows a colour. */
export interface MqttCondition extends MqttAvailability {
  /** Identifies the condition, and stays the same when its device's description changes. */
  readonly id: string;
  /** Whether the condition holds before any topic has reported it. */
  readonly initially: boolean;
  /** Retained messages do not count for the condition. */
  readonly isLiveOnly?: boolean | undefined;
  /** The property cannot be set while the condition does not hold: its part of the device is unreachable. */
  readonly isForWrites?: boolean | undefined;
}

/** Topics that report whether the device is reachable. */
export interface MqttAvailability {
  /** With several topics: all must report the device as reachable, one must, or the latest message decides. */
  readonly mode: "all" | "any" | "latest";
  /** Empty: the device counts as reachable as long as the broker is. */
  readonly topics: readonly {
    readonly topic: string;
    /** Its report stays valid after the connection ends: the publisher does not repeat it to a broker that has lost it. */
    readonly isLasting?: boolean | undefined;
    /** Undefined when the message does not report availability. Never throws. */
    readonly read: (payload: Payload) => boolean | undefined;
  }[];
}

export interface MqttDevice {
  readonly edgeId: string;
  /**
   * A permanent identity for a device whose edgeId may change one day, for example when a publisher starts to report a MAC; absent where
   * it cannot change.
   */
  readonly identity?: string | undefined;
  readonly about: DeviceAbout;
  /**
   * In the order of the description; at most 64 services of 64 properties. An address belongs to the same thing permanently: see
   * `KeptThings`, or it is a pure function of a number that the device itself gives the thing permanently.
   */
  readonly properties: readonly MqttProperty[];
  readonly availability: MqttAvailability;
  /**
   * Whether a publisher repeated earlier values in a message, without having received anything from the device itself since the previous
   * message: the repeated values are no newer. Called once for each message on the device's topics; absent where messages do not state
   * it.
   */
  readonly isRemembered?: ((payload: Payload) => boolean) | undefined;
  /** Called when the device is admitted: from then on the addresses of its things are stored. */
  readonly keepAddresses?: (() => void) | undefined;
  /** The device can cause injury or let a person in, by a part of no standard class: a garage door, a siren. */
  readonly isSensitive: boolean;
  /** The message that makes the device identify itself; absent where it cannot. */
  readonly identify?: Publication | undefined;
  /** Numbers of ignored parts of its description, which are not understood or not needed, by reason. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** A dialect's current devices. Devices that are not built yet are built when they are read. */
export interface DescribedNow {
  /**
   * The currently described devices, by edgeId. A device whose description changes is a new object; a device whose description stays the
   * same remains the same object.
   */
  readonly devices: ReadonlyMap<string, MqttDevice>;
  /** Numbers of ignored messages and parts, by reason; for `status`. */
  readonly ignored: Readonly<Record<string, number>>;
  /** Problems of descriptions, each in a sentence that names the topic: the last 50, for `status`. */
  readonly problems: readonly string[];
}

/** One format in which programs describe devices on a broker. */
export interface Dialect extends DescribedNow {
  readonly name: string;
  /** Topics, or filters with wildcards, on which devices are described. */
  readonly filters: readonly string[];
  /**
   * Takes a message on one of them; false when its topic is not the dialect's, or it changes nothing. Never throws. It is quick: `build`
   * does the work that takes long for a large message, or for many messages.
   */
  take(message: Message): boolean;
  /**
   * Builds the currently described devices, in slices. Messages that come meanwhile count for the next call; work that was dropped in the
   * middle has changed nothing. Absent where `take` builds them.
   */
  build?(): Work<DescribedNow>;
  /**
   * The devices, in their previous state, whose descriptions a message on the topic changes or may change; called right after `take` for
   * that message. Absent where the values may still be read by the previous descriptions and topics.
   */
  describedOn?(topic: string): readonly MqttDevice[];
}
