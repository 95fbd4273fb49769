/** Builds the properties of a device from the features that its definition exposes. */
import type { Thing } from "@porchlight/driver-kit";
import type { PropertyAddress } from "@porchlight/shared/model";
import type { DevicePlaces, PlaceThings } from "../device/kept-things.ts";
import type { MqttProperty, Publication } from "../device/mqtt-device.ts";
import type { DeviceConfig, Expose } from "./bridge-config.ts";
import { type Actions, actionButtonProperties, actionsOf, otherActions } from "./buttons.ts";
import { COLOUR_PARTS, colourProperties, isColour } from "./colour.ts";
import { type CustomFeature, customFeature, type Feature, featuresOf } from "./custom-features.ts";
import { type DescribedFeature, FeatureProperties } from "./feature-properties.ts";
import {
  attributeMembers,
  type DeviceTopics,
  jsonMembers,
  LAST_SEEN,
  lastSeenProperty,
  type Members,
} from "./members.ts";
import { standardFeature } from "./standard-features.ts";

export interface DeviceProperties {
  readonly properties: readonly MqttProperty[];
  readonly identify: Publication | undefined;
  readonly isSensitive: boolean;
  /** Numbers of ignored features, by reason. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Maximum number of features that are read: several for each property that a device may have. */
const MOST_FEATURES = 1000;

/** A part of the description that needs addresses of its own. */
interface Candidate extends PlacedPart {
  readonly make: (addresses: readonly PropertyAddress[]) => readonly MqttProperty[];
}

/** The possible forms of a feature: a property of a standard class, otherwise of a collective service, or neither. */
interface Choice {
  readonly standard?: Candidate | undefined;
  readonly custom?: Candidate | undefined;
  /** Properties that already have addresses. */
  readonly ready?: readonly MqttProperty[];
}

export function deviceProperties(
  exposes: readonly Expose[],
  topics: DeviceTopics,
  config: DeviceConfig,
  places: DevicePlaces,
): DeviceProperties {
  const all = featuresOf(exposes);
  const features = all.slice(0, MOST_FEATURES);
  const table = new PropertyTable();
  const choices = choicesOf(features, { topics, config, places });
  const standard = placeParts(
    choices.flatMap((choice) => choice.standard ?? []),
    ...(["nowhere", places.of("standard")] as const),
  );
  const isStandard = ({ standard: candidate }: Choice) => candidate !== undefined && standard.has(candidate);
  const custom = placeParts(
    choices.flatMap((choice) => (isStandard(choice) ? [] : (choice.custom ?? []))),
    ...(["name", places.of("custom")] as const),
  );
  for (const choice of choices) {
    const candidate = isStandard(choice) ? choice.standard : choice.custom;
    const addresses = candidate && (standard.get(candidate) ?? custom.get(candidate));
    if (choice.ready) table.add(choice.ready);
    else if (candidate && addresses) table.add(candidate.make(addresses));
    else table.leave(choice.standard ? "noAddress" : "neitherReadNorSet");
  }
  for (const _ of all.slice(MOST_FEATURES)) table.leave("tooMany");
  const isSensitive = all.some(({ name, path }) => [name, ...path].some((each) => SENSITIVE.has(each)));
  return {
    properties: table.properties,
    identify: identifyOf(features, topics),
    isSensitive,
    leftAside: table.leftAside,
  };
}

/** Features of sirens and garage door openers. */
const SENSITIVE: ReadonlySet<string> = new Set(["alarm", "garage_door_contact", "siren", "squawk", "warning"]);

const isIdentify = ({ name, canSet }: Feature) => name === "identify" && canSet;

function identifyOf(features: readonly Feature[], topics: DeviceTopics): Publication | undefined {
  const found = features.find(isIdentify);
  return found && topics.set({ [found.path[0] ?? found.name]: "identify" });
}

interface ChoiceDeps {
  readonly topics: DeviceTopics;
  readonly config: DeviceConfig;
  readonly places: DevicePlaces;
}

function choicesOf(all: readonly Feature[], { topics, config, places }: ChoiceDeps): Choice[] {
  const members = config.isByAttribute ? attributeMembers(topics) : jsonMembers(topics);
  const features = all.filter((each) => !isIdentify(each));
  const indexes = partNumbers(
    features.flatMap(({ endpoint }) => endpoint ?? []),
    ...([NUMBERED_ENDPOINT, places.of("endpoints")] as const),
  );
  const making = new FeatureProperties(topics, members);
  const action = features.find(({ name, canRead }) => name === "action" && canRead);
  const occurrences = new Map<string, number>();
  const choices = features.flatMap((feature): Choice[] => {
    const { path, endpoint } = feature;
    const occurrence = occurrences.get(path.join(".")) ?? 0;
    occurrences.set(path.join("."), occurrence + 1);
    const at = { path, occurrence, index: endpoint === undefined ? "0" : (indexes.get(endpoint) ?? "0") };
    if (feature === action) return actionChoices(actionsOf(feature), at, members, places);
    // The description lists a colour a second time as a point.
    if (isColour(feature)) return occurrence > 0 ? [] : [colourChoice(feature, at, topics, members)];
    return [featureChoice(feature, at, config, making)];
  });
  const hasLastSeen = config.hasLastSeen && !occurrences.has(LAST_SEEN);
  return hasLastSeen ? [...choices, lastSeenChoice(members)] : choices;
}

type Place = Pick<PlacedPart, "path" | "occurrence" | "index">;

function featureChoice(feature: Feature, at: Place, config: DeviceConfig, making: FeatureProperties): Choice {
  const candidate = ({ service, description, codec }: DescribedFeature | CustomFeature): Candidate => ({
    ...at,
    service,
    properties: [description.property],
    make: ([address]) => (address ? making.of(feature, address, { service, description, codec }) : []),
  });
  const standard = standardFeature(feature, config);
  const isFit = standard && (!feature.canSet || standard.description.access.includes("write"));
  const custom = customFeature(feature);
  return {
    standard: isFit && making.canBe(feature, standard) ? candidate(standard) : undefined,
    custom: custom && making.canBe(feature, custom) ? candidate(custom) : undefined,
  };
}

function colourChoice(feature: Feature, at: Place, topics: DeviceTopics, members: Members): Choice {
  const make = (addresses: readonly PropertyAddress[]) => colourProperties(feature, addresses, topics, members);
  return { standard: { ...at, service: "LightColor", properties: COLOUR_PARTS, make } };
}

/** Buttons, and an event of the device for the words that are no presses. */
function actionChoices(actions: Actions, at: Place, members: Members, places: DevicePlaces): Choice[] {
  const { presses, others } = actions;
  const names = presses.map(({ button }) => button);
  const indexes = names.length > 0 ? partNumbers(names, NUMBERED_BUTTON, places.of("buttons")) : new Map();
  const make = ([address]: readonly PropertyAddress[]) =>
    address ? [otherActions(others, at.path, address, members)] : [];
  return [
    { ready: actionButtonProperties(actions, at.path, indexes, members) },
    ...(others.length > 0
      ? [{ custom: { ...at, service: "Readings", properties: ["action"], make, index: "0" } }]
      : []),
  ];
}

function lastSeenChoice(members: Members): Choice {
  const make = ([address]: readonly PropertyAddress[]) => (address ? [lastSeenProperty(address, members)] : []);
  const at = { path: [LAST_SEEN], occurrence: 0, index: "0" };
  return { custom: { ...at, service: "Readings", properties: ["lastSeen"], make } };
}

/** Maximum number of services of a device, and of properties of a service (DP6). */
const MOST = 64;

/** Collects the properties of a device up to the maximum, and counts the rest. */
class PropertyTable {
  readonly properties: MqttProperty[] = [];
  readonly leftAside: Record<string, number> = {};
  readonly #sizes = new Map<string, number>();

  add(properties: readonly MqttProperty[]): void {
    for (const property of properties) this.#push(property);
  }

  leave(why: string): void {
    this.leftAside[why] = (this.leftAside[why] ?? 0) + 1;
  }

  #push(property: MqttProperty): void {
    const { service, index } = property.address;
    const key = `${service}:${index}`;
    const size = this.#sizes.get(key) ?? 0;
    if (size >= MOST || (size === 0 && this.#sizes.size >= MOST)) {
      this.leave("tooMany");
      return;
    }
    this.#sizes.set(key, size + 1);
    this.properties.push(property);
  }
}

/**
 * A part of a device with one or several properties at one index. It keeps its first address, by its path in the device's messages: a
 * later version of zigbee2mqtt lists features in another order, or new features before them.
 */
interface PlacedPart {
  /** Its path in the device's messages. */
  readonly path: readonly string[];
  /** Number of earlier parts with the same path in the description. */
  readonly occurrence: number;
  readonly service: string;
  readonly properties: readonly string[];
  readonly index: string;
}

/** @param apart what happens when another thing already has the address: `nowhere` leaves the part out, `name` gives it another name */
function placeParts<T extends PlacedPart>(
  parts: readonly T[],
  apart: "name" | "nowhere",
  place: PlaceThings,
): ReadonlyMap<T, readonly PropertyAddress[]> {
  const things = parts.map((part) => {
    const { path, occurrence, service, properties, index } = part;
    // The kind of value belongs to the ID: a temperature that changes its unit one day is another thing.
    const what = apart === "nowhere" ? `${service}.${properties.join(",")}` : service;
    const id = [path.join("."), ...(occurrence > 0 ? [String(occurrence + 1)] : []), what].join(" ");
    return { part, id, apart, index: Number(index), properties: properties.map((property) => ({ service, property })) };
  });
  return new Map(place(things).map(({ thing, addresses }) => [thing.part, addresses]));
}

/** A placeholder address for the number of a part; no property of the device. */
const NUMBER = { service: "Part", property: "number" };

/** An endpoint or a button. Its number becomes an index of its services, and stays the same in any order of the list. */
interface Part extends Thing {
  readonly name: string;
}

/** Endpoints whose names contain their number: `l1` and `1`. */
const NUMBERED_ENDPOINT = /^l?([1-9]\d?)$/;
/** Buttons whose names are their number. */
const NUMBERED_BUTTON = /^([1-9]\d?)$/;

/**
 * The index of each part: 0 for a part without a name, the own number of a part that has one, and for others the next free number from 1
 * on.
 * @param names in the order of the description
 * @param numbered matches a name that contains its number
 */
function partNumbers(names: readonly string[], numbered: RegExp, place: PlaceThings): ReadonlyMap<string, string> {
  const part = (name: string, index?: number): Part => ({
    ...{ id: name, name, properties: [NUMBER] },
    ...(index === undefined ? {} : ({ index, apart: "nowhere" } as const)),
  });
  const taken = new Set<number>([0]);
  const named = [...new Set(names)].filter((name) => name !== "");
  // 0 is reserved for a part without a name.
  const parts = [
    part("", 0),
    ...named.map((name) => {
      const number = Number(numbered.exec(name)?.[1] ?? 0);
      if (taken.has(number)) return part(name);
      taken.add(number);
      return part(name, number);
    }),
  ];
  // Parts with their own numbers come first.
  const placed = place([
    ...parts.filter(({ index }) => index !== undefined),
    ...parts.filter(({ index }) => index === undefined),
  ]);
  return new Map(placed.flatMap(({ thing, addresses: [first] }) => (first ? [[thing.name, first.index]] : [])));
}
