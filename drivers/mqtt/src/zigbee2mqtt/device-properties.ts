/** The properties of a device, from what its definition exposes. */
import type { PropertyAddress } from "@porchlight/shared/model";
import type { DevicePlaces } from "../device/device-places.ts";
import type { MqttProperty, Publication } from "../device/mqtt-device.ts";
import type { DeviceConfig } from "./bridge-config.ts";
import type { Expose } from "./bridge-schemas.ts";
import { type Actions, actionButtonProperties, actionsOf, otherActions } from "./buttons.ts";
import { COLOUR_PARTS, colourProperties, isColour } from "./colour.ts";
import { type CustomFeature, customFeature } from "./custom-features.ts";
import { type DescribedFeature, FeatureProperties } from "./feature-properties.ts";
import { type Feature, featuresOf } from "./features.ts";
import { LAST_SEEN, lastSeenProperty } from "./last-seen.ts";
import { attributeMembers, jsonMembers, type Members } from "./members.ts";
import { NUMBERED_BUTTON, NUMBERED_ENDPOINT, partNumbers } from "./part-numbers.ts";
import { type PlacedPart, placeParts } from "./property-places.ts";
import { PropertyTable } from "./property-table.ts";
import { standardFeature } from "./standard-features.ts";
import type { DeviceTopics } from "./topics.ts";

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
