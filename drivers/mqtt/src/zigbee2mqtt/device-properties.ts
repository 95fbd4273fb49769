/** The properties of a device, from what its definition exposes. */

import type { Thing } from "@porchlight/driver-kit";
import type { PropertyAddress } from "@porchlight/shared/model";
import type { DevicePlaces, PlaceThings } from "../device/device-places.ts";
import type { MqttProperty, Publication } from "../device/mqtt-device.ts";
import type { DeviceConfig, Expose } from "./bridge-config.ts";
import { type Actions, actionButtonProperties, actionsOf, otherActions } from "./buttons.ts";
import { COLOUR_PARTS, colourProperties, isColour } from "./colour.ts";
import { type CustomFeature, customFeature, type Feature, featuresOf } from "./custom-features.ts";
import { type DescribedFeature, FeatureProperties } from "./feature-properties.ts";
import { LAST_SEEN, lastSeenProperty } from "./last-seen.ts";
import { attributeMembers, type DeviceTopics, jsonMembers, type Members } from "./members.ts";
import { standardFeature } from "./standard-features.ts";

export interface DeviceProperties {
  readonly properties: readonly MqttProperty[];
  readonly identify: Publication | undefined;
  readonly isSensitive: boolean;
  /** Features that are not among them, by why. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Most features that are looked at: some for each property that a device may have. */
const MOST_FEATURES = 1000;

/** A part of the description that gets addresses of its own. */
interface Candidate extends PlacedPart {
  readonly make: (addresses: readonly PropertyAddress[]) => readonly MqttProperty[];
}

/** What a feature can be: something of a standard class, or else of a collective service; or neither. */
interface Choice {
  readonly standard?: Candidate | undefined;
  readonly custom?: Candidate | undefined;
  /** Properties whose addresses are known. */
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

/** Features of sirens, and of what opens a garage. */
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
    // A colour is described as a point too: that is the same one.
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

// The properties of a device as they are added: as many as a device may have, and how many are left aside.

/** Most services of a device, and properties of a service (DP6). */
const MOST = 64;

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

// The addresses of a device's features. A feature keeps the address that it was first given, by its place in the device's messages: a later
// version of zigbee2mqtt lists features in another order, or new ones before them.

/** Something of a device that has one or several properties at one index. */
interface PlacedPart {
  /** Where it stands in the device's messages. */
  readonly path: readonly string[];
  /** How often the same path has come before in the description. */
  readonly occurrence: number;
  readonly service: string;
  readonly properties: readonly string[];
  readonly index: string;
}

/** @param apart `nowhere`: it is left out where another thing has had its address; `name`: then it has another name */
function placeParts<T extends PlacedPart>(
  parts: readonly T[],
  apart: "name" | "nowhere",
  place: PlaceThings,
): ReadonlyMap<T, readonly PropertyAddress[]> {
  const things = parts.map((part) => {
    const { path, occurrence, service, properties, index } = part;
    // What it is belongs to its ID: a temperature that comes in another unit one day is another thing.
    const what = apart === "nowhere" ? `${service}.${properties.join(",")}` : service;
    const id = [path.join("."), ...(occurrence > 0 ? [String(occurrence + 1)] : []), what].join(" ");
    return { part, id, apart, index: Number(index), properties: properties.map((property) => ({ service, property })) };
  });
  return new Map(place(things).map(({ thing, addresses }) => [thing.part, addresses]));
}

// Numbers of a device's endpoints and buttons, which are indexes of its services: a part keeps its number, in whatever order it is listed.

/** What stands for the number of a part; no property of the device. */
const NUMBER = { service: "Part", property: "number" };

interface Part extends Thing {
  readonly name: string;
}

/** Endpoints that say their own number: `l1` and `1`. */
const NUMBERED_ENDPOINT = /^l?([1-9]\d?)$/;
/** Buttons that say their own number. */
const NUMBERED_BUTTON = /^([1-9]\d?)$/;

/**
 * The index of each part: of one without a name 0, of one that says its number that, of others the next number from 1 on.
 * @param names in the order of the description
 * @param numbered matches a name that says its own number
 */
function partNumbers(names: readonly string[], numbered: RegExp, place: PlaceThings): ReadonlyMap<string, string> {
  const part = (name: string, index?: number): Part => ({
    ...{ id: name, name, properties: [NUMBER] },
    ...(index === undefined ? {} : ({ index, apart: "nowhere" } as const)),
  });
  const taken = new Set<number>([0]);
  const named = [...new Set(names)].filter((name) => name !== "");
  // 0 is kept for a part without a name.
  const parts = [
    part("", 0),
    ...named.map((name) => {
      const number = Number(numbered.exec(name)?.[1] ?? 0);
      if (taken.has(number)) return part(name);
      taken.add(number);
      return part(name, number);
    }),
  ];
  // Numbers that parts say themselves come first.
  const placed = place([
    ...parts.filter(({ index }) => index !== undefined),
    ...parts.filter(({ index }) => index === undefined),
  ]);
  return new Map(placed.flatMap(({ thing, addresses: [first] }) => (first ? [[thing.name, first.index]] : [])));
}
