/**
 * The devices of the hub that are published on the broker, with their topics and entities: kept up to date with the hub's state.
 *
 * A device that came from a broker is not published: it is there already. A device that the cloud has deleted is published as long as
 * it is live.
 */
import {
  addressKey,
  type Described,
  type DescribedProperty,
  describe,
  type PropertyAddress,
} from "@porchlight/shared/model";
import type { State, StoredDevice } from "../state/index.ts";
import { entitiesOf } from "./device-entities.ts";
import { type ColourPair, discoveryConfigs } from "./discovery-configs.ts";
import { COLOUR, deviceAvailabilityTopic, type PropertyTopics, topicsOf } from "./topics.ts";

export interface PublishedDevice {
  readonly edgeId: string;
  readonly name: string;
  /** The state that the history last recorded. */
  readonly online: boolean;
  /** The cloud has a name for it, or had one in this life of the agent. */
  readonly isNamed: boolean;
  /** Digest of its description and details. */
  readonly digest: string;
  readonly properties: Described["byKey"];
  readonly topics: PropertyTopics;
  /** Colours that are set as a whole, by `SERVICE:INDEX.PROPERTY` of each of their two addresses and of {@link COLOUR}. */
  readonly colours: ReadonlyMap<string, ColourPair>;
  readonly configTopics: ReadonlySet<string>;
  /** Topics with retained messages: its values and its availability. */
  readonly stateTopics: ReadonlySet<string>;
  readonly leftAside: Readonly<Record<string, number>>;
  /** The discovery messages by topic; built on each call, because all together are large. */
  readonly configs: () => ReadonlyMap<string, string>;
}

/** The change of a device: without `before` it is new, without `now` it is removed. */
export interface PublishedChange {
  readonly before: PublishedDevice | undefined;
  readonly now: PublishedDevice | undefined;
}

export interface PublishedDevicesDeps {
  readonly state: Pick<State, "devices" | "home">;
  readonly hub: string;
  /** The prefix of the discovery topics. */
  readonly prefix: string;
}

/** Maximum entities of one device, and of all together. */
const MOST_OF_DEVICE = 1024;
const MOST = 20_000;
/** The transport of devices that came from a broker (`drivers/mqtt`). */
const FROM_BROKER = /^mqtts? /;

export class PublishedDevices {
  readonly #deps: PublishedDevicesDeps;
  #published = new Map<string, PublishedDevice>();

  constructor(deps: PublishedDevicesDeps) {
    this.#deps = deps;
  }

  get all(): ReadonlyMap<string, PublishedDevice> {
    return this.#published;
  }

  /** Reads all devices again; returns the changes. */
  refresh(): readonly PublishedChange[] {
    const before = this.#published;
    const now = new Map<string, PublishedDevice>();
    let left = MOST;
    for (const stored of this.#deps.state.devices()) {
      const published = this.#publishedAs(stored, before.get(stored.edgeId), Math.min(left, MOST_OF_DEVICE));
      if (!published) continue;
      left -= published.configTopics.size;
      now.set(published.edgeId, published);
    }
    this.#published = now;
    const edgeIds = new Set([...before.keys(), ...now.keys()]);
    return [...edgeIds]
      .map((edgeId) => ({ before: before.get(edgeId), now: now.get(edgeId) }))
      .filter((change) => change.before !== change.now);
  }

  /** Undefined when the device is not published; the same object when it is unchanged. */
  #publishedAs(stored: StoredDevice, before: PublishedDevice | undefined, most: number): PublishedDevice | undefined {
    const { edgeId, about, online, digest } = stored;
    if (FROM_BROKER.test(about.transport ?? "")) return undefined;
    const { home } = this.#deps.state;
    const named = home.name(edgeId);
    const isNamed = named !== undefined || (before?.isNamed ?? false);
    // A device that the cloud has not named yet is published too, as is every device of a hub without a cloud.
    const isDeleted = named === undefined && home.place !== undefined && (before === undefined || before.isNamed);
    if (isDeleted && !online) return undefined;
    const name = named?.alias ?? about.name ?? about.model ?? edgeId;
    const same = before?.digest === digest && before.name === name ? before : undefined;
    if (same && same.online === online && same.isNamed === isNamed) return same;
    return { ...(same ?? this.#described(stored, name, most)), online, isNamed };
  }

  #described({ edgeId, about, description, digest }: StoredDevice, name: string, most: number): PublishedDevice {
    const { hub, prefix } = this.#deps;
    const topics = topicsOf(hub, edgeId);
    const { entities, leftAside } = entitiesOf(description, topics, most);
    const configs = () =>
      discoveryConfigs(prefix, { hub, edgeId, name, about }, entitiesOf(description, topics, most).entities);
    const properties = describe(description).byKey;
    const pairs = entities.flatMap(({ colour }) => colour ?? []);
    const published = { edgeId, name, online: false, isNamed: false, digest, properties, topics, leftAside, configs };
    return {
      ...published,
      colours: new Map(pairs.flatMap((pair) => keysOf(pair).map((key) => [key, pair] as const))),
      configTopics: new Set(configs().keys()),
      stateTopics: new Set([deviceAvailabilityTopic(hub, edgeId), ...retained(properties.values(), pairs, topics)]),
    };
  }
}

/** The address of a colour as a whole. */
export function colourAddress({ hue: { service, index } }: ColourPair): PropertyAddress {
  return { service, index, property: COLOUR };
}

/** Whether its value is published as a retained message: it can be read, and is not JSON. */
export function isKept({ readable, description }: DescribedProperty): boolean {
  return readable && description.type !== "json";
}

function keysOf(pair: ColourPair): string[] {
  return [pair.hue, pair.saturation, colourAddress(pair)].map(addressKey);
}

function* retained(properties: Iterable<DescribedProperty>, pairs: readonly ColourPair[], topics: PropertyTopics) {
  for (const property of properties) if (isKept(property)) yield topics.state(property);
  for (const pair of pairs) yield topics.state(colourAddress(pair));
}
