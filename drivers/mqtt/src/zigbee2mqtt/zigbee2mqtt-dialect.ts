/** zigbee2mqtt's own dialect: one message describes all devices, with types, ranges and units. */
import { createHash } from "node:crypto";
import { at, doneAtOnce, edgeIdOfEui, jsonLength, type Work } from "@porchlight/driver-kit";
import type { z } from "zod";
import { DevicePlaces, KeptThings, type ThingAddresses } from "../device/kept-things.ts";
import type { DescribedNow, Dialect, Message, MqttAvailability, MqttDevice } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import {
  type BridgeConfig,
  type BridgeDevice,
  bridgeDevice,
  bridgeInfo,
  configProblem,
  deviceConfig,
  type Expose,
  expose,
} from "./bridge-config.ts";
import { deviceProperties } from "./device-properties.ts";
import { deviceTopics, LastSeenTimes } from "./members.ts";

/** Maximum number of devices of a bridge. */
const MOST_DEVICES = 1000;
/** Maximum number of items of its list that are read. */
const MOST_LISTED = 4 * MOST_DEVICES;
const MOST_PROBLEMS = 50;
/** Largest description of one device, characters. */
const LARGEST_DEVICE = 128 * 1024;
/** Largest message with the settings, characters. */
const LARGEST_SETTINGS = 512 * 1024;
/** Maximum number of characters of messages that are kept until devices are built, not counting the last message. */
const MOST_UNREAD = 16 * 1024 * 1024;
/** Number of a description's characters that count as one step. */
const CHARACTERS_OF_STEP = 50;
/** Maximum length of a problem, characters. */
const LONGEST_PROBLEM = 300;

interface Described {
  /** Digest of all inputs of the device. */
  readonly digest: string;
  readonly device: MqttDevice;
  /** Parts of its description that are not understood. */
  readonly problems: readonly string[];
}

/** Why a device is not used: the reason's name, and words where the description is invalid. */
interface Refused {
  readonly why: string;
  readonly problem?: string;
}

/**
 * @param base the bridge's base topic: `zigbee2mqtt`
 * @param addresses the store of the features' addresses; absent: nothing outlives the dialect
 */
export function zigbee2mqttDialect(base: string, addresses: ThingAddresses = new KeptThings(undefined)): Dialect {
  return new Zigbee2MqttDialect(base, addresses);
}

class Zigbee2MqttDialect implements Dialect {
  readonly name = "zigbee2mqtt";
  readonly filters: readonly string[];
  readonly #base: string;
  readonly #addresses: ThingAddresses;
  /** Messages since devices were last built. */
  readonly #unread: Message[] = [];
  /** The descriptions have changed since devices were last built. */
  #isChanged = false;
  #listed: readonly unknown[] = [];
  #config: BridgeConfig | undefined;
  /** Number of messages of the bridge that could not be read, since the start. */
  #badMessages = 0;
  /** The problem of the last message on each topic. */
  readonly #broken = new Map<string, string>();
  #described = new Map<string, Described>();
  readonly #lastSeen = new LastSeenTimes();
  #now: DescribedNow = { devices: new Map(), ignored: {}, problems: [] };

  constructor(base: string, addresses: ThingAddresses) {
    this.#base = base;
    this.#addresses = addresses;
    this.filters = [this.#topic("devices"), this.#topic("info"), this.#topic("state")];
  }

  take(message: Message): boolean {
    if (message.topic !== this.#topic("devices") && message.topic !== this.#topic("info")) return false;
    this.#isChanged = true;
    this.#unread.push(message);
    const lengths = this.#unread.map(({ payload }) => payload.text.length);
    // The newest of several unread messages is enough, unless it is cut off.
    for (let sum = lengths.reduce((a, b) => a + b) - message.payload.text.length; sum > MOST_UNREAD; ) {
      sum -= lengths.shift() ?? 0;
      this.#unread.shift();
    }
    return true;
  }

  /** All devices: which of them the message changes is known only when it has been read. */
  describedOn(topic: string): readonly MqttDevice[] {
    const isDescription = topic === this.#topic("devices") || topic === this.#topic("info");
    return isDescription ? [...this.#now.devices.values()] : [];
  }

  *build(): Work<DescribedNow> {
    if (!this.#isChanged) return this.#now;
    for (let next = this.#unread[0]; next; next = this.#unread[0]) {
      const { topic, payload } = next;
      const isSettings = topic === this.#topic("info");
      if (!isSettings || payload.text.length <= LARGEST_SETTINGS) yield* payload.parse();
      if (this.#unread[0] !== next) continue;
      this.#unread.shift();
      if (isSettings) this.#inform(payload);
      else this.#list(payload);
    }
    yield* this.#describe();
    return this.#now;
  }

  get devices(): ReadonlyMap<string, MqttDevice> {
    return doneAtOnce(this.build()).devices;
  }

  get ignored(): Readonly<Record<string, number>> {
    return doneAtOnce(this.build()).ignored;
  }

  get problems(): readonly string[] {
    return doneAtOnce(this.build()).problems;
  }

  #topic(what: "devices" | "info" | "state"): string {
    return `${this.#base}/bridge/${what}`;
  }

  /**
   * A message that is cut off or no list removes nothing. An empty message removes all devices: with it, the broker deletes the retained
   * list.
   */
  #list(payload: Payload): void {
    const topic = this.#topic("devices");
    this.#broken.delete(topic);
    if (Array.isArray(payload.json)) this.#listed = payload.json;
    else if (payload.text === "") this.#listed = [];
    else this.#refuse(topic, `${notRead(payload, "list")}; the devices stay as they were described before`);
  }

  #inform(payload: Payload): void {
    const topic = this.#topic("info");
    this.#broken.delete(topic);
    const { text } = payload;
    if (text.length > LARGEST_SETTINGS) {
      this.#refuse(topic, `the message is longer than ${LARGEST_SETTINGS} characters; the settings from before hold`);
      return;
    }
    const { json } = payload;
    const { data, error } = bridgeInfo.safeParse(json);
    const problem = data && configProblem(data.config);
    if (data || text === "") this.#config = data?.config;
    else
      this.#refuse(
        topic,
        `${json === undefined ? notRead(payload, "object") : issueOf(error)}; the settings from before hold`,
      );
    if (problem !== undefined) this.#broken.set(topic, problem);
  }

  #refuse(topic: string, problem: string): void {
    this.#badMessages += 1;
    this.#broken.set(topic, problem);
  }

  *#describe(): Work {
    const ignored: Record<string, number> = this.#badMessages > 0 ? { badMessage: this.#badMessages } : {};
    const leave = (why: string, count = 1) => {
      ignored[why] = (ignored[why] ?? 0) + count;
    };
    const problems = [...this.#broken].map(([topic, problem]) => `${topic}: ${problem}`);
    const found = new Map<string, Described>();
    const listed = this.#listed.slice(0, MOST_LISTED);
    if (listed.length < this.#listed.length) leave("tooManyDevices", this.#listed.length - listed.length);
    for (const [place, given] of listed.entries()) {
      const length = jsonLength(given, LARGEST_DEVICE);
      const isRoom = found.size < MOST_DEVICES;
      const described = isRoom ? this.#describeOne(given, { place, length }) : { why: "tooManyDevices" };
      if ("why" in described) {
        leave(described.why);
        if (described.problem !== undefined && problems.length < MOST_PROBLEMS) problems.push(described.problem);
        const before = described.problem === undefined ? undefined : this.#before(given);
        // The previous description holds until the device's description is valid again.
        if (before) found.set(before.device.edgeId, before);
      } else found.set(described.device.edgeId, described);
      yield 1 + length / CHARACTERS_OF_STEP;
    }
    for (const { device, problems: more } of found.values()) {
      for (const [why, count] of Object.entries(device.leftAside)) leave(why, count);
      if (problems.length < MOST_PROBLEMS) problems.push(...more);
    }
    this.#isChanged = this.#unread.length > 0;
    this.#described = found;
    this.#lastSeen.keep(found);
    this.#now = {
      devices: new Map([...found].map(([edgeId, { device }]) => [edgeId, device])),
      ignored,
      problems: problems.slice(0, MOST_PROBLEMS).map((problem) => problem.slice(0, LONGEST_PROBLEM)),
    };
  }

  #before(given: unknown): Described | undefined {
    const address = at(given, "ieee_address");
    const edgeId = typeof address === "string" ? edgeIdOfEui(address) : undefined;
    return edgeId === undefined ? undefined : this.#described.get(edgeId);
  }

  /** The same object as before when the device has not changed. @param place in the list @param length of its description, characters */
  #describeOne(given: unknown, { place, length }: { place: number; length: number }): Described | Refused {
    if (length >= LARGEST_DEVICE) {
      const problem = `its description is longer than ${LARGEST_DEVICE} characters`;
      return { why: "tooLarge", problem: `${this.#topic("devices")}: ${nameIn(given, place)}: ${problem}` };
    }
    const { data, error } = bridgeDevice.safeParse(given);
    if (!data)
      return { why: "badDevice", problem: `${this.#topic("devices")}: ${nameIn(given, place)}: ${issueOf(error)}` };
    const why = unwanted(data);
    if (why !== undefined) return { why };
    const edgeId = edgeIdOfEui(data.ieee_address);
    const topics = deviceTopics(this.#base, data.friendly_name);
    if (edgeId === undefined) return { why: "badAddress" };
    if (!topics) return { why: "badName" };
    const config = deviceConfig(this.#config, data.ieee_address);
    const digest = createHash("sha256")
      .update(JSON.stringify([config, given]))
      .digest("base64");
    const before = this.#described.get(edgeId);
    if (before?.digest === digest) return before;
    const { definition } = data;
    const { exposes, problems } = this.#exposesOf(data);
    const places = new DevicePlaces(this.#addresses, this.name, edgeId);
    const { leftAside, ...described } = deviceProperties(exposes, topics, config, places);
    return {
      digest,
      problems,
      device: {
        edgeId,
        about: {
          manufacturer: definition?.vendor,
          model: definition?.model,
          firmware: data.software_build_id,
          name: nameOf(data),
        },
        ...described,
        leftAside: problems.length > 0 ? { ...leftAside, badExpose: problems.length } : leftAside,
        keepAddresses: () => places.keep(),
        isRemembered: (payload) => this.#lastSeen.isRemembered(edgeId, payload),
        availability: availabilityBy(this.#topic("state"), config.hasAvailability ? topics.availability : undefined),
      },
    };
  }

  /** The valid items, and the problems of the others. */
  #exposesOf({ definition, friendly_name }: BridgeDevice): { exposes: Expose[]; problems: string[] } {
    const exposes: Expose[] = [];
    const problems: string[] = [];
    for (const [place, given] of (definition?.exposes ?? []).entries()) {
      const { data, error } = expose.safeParse(given);
      if (data) exposes.push(data);
      else
        problems.push(`${this.#topic("devices")}: ${friendly_name}: ${issueOf(error, `definition.exposes.${place}`)}`);
    }
    return { exposes, problems };
  }
}

/** Why a message could not be read, in words. */
function notRead({ json, problem }: Payload, expected: "list" | "object"): string {
  if (problem !== undefined) return `the message is not read: ${problem}`;
  return json === undefined ? "the message is cut off or no JSON" : `the message is no ${expected}`;
}

/** The first issue of the error, with its path. @param within the path of the parsed value */
function issueOf(error: z.ZodError | undefined, within = ""): string {
  const { path, message } = error?.issues[0] ?? { path: [], message: "" };
  return [[...(within === "" ? [] : [within]), ...path.map(String)].join("."), message].filter(Boolean).join(": ");
}

/** The list's name for a device, for people. */
function nameIn(given: unknown, place: number): string {
  const name = at(given, "friendly_name") ?? at(given, "ieee_address");
  return typeof name === "string" ? name : `device ${place}`;
}

/** The name that the owner chose. Until then zigbee2mqtt uses the device's address, which is no name. */
function nameOf({ friendly_name, ieee_address }: BridgeDevice): string | undefined {
  return friendly_name.toLowerCase() === ieee_address.toLowerCase() ? undefined : friendly_name;
}

/** Why a device is not used; undefined when it is. The coordinator is the radio itself. */
function unwanted({ type, disabled, supported, interview_completed, definition }: BridgeDevice): string | undefined {
  if (type === "Coordinator") return "coordinator";
  if (disabled) return "disabled";
  if (!interview_completed) return "notInterviewed";
  return supported && definition ? undefined : "unsupported";
}

/**
 * The topics that report whether a device is reachable. After it connects again, zigbee2mqtt publishes only its own state, and a device's
 * when that changes.
 */
function availabilityBy(bridge: string, device: string | undefined): MqttAvailability {
  const own = device === undefined ? [] : [{ topic: device, read: isOnline, isLasting: true }];
  return { mode: "all", topics: [{ topic: bridge, read: isOnline }, ...own] };
}

/** The word, or an object with the word as `state`. */
function isOnline({ text, object }: Payload): boolean | undefined {
  const word = object ? object.state : text;
  if (word === "online") return true;
  return word === "offline" ? false : undefined;
}
