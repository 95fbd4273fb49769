/**
 * A device behind a broker, in no dialect any more: what it is, on which topics its values come, and what must be published to set or
 * read one. A dialect makes these from its descriptions; the driver does the rest alike for all of them.
 */
import type { Work } from "@porchlight/driver-kit";
import type { DeviceAbout, PropertyAddress, PropertyDescription, Value } from "@porchlight/shared/model";
import type { Publication } from "../broker/index.ts";
import type { Payload } from "./payload.ts";

export type { Publication };

/** A message as it came. */
export interface Message {
  readonly topic: string;
  readonly payload: Payload;
  /** The broker had kept it, since an unknown time. */
  readonly retained: boolean;
}

/** What was last heard of another property of the same device; undefined when nothing was. */
export type LastHeard = (address: PropertyAddress) => Value | undefined;

export interface MqttProperty {
  readonly address: PropertyAddress;
  /** Its access is what can be done with it here: no `read` where no topic says what it is. */
  readonly description: PropertyDescription;
  /** Where its values come; left out when none says what it is (Home Assistant calls that optimistic). */
  readonly state?: MqttState | undefined;
  /** What is published to set it; left out when it cannot be set. The value fits the description. */
  readonly set?: ((value: Value, known: LastHeard) => Publication) | undefined;
  /** What is published so that its device says what it is; left out when it cannot be asked. */
  readonly ask?: Publication | undefined;
  /**
   * Its topic says what was set before it is known whether the device has done it, and also when the device has refused. What the device
   * itself says when it is asked is what counts.
   */
  readonly isEchoed?: boolean | undefined;
  /**
   * It is a target of something that moves slowly, and its topic says where that is: the first value that is closer to the target than
   * the one before confirms that the device has taken it.
   */
  readonly isGoal?: boolean | undefined;
  /** How far a number may be from the one that was set and still confirm it, because the device keeps coarser ones. */
  readonly tolerance?: number | undefined;
}

export interface MqttState {
  /** Exact: no wildcard. */
  readonly topic: string;
  /** Other exact topics whose messages are read alike. */
  readonly also?: readonly string[] | undefined;
  /**
   * What a message says of the property; undefined when it says nothing of it, `null` when it says that there is no value, or what is no
   * value of the property. Never throws.
   * @param known what was last heard of the device's properties, for values that are inferred
   */
  readonly read: (payload: Payload, known?: LastHeard) => Value | undefined;
  /** The part of a message that `read` looks at, as it came; for `status`, where it is not understood. */
  readonly raw?: ((payload: Payload) => unknown) | undefined;
  /** The unit in which messages have the value. When it changes, the value from before ends. */
  readonly unit?: string | undefined;
  /** How a value ends by the clock. */
  readonly ends?: readonly ValueEnd[] | undefined;
  /** When it holds: while it does not, there is no value. */
  readonly holds?: readonly MqttCondition[] | undefined;
}

/** A value is another one when no message has renewed it for that long. */
export interface ValueEnd {
  readonly afterMs: number;
  /** The value that ends; every value where it is left out. */
  readonly of?: Value | undefined;
  readonly becomes: Value;
}

/** What topics say of whether something is so: that a device is there, that a colour is what a lamp shows. */
export interface MqttCondition extends MqttAvailability {
  /** The same for the same condition when its device is described anew. */
  readonly id: string;
  /** Whether it is so before any topic has said anything. */
  readonly unsaid: boolean;
  /** What the broker has kept says nothing of it. */
  readonly isLiveOnly?: boolean | undefined;
  /** The property cannot be set while it is not so: its part of the device cannot be reached. */
  readonly isForWrites?: boolean | undefined;
}

/** Whether the device can be reached, by what is said of it. */
export interface MqttAvailability {
  /** Of several topics: all must say that it is there, one must, or the one that spoke last decides. */
  readonly mode: "all" | "any" | "latest";
  /** None: it counts as there as long as the broker is. */
  readonly topics: readonly {
    readonly topic: string;
    /** What it said holds beyond the connection: its publisher does not say it again to a broker that has lost it. */
    readonly isLasting?: boolean | undefined;
    /** Undefined when the message says nothing of it. Never throws. */
    readonly read: (payload: Payload) => boolean | undefined;
  }[];
}

export interface MqttDevice {
  readonly edgeId: string;
  /** What it is known by for ever where its edgeId may be another one day, such as when a publisher tells a MAC; left out where it may not. */
  readonly identity?: string | undefined;
  readonly about: DeviceAbout;
  /**
   * In the order of the description; at most 64 services of 64 properties. An address is the same thing's for good: see `KeptThings`, or
   * it is a pure function of a number that the device itself gives the thing for good.
   */
  readonly properties: readonly MqttProperty[];
  readonly availability: MqttAvailability;
  /**
   * Whether a message is said without the device itself having been heard since the message before it: what it repeats is no newer. Called
   * once for each message on the device's topics; left out where messages do not say it.
   */
  readonly isRemembered?: ((payload: Payload) => boolean) | undefined;
  /** Called when the device is admitted: from then on the addresses of its things are kept. */
  readonly keepAddresses?: (() => void) | undefined;
  /** It can hurt, or let somebody in, by a part that is of no standard class: a garage door, a siren. */
  readonly isSensitive: boolean;
  /** What is published so that the device shows itself; left out where it cannot. */
  readonly identify?: Publication | undefined;
  /** Parts of its description that are not understood, or not wanted, by a name for the reason, each with how many. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** What a dialect has made of all that was described. What is not made yet is made at once when it is read. */
export interface DescribedNow {
  /**
   * The devices that are described now, by edgeId. A device that is described anew is another object; one that is described as before
   * stays the same object.
   */
  readonly devices: ReadonlyMap<string, MqttDevice>;
  /** What was left aside, by a name for the reason, each with how many; for `status`. */
  readonly ignored: Readonly<Record<string, number>>;
  /** What is wrong with descriptions, each in a sentence that names the topic: the last 50, for `status`. */
  readonly problems: readonly string[];
}

/** One way in which programs describe devices on a broker. */
export interface Dialect extends DescribedNow {
  readonly name: string;
  /** Topics, or filters with wildcards, on which devices are described. */
  readonly filters: readonly string[];
  /**
   * Takes a message on one of them; false when its topic is not the dialect's, or it says what is known. Never throws. It is quick: what
   * takes long for a large message, or for many, is done by `build`.
   */
  take(message: Message): boolean;
  /**
   * Makes the devices that are described now, in slices. What is taken meanwhile is for the next time; work that was dropped in the middle
   * has changed nothing. Left out where `take` makes them.
   */
  build?(): Work<DescribedNow>;
  /**
   * The devices that a message on the topic describes otherwise, or may, as they were before; called right after `take` for that message.
   * Left out where values may still be read so: by their topics too.
   */
  describedOn?(topic: string): readonly MqttDevice[];
}
