/** The dialect of Home Assistant's MQTT discovery: keeps the last description of each topic, and builds devices on demand. */
import { createHash } from "node:crypto";
import { doneAtOnce, type Work } from "@porchlight/driver-kit";
import { KeptThings, type ThingAddresses } from "../device/kept-things.ts";
import type { DescribedNow, Dialect, Message, MqttDevice } from "../device/mqtt-device.ts";
import { type BuiltDevice, buildDevice } from "./build-device.ts";
import { type EntityGroup, joinEntities } from "./device-identity.ts";
import {
  type DescribedEntity,
  discoveryFilters,
  parseDiscoveryTopic,
  readDiscoveryPayload,
} from "./discovery-payload.ts";

const MOST_TOPICS = 20_000;
const MOST_DEVICES = 1000;
const LARGEST_PAYLOAD = 64 * 1024;
/** Maximum size of all stored messages together, characters. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
const MOST_PROBLEMS = 50;
/** Number of ids and digests that are compared in one step. */
const IDS_OF_STEP = 100;

/** Why a message is ignored. */
type Refusal = "badTopic" | "tooLarge" | "tooManyTopics" | "tooMuchText";

/** The last description on a topic. */
interface Description {
  /** Identifies the message: its text would take as much memory as its parsed form. */
  readonly digest: string;
  readonly characters: number;
  readonly entities: readonly DescribedEntity[];
  readonly problem?: string | undefined;
  readonly isOfHub?: boolean | undefined;
}

interface Built extends BuiltDevice {
  /** The inputs of the build: the ids of its entities, the messages that describe them, and addresses of other dialects. */
  readonly from: readonly string[];
}

/**
 * @param prefix of the discovery topics, normally `homeassistant`
 * @param scope within which identifiers are unique, and which outlives restarts, for devices without an EUI
 * @param addresses the store of the things' addresses; absent: nothing outlives the dialect
 */
export function homeAssistantDialect(
  prefix: string,
  scope: string,
  addresses: ThingAddresses = new KeptThings(undefined),
): Dialect {
  return new HomeAssistantDialect(prefix, scope, addresses);
}

class HomeAssistantDialect implements Dialect {
  readonly name = "homeAssistant";
  readonly filters: readonly string[];
  readonly #prefix: string;
  readonly #scope: string;
  readonly #addresses: ThingAddresses;
  readonly #described = new Map<string, Description>();
  /** Numbers of refused messages since the start. */
  readonly #refused: Record<Refusal, number> = { badTopic: 0, tooLarge: 0, tooManyTopics: 0, tooMuchText: 0 };
  #characters = 0;
  #built: ReadonlyMap<string, Built> = new Map();
  #devices: ReadonlyMap<string, MqttDevice> = new Map();
  /** By topic, the edgeId of the device that it describes, from the last build. */
  #edgeIds: ReadonlyMap<string, string> = new Map();
  #tooManyDevices = 0;
  /** Increases with each change of the descriptions. */
  #revision = 0;
  /** The revision of the last build. */
  #builtRevision = 0;
  /** The result of `foreignChanges` at the last build. */
  #foreignChanges = 0;

  constructor(prefix: string, scope: string, addresses: ThingAddresses) {
    this.#prefix = prefix;
    this.#scope = scope;
    this.#addresses = addresses;
    this.filters = discoveryFilters(prefix);
  }

  take({ topic, payload }: Message): boolean {
    const parts = parseDiscoveryTopic(this.#prefix, topic);
    if (parts === undefined) return false;
    if (parts === "badTopic") {
      this.#refused.badTopic += 1;
      return true;
    }
    const { text } = payload;
    const before = this.#described.get(topic);
    const refusal = text === "" ? undefined : this.#refusalOf(text.length, before);
    if (text === "" || refusal) {
      if (refusal) this.#refused[refusal] += 1;
      // The topic's previous description is void.
      this.#forget(topic);
      return true;
    }
    const digest = createHash("sha256").update(text).digest("base64");
    // A description from before a lost connection may not have been built yet.
    if (before?.digest === digest) return this.#revision !== this.#builtRevision;
    const read = readDiscoveryPayload(topic, parts, payload);
    const stated = "problem" in read ? { entities: [], problem: `${topic}: ${read.problem}` } : read;
    this.#characters += text.length - (before?.characters ?? 0);
    this.#described.set(topic, { digest, characters: text.length, ...stated });
    this.#revision += 1;
    return true;
  }

  describedOn(topic: string): readonly MqttDevice[] {
    const device = this.#devices.get(this.#edgeIds.get(topic) ?? "");
    return device ? [device] : [];
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

  #ignored(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    const add = (reason: string, count: number) => {
      if (count > 0) counts[reason] = (counts[reason] ?? 0) + count;
    };
    for (const [reason, count] of Object.entries(this.#refused)) add(reason, count);
    add("badPayload", [...this.#described.values()].filter(({ problem }) => problem !== undefined).length);
    add("ofHub", [...this.#described.values()].filter(({ isOfHub }) => isOfHub).length);
    add("tooManyDevices", this.#tooManyDevices);
    for (const { device } of this.#built.values()) {
      for (const [reason, count] of Object.entries(device.leftAside)) add(reason, count);
      if (device.properties.length === 0) add("withoutProperties", 1);
    }
    return counts;
  }

  #problems(): readonly string[] {
    const ofMessages = [...this.#described.values()].flatMap(({ problem }) => problem ?? []);
    const ofDevices = [...this.#built.values()].flatMap(({ problems }) => problems);
    return [...ofMessages, ...ofDevices].slice(-MOST_PROBLEMS);
  }

  #refusalOf(characters: number, before: Description | undefined): Refusal | undefined {
    if (characters > LARGEST_PAYLOAD) return "tooLarge";
    if (!before && this.#described.size >= MOST_TOPICS) return "tooManyTopics";
    const others = this.#characters - (before?.characters ?? 0);
    return others + characters > MOST_CHARACTERS ? "tooMuchText" : undefined;
  }

  #forget(topic: string): void {
    this.#characters -= this.#described.get(topic)?.characters ?? 0;
    if (this.#described.delete(topic)) this.#revision += 1;
  }

  /** Descriptions come in bursts of thousands: only devices whose descriptions changed are built, and only on demand. */
  *build(): Work<DescribedNow> {
    const foreignChanges = this.#addresses.foreignChanges(this.name);
    const isMade = this.#revision === this.#builtRevision && foreignChanges === this.#foreignChanges;
    if (!isMade) yield* this.#build(foreignChanges);
    return { devices: this.#devices, ignored: this.#ignored(), problems: this.#problems() };
  }

  *#build(foreignChanges: number): Work {
    const revision = this.#revision;
    // Takes a copy of the digests: other messages may come while devices are built.
    const digests = new Map([...this.#described].map(([topic, { digest }]) => [topic, digest] as const));
    const groups = yield* joinEntities([...this.#entities()], this.#scope);
    const kept = groups.slice(0, MOST_DEVICES);
    const built = new Map<string, Built>();
    for (const group of kept) {
      const described = group.entities.flatMap(({ id, topic }) => [id, digests.get(topic) ?? ""]);
      const from = [...described, ...this.#addresses.foreignTo(this.name, group)];
      built.set(group.edgeId, yield* this.#builtOf(group, from));
    }
    if (revision < this.#builtRevision) return;
    this.#builtRevision = revision;
    this.#foreignChanges = foreignChanges;
    this.#tooManyDevices = groups.length - kept.length;
    this.#built = built;
    this.#edgeIds = new Map(
      kept.flatMap(({ edgeId, entities }) => entities.map(({ topic }) => [topic, edgeId] as const)),
    );
    const some = [...built].filter(([, { device }]) => device.properties.length > 0);
    this.#devices = new Map(some.map(([edgeId, { device }]) => [edgeId, device]));
  }

  *#entities(): Iterable<DescribedEntity> {
    for (const { entities } of this.#described.values()) yield* entities;
  }

  /** @param from see `Built` */
  *#builtOf(group: EntityGroup, from: readonly string[]): Work<Built> {
    const before = this.#built.get(group.edgeId);
    const isSame = before?.from.length === from.length && from.every((each, at) => each === before.from[at]);
    yield 1 + from.length / IDS_OF_STEP;
    return isSame && before ? before : { ...(yield* buildDevice(group, this.#addresses)), from };
  }
}
