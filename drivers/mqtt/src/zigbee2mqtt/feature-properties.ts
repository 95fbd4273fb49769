/** Builds the properties of single features. The parts of a composite are set together. */
import type { Access, PropertyAddress, PropertyDescription } from "@porchlight/shared/model";
import type { Codec } from "../device/codec.ts";
import type { LastHeard, MqttProperty } from "../device/mqtt-device.ts";
import { temperatureValidity } from "./colour.ts";
import type { Feature } from "./custom-features.ts";
import type { DeviceTopics, Members } from "./members.ts";

/** The property that a feature becomes. */
export interface DescribedFeature {
  readonly service: string;
  readonly description: PropertyDescription;
  readonly codec: Codec;
}

export class FeatureProperties {
  readonly #topics: DeviceTopics;
  readonly #members: Members;
  /** All parts of each composite, by its member. */
  readonly #composites = new Map<string, CompositePart[]>();

  constructor(topics: DeviceTopics, members: Members) {
    this.#topics = topics;
    this.#members = members;
  }

  /** Whether the feature supports any access that the property allows. */
  canBe(feature: Feature, { description }: DescribedFeature): boolean {
    return accessOf(feature, description).length > 0;
  }

  of(feature: Feature, address: PropertyAddress, { service, description, codec }: DescribedFeature): MqttProperty[] {
    const { path, canRead, canSet, canAsk } = feature;
    const [outer = ""] = path;
    if (path.length > 1 && canSet) {
      const parts = this.#composites.get(outer) ?? [];
      this.#composites.set(outer, [...parts, { address, path, codec }]);
    }
    const { write } = codec;
    const topics = this.#topics;
    const validity = service === "LightTemperature" ? temperatureValidity(outer) : undefined;
    return [
      {
        address,
        description: { ...description, property: address.property, access: accessOf(feature, description) },
        state: canRead ? this.#members.state(path, codec.read, validity) : undefined,
        set:
          canSet && write
            ? (value, known) => topics.set(nested([...this.#known(outer, known), { path, member: write(value) }]))
            : undefined,
        ask: canAsk ? topics.get({ [outer]: "" }) : undefined,
        isEchoed: canSet,
        tolerance: codec.tolerance,
      },
    ];
  }

  /** The known values of a composite's other parts are sent with the one that is set: a device may accept only the whole. */
  #known(outer: string, known: LastHeard): Placed[] {
    return (this.#composites.get(outer) ?? []).flatMap(({ address, path, codec: { write } }) => {
      const value = known(address);
      return value === undefined || value === null || !write ? [] : [{ path, member: write(value) }];
    });
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

/** An object with each member at its place; of repeated places, the last one counts. */
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

function accessOf(feature: Feature, { access }: PropertyDescription): Access[] {
  return access.filter((each) => MAY[each](feature));
}

const MAY: Readonly<Record<Access, (feature: Feature) => boolean>> = {
  read: ({ canRead }) => canRead,
  write: ({ canSet }) => canSet,
  notify: ({ canRead }) => canRead,
};
