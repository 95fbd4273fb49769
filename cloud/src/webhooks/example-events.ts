/** An example of each type of event, for a developer who tests a receiver. None of them has occurred. */
import { formatTime } from "@porchlight/shared/api";
import { eventTypes } from "@porchlight/shared/events";

/** The place of the example. */
export interface ExamplePlace {
  readonly ecosystemId: string;
  /** Set for a webhook that is restricted to one environment. */
  readonly environmentId: string | undefined;
  /** ms since 1970. */
  readonly now: number;
}

type Data = Readonly<Record<string, unknown>>;

/** A well-formed ID of no object. */
const sample = (prefix: string) => `${prefix}_01h455vb4pex5vsknk084sn02q`;

const REJECTED = {
  ...{ state: "rejected", outcome: "rejected" },
  error: { name: "Device Rejected", detail: "This is an example of a refusal.", code: 6 },
};

/** By the part of the type before the dot. @param what the part after it */
const EXAMPLES: Readonly<Record<string, (what: string, place: ExamplePlace) => Data>> = {
  property: (_what, place) => ({
    item: { ...lampProperty(place), value: 120, modifiedAt: at(place), observedAt: at(place) },
    previousValue: 40,
    cause: { kind: "device" },
  }),
  device: (what, place) => ({
    ...object("dev", "lamp", place),
    ...{ type: "physical", edgeId: "00-1B-44-11-3A-B7", clientId: sample("cli") },
    connection: { state: what === "offline" ? "offline" : "online", since: at(place) },
  }),
  hub: (what, place) => ({
    ...object("cli", "hub", place),
    edgeId: "02-1B-44-11-3A-B7",
    connection: { state: what === "offline" ? "offline" : "online", since: at(place), lastSeenAt: at(place) },
  }),
  command: (what, place) => ({
    ...{ id: sample("cmd"), deviceId: sample("dev"), service: "LightColor", index: "0", property: "hue", value: 120 },
    ...(what === "unconfirmed" ? REJECTED : { state: "confirmed", outcome: "confirmed" }),
    ...{ createdAt: at(place), completedAt: at(place), tokenId: sample("tok") },
    expiresAt: formatTime(place.now + 30_000),
  }),
  zone: (_what, place) => ({ ...object("zon", "kitchen", place), items: [sample("dev")] }),
  scene: (what, place) => {
    if (what === "called") return { sceneId: sample("scn"), commandId: sample("cmd"), confirmed: 1 };
    const items = [{ target: sample("dev"), service: "LightColor.hue", value: 120 }];
    return { ...object("scn", "evening", place), items, triggers: [], hubId: sample("cli") };
  },
  environment: (_what, place) => {
    const { environmentId: id, ...environment } = object("env", "home", place);
    return { ...environment, id };
  },
  user: (_what, { ecosystemId, now }) => ({
    ...{ id: sample("usr"), ecosystemId, key: "4711", alias: "ada", meta: {}, createdAt: formatTime(now) },
  }),
  alert: (what, place) => ({
    ...{ id: sample("alt"), ecosystemId: place.ecosystemId, environmentId: environmentOf(place), kind: "hub_offline" },
    subject: { type: "hub", id: sample("cli"), name: "hub" },
    ...{ state: what === "ended" ? "ended" : "open", text: "This is an example of an alert." },
    ...{ since: at(place), openedAt: at(place), ...(what === "ended" && { endedAt: at(place) }) },
  }),
};

/**
 * Example data for an event of that type.
 * @param webhook data for the events of webhooks: the tested one
 * @returns undefined for an unknown type, or one without an example
 */
export function exampleData(type: string, place: ExamplePlace, webhook: object): object | undefined {
  const known = eventTypes().some(({ types }) => types.some((each) => each.type === type));
  const [prefix = "", what = ""] = type.split(".");
  if (!known) return undefined;
  return prefix === "webhook" ? webhook : EXAMPLES[prefix]?.(what, place);
}

function environmentOf({ environmentId }: ExamplePlace): string {
  return environmentId ?? sample("env");
}

function at({ now }: ExamplePlace): string {
  return formatTime(now);
}

function object(prefix: string, alias: string, place: ExamplePlace) {
  const { ecosystemId } = place;
  return {
    id: sample(prefix),
    ecosystemId,
    environmentId: environmentOf(place),
    alias,
    meta: {},
    createdAt: at(place),
  };
}

function lampProperty(place: ExamplePlace) {
  const { ecosystemId } = place;
  return {
    ...{ ecosystemId, id: environmentOf(place), deviceId: sample("dev") },
    ...{ service: "LightColor", index: "0", property: "hue" },
  };
}
