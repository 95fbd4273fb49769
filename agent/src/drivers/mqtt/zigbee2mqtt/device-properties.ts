/** The properties of a device, from what its definition exposes. */
import { type Access, addressKey, type PropertyAddress, type PropertyDescription } from "@porchlight/shared/model";
import type { Codec } from "../device/codec.ts";
import type { LastHeard, MqttProperty, Publication } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import type { Expose } from "./bridge-schemas.ts";
import { actionProperties } from "./buttons.ts";
import { colourProperties, isColour } from "./colour.ts";
import { customFeature } from "./custom-features.ts";
import { endpointIndexes, type Feature, featuresOf } from "./features.ts";
import { lastSeenProperty } from "./last-seen.ts";
import { standardFeature } from "./standard-features.ts";
import type { DeviceTopics } from "./topics.ts";

export interface DeviceProperties {
  readonly properties: readonly MqttProperty[];
  readonly identify: Publication | undefined;
  readonly isSensitive: boolean;
  /** Features that are not among them, by why. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Most services of a device, and properties of a service (DP6). */
const MOST = 64;

/** @param hasLastSeen zigbee2mqtt tells with each message when the device was heard */
export function deviceProperties(
  exposes: readonly Expose[],
  topics: DeviceTopics,
  hasLastSeen: boolean,
): DeviceProperties {
  const features = featuresOf(exposes);
  const indexes = endpointIndexes(features);
  const table = new PropertyTable();
  let identify: Publication | undefined;
  for (const feature of features) {
    const { name, endpoint, canSet, canRead, path } = feature;
    const index = endpoint === undefined ? "0" : (indexes.get(endpoint) ?? "0");
    if (isColour(feature)) table.addNew(colourProperties(feature, index, topics));
    else if (name === "action" && canRead) table.addNew(actionProperties(feature, topics.state));
    else if (name === "identify" && canSet) identify ??= topics.set({ [path[0] ?? name]: "identify" });
    else table.add(feature, index, topics);
  }
  if (hasLastSeen) table.addNew([lastSeenProperty(topics)]);
  const isSensitive = features.some(({ name, path }) => [name, ...path].some((each) => SENSITIVE.has(each)));
  return { properties: table.properties, identify, isSensitive, leftAside: table.leftAside };
}

/** Features of sirens, and of what opens a garage. */
const SENSITIVE: ReadonlySet<string> = new Set(["alarm", "garage_door_contact", "siren", "squawk", "warning"]);

/** Properties as they are added, each with an address of its own. */
class PropertyTable {
  readonly properties: MqttProperty[] = [];
  readonly leftAside: Record<string, number> = {};
  readonly #taken = new Set<string>();
  readonly #sizes = new Map<string, number>();
  /** Of each composite, by its member: all its parts, which are set together. */
  readonly #composites = new Map<string, CompositePart[]>();

  /** Those whose addresses are free. */
  addNew(properties: readonly MqttProperty[]): void {
    for (const property of properties) if (!this.#taken.has(addressKey(property.address))) this.#push(property);
  }

  add(feature: Feature, index: string, topics: DeviceTopics): void {
    const standard = standardFeature(feature);
    const settable = !feature.canSet || standard?.description.access.includes("write");
    if (standard && settable) {
      const address = { service: standard.service, index, property: standard.description.property };
      if (!this.#taken.has(addressKey(address))) {
        this.#addFeature(feature, address, standard, topics);
        return;
      }
    }
    const custom = customFeature(feature);
    if (!custom) {
      this.#leave("neitherReadNorSet");
      return;
    }
    const address = this.#free({ service: custom.service, index, property: custom.description.property });
    this.#addFeature(feature, address, custom, topics);
  }

  #addFeature(
    feature: Feature,
    address: PropertyAddress,
    { description, codec }: { readonly description: PropertyDescription; readonly codec: Codec },
    topics: DeviceTopics,
  ): void {
    const { path, canRead, canSet, canAsk } = feature;
    const access = description.access.filter((each) => MAY[each](feature));
    if (access.length === 0) {
      this.#leave("neitherReadNorSet");
      return;
    }
    const [outer = ""] = path;
    if (path.length > 1 && canSet) {
      const parts = this.#composites.get(outer) ?? [];
      this.#composites.set(outer, [...parts, { address, path, codec }]);
    }
    const { write } = codec;
    this.#push({
      address,
      description: { ...description, property: address.property, access },
      state: canRead
        ? { topic: topics.state, read: (payload: Payload) => codec.read(at(payload.object, path)) }
        : undefined,
      set:
        canSet && write
          ? (value, known) => topics.set(nested([...this.#known(outer, known), { path, member: write(value) }]))
          : undefined,
      ask: canAsk ? topics.get({ [outer]: "" }) : undefined,
      isEchoed: canSet,
      tolerance: codec.tolerance,
    });
  }

  /** What is known of the parts of a composite goes with the one that is set: a device may take the whole only. */
  #known(outer: string, known: LastHeard): Placed[] {
    return (this.#composites.get(outer) ?? []).flatMap(({ address, path, codec: { write } }) => {
      const value = known(address);
      return value === undefined || value === null || !write ? [] : [{ path, member: write(value) }];
    });
  }

  #push(property: MqttProperty): void {
    const { service, index } = property.address;
    const key = `${service}:${index}`;
    const size = this.#sizes.get(key) ?? 0;
    if (size >= MOST || (size === 0 && this.#sizes.size >= MOST)) {
      this.#leave("tooMany");
      return;
    }
    this.#sizes.set(key, size + 1);
    this.#taken.add(addressKey(property.address));
    this.properties.push(property);
  }

  #free(address: PropertyAddress): PropertyAddress {
    let free = address;
    for (let n = 2; this.#taken.has(addressKey(free)); n++) free = { ...address, property: `${address.property}${n}` };
    return free;
  }

  #leave(why: string): void {
    this.leftAside[why] = (this.leftAside[why] ?? 0) + 1;
  }
}

interface CompositePart {
  readonly address: PropertyAddress;
  readonly path: readonly string[];
  readonly codec: Codec;
}

interface Placed {
  readonly path: readonly string[];
  readonly member: unknown;
}

/** An object with each member at its place; the last one of a place counts. */
function nested(all: readonly Placed[]): object {
  const names = [...new Set(all.map(({ path }) => path[0] ?? ""))];
  return Object.fromEntries(
    names.map((name) => {
      const here = all.filter(({ path }) => path[0] === name);
      const deeper = here.filter(({ path }) => path.length > 1);
      const inner = deeper.map(({ path, member }) => ({ path: path.slice(1), member }));
      return [name, deeper.length > 0 ? nested(inner) : here.at(-1)?.member];
    }),
  );
}

const MAY: Readonly<Record<Access, (feature: Feature) => boolean>> = {
  read: ({ canRead }) => canRead,
  write: ({ canSet }) => canSet,
  notify: ({ canRead }) => canRead,
};

function at(object: unknown, path: readonly string[]): unknown {
  let found = object;
  for (const member of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, member)) return undefined;
    found = Reflect.get(found, member);
  }
  return found;
}
