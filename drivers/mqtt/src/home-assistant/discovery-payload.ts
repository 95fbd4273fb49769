/**
 * Parses Home Assistant's discovery messages: validates them, expands abbreviations and base topics, and returns the entities that they
 * describe.
 */
import { z } from "zod";
import { OWN_ORIGIN } from "../broker/index.ts";
import type { Payload } from "../device/payload.ts";
import { DEVICE_ABBREVIATIONS, OPTION_ABBREVIATIONS, spelledOut } from "./abbreviations.ts";

/**
 * The text of a number or boolean where a discovery message should have a text, in Python's spelling as in Home Assistant: `true` is
 * `True`, so that a template that yields the same boolean yields the same word.
 */
export function scalarText(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value);
}

/** A text that is safe to show: without characters that move the cursor or reverse the line; undefined when nothing is left. */
export function shownText(text: string | undefined, longest: number): string | undefined {
  const plain = text?.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, "").trim();
  return plain === undefined || plain === "" ? undefined : [...plain].slice(0, longest).join("");
}

/** The entities that a message describes, or the reason in words why it describes none. */
export type DiscoveryMessage =
  | {
      readonly entities: readonly DescribedEntity[];
      /** The message comes from a hub: its devices are on a hub already. */
      readonly isOfHub?: boolean | undefined;
    }
  | { readonly problem: string };

type Options = ReadonlyMap<string, unknown>;

const object = z.record(z.string(), z.unknown());
const text = z.union([z.string(), z.number(), z.boolean()]).transform(scalarText);
const texts = z.union([text.transform((one) => [one]), z.array(text).max(32)]);
const optional = text.nullish().transform((one) => one ?? undefined);

const deviceBlock = z.object({
  identifiers: texts.nullish().transform((ids) => ids ?? []),
  connections: z
    .array(z.tuple([text, text]))
    .max(32)
    .nullish()
    .transform((pairs) => pairs ?? []),
  name: optional,
  manufacturer: optional,
  model: optional,
  sw_version: optional,
  serial_number: optional,
});

const availabilityTopic = z.object({
  topic: z.string().min(1),
  payload_available: text.default("online"),
  payload_not_available: text.default("offline"),
  value_template: z.string().nullish(),
});
const availabilityMode = z
  .enum(["all", "any", "latest"])
  .nullish()
  .transform((mode) => mode ?? "latest");

/** Maximum number of topics of one entity's availability. */
const MOST_TOPICS = 16;

/** Options that a device's message states once for all its components. */
const SHARED = [
  "availability",
  "availability_mode",
  "availability_template",
  "availability_topic",
  "command_topic",
  "encoding",
  "payload_available",
  "payload_not_available",
  "qos",
  "state_topic",
];

/** Options that are no longer needed once an entity is read. */
const READ = new Set(["~", "availability", "components", "device", "json_attributes_topic", "object_id", "origin"]);

/** Parses a message on a discovery topic. An empty message, and one that announces a move to another topic, describe nothing. */
export function readDiscoveryPayload(topic: string, parts: DiscoveryTopic, payload: Payload): DiscoveryMessage {
  if (payload.text === "") return { entities: [] };
  if (!payload.object) return { problem: "it is not a JSON object" };
  const root = optionsOf(payload.object, undefined);
  if (root.get("migrate_discovery") === true) return { entities: [] };
  if (isOfHub(root.get("origin"))) return { entities: [], isOfHub: true };
  const id = `${parts.component}/${parts.node}/${parts.object}`;
  const device = readDevice(root.get("device"));
  if (device && "problem" in device) return device;
  if (parts.component !== "device") return one({ ...parts, id, topic, options: root, device: device?.block });
  return components(root, { ...parts, id, topic, device: device?.block });
}

function isOfHub(origin: unknown): boolean {
  const read = object.safeParse(origin);
  return read.success && read.data.name === OWN_ORIGIN;
}

type Described = Omit<DescribedEntity, "availability">;

function one(described: Described): DiscoveryMessage {
  const availability = readAvailability(described.options);
  if ("problem" in availability) return availability;
  // Only the parsed form is kept: for thousands of entities the original text would be most of the memory.
  const options = new Map([...described.options].filter(([key]) => !READ.has(key)));
  return { entities: [{ ...described, options, availability }] };
}

function components(root: Options, device: Omit<Described, "options">): DiscoveryMessage {
  if (!device.device) return { problem: "it has no device block" };
  const listed = object.safeParse(root.get("components"));
  if (!listed.success) return { problem: "it has no components" };
  const shared = SHARED.flatMap((key): [string, unknown][] => (root.has(key) ? [[key, root.get(key)]] : []));
  const entities: DescribedEntity[] = [];
  for (const [key, value] of Object.entries(listed.data)) {
    const component = object.safeParse(value);
    if (!component.success) return { problem: `its component ${key} is not an object` };
    const own = optionsOf(component.data, root.get("~"));
    const platform = own.get("platform");
    if (typeof platform !== "string") return { problem: `its component ${key} has no platform` };
    // A component with nothing but its platform has been withdrawn.
    if (own.size === 1) continue;
    const options = new Map([...shared.filter(([key]) => !replaces(own, key)), ...own]);
    const read = one({ ...device, id: `${device.id}/${key}`, component: platform, object: key, options });
    if ("problem" in read) return { problem: `its component ${key}: ${read.problem}` };
    entities.push(...read.entities);
  }
  return { entities };
}

/** Whether a component's own options replace a shared one: its own availability replaces all shared options of availability. */
function replaces(own: Options, key: string): boolean {
  return key.startsWith("availability") && (own.has("availability") || own.has("availability_topic"));
}

/** Expands the keys, and the base topic `~` at either end of each topic. */
function optionsOf(stated: Readonly<Record<string, unknown>>, baseOfAll: unknown): Options {
  const options = new Map(spelledOut(stated, OPTION_ABBREVIATIONS));
  const base = options.get("~") ?? baseOfAll;
  if (typeof base !== "string") return options;
  for (const [key, value] of options) if (key.endsWith("topic")) options.set(key, withBase(value, base));
  const list = options.get("availability");
  // A device's message shares its availability with its components, which may have another base topic.
  if (list !== undefined) options.set("availability", availabilityList(list, base));
  return options;
}

function availabilityList(stated: unknown, base: string): unknown {
  const withBases = (entry: unknown) => {
    const read = object.safeParse(entry);
    if (!read.success) return entry;
    const spelled = spelledOut(read.data, OPTION_ABBREVIATIONS);
    return Object.fromEntries([...spelled, ["topic", withBase(spelled.get("topic"), base)]]);
  };
  return Array.isArray(stated) ? stated.map(withBases) : withBases(stated);
}

function withBase(topic: unknown, base: string): unknown {
  if (typeof topic !== "string") return topic;
  const begun = topic.startsWith("~") ? base + topic.slice(1) : topic;
  return begun.endsWith("~") ? begun.slice(0, -1) + base : begun;
}

function readDevice(stated: unknown): { readonly block: DeviceBlock } | { readonly problem: string } | undefined {
  if (stated === undefined || stated === null) return undefined;
  const record = object.safeParse(stated);
  if (!record.success) return { problem: "its device is not an object" };
  const read = deviceBlock.safeParse(Object.fromEntries(spelledOut(record.data, DEVICE_ABBREVIATIONS)));
  return read.success ? { block: read.data } : { problem: `its device ${problemOf(read.error)}` };
}

function readAvailability(options: Options): DescribedAvailability | { readonly problem: string } {
  const mode = availabilityMode.safeParse(options.get("availability_mode"));
  if (!mode.success) return { problem: "its availability_mode is not valid" };
  const listed = options.get("availability") ?? [];
  const single = options.get("availability_topic");
  const ofSingle = { topic: single, value_template: options.get("availability_template") };
  const stated = single === undefined || single === null ? listed : { ...sharedPayloads(options), ...ofSingle };
  const entries = Array.isArray(stated) ? stated : [stated];
  if (entries.length > MOST_TOPICS) return { problem: `it has more than ${MOST_TOPICS} availability topics` };
  const topics = entries.map((entry) => {
    const record = object.safeParse(entry);
    return availabilityTopic.safeParse(
      record.success ? Object.fromEntries(spelledOut(record.data, OPTION_ABBREVIATIONS)) : entry,
    );
  });
  const wrong = topics.find(({ success }) => !success);
  if (wrong?.error) return { problem: `its availability ${problemOf(wrong.error)}` };
  return {
    mode: mode.data,
    topics: topics.flatMap(({ data }) =>
      data
        ? [
            {
              topic: data.topic,
              available: data.payload_available,
              notAvailable: data.payload_not_available,
              template: data.value_template ?? undefined,
            },
          ]
        : [],
    ),
  };
}

function sharedPayloads(options: Options): Record<string, unknown> {
  const keys = ["payload_available", "payload_not_available"];
  return Object.fromEntries(
    keys.flatMap((key) => (options.get(key) === undefined ? [] : [[key, options.get(key)] as const])),
  );
}

function problemOf({ issues }: z.ZodError): string {
  const [first] = issues;
  const path = first?.path.join(".") ?? "";
  return `has ${path === "" ? "a part" : path} that is not understood`;
}

/** The parts of a discovery topic: `PREFIX/COMPONENT/[NODE/]OBJECT/config`. */

interface DiscoveryTopic {
  /** `light`, `sensor` …, or `device` for a message that describes a whole device. */
  readonly component: string;
  /** Empty when the topic has no node. */
  readonly node: string;
  readonly object: string;
}

const ID = /^[a-zA-Z0-9_-]{1,256}$/;

/** The filters that match every such topic. */
export function discoveryFilters(prefix: string): readonly string[] {
  return [`${prefix}/+/+/config`, `${prefix}/+/+/+/config`];
}

/** The parts of a topic; undefined when it is no discovery topic, `badTopic` when its ids contain invalid characters. */
export function parseDiscoveryTopic(prefix: string, topic: string): DiscoveryTopic | "badTopic" | undefined {
  if (!topic.startsWith(`${prefix}/`) || !topic.endsWith("/config")) return undefined;
  const parts = topic.slice(prefix.length + 1, -"/config".length).split("/");
  if (parts.length < 2 || parts.length > 3) return undefined;
  if (!parts.every((part) => ID.test(part))) return "badTopic";
  const [component = "", second = "", third] = parts;
  return third === undefined ? { component, node: "", object: second } : { component, node: second, object: third };
}

/** The description of one entity, validated and expanded, before a component reads it. */

export interface DescribedEntity {
  /** Identifies the entity: its topic's parts, and its key in a device's message. */
  readonly id: string;
  /** The topic of the message that describes it. */
  readonly topic: string;
  readonly component: string;
  readonly node: string;
  /** The object id, or the key of a component in a device's message. */
  readonly object: string;
  /** By their long names; the values are not validated yet. */
  readonly options: ReadonlyMap<string, unknown>;
  readonly device: DeviceBlock | undefined;
  readonly availability: DescribedAvailability;
}

/** The entity's description of its device. */
export interface DeviceBlock {
  readonly identifiers: readonly string[];
  /** Pairs of a kind and an address: `["mac", "aa:bb:cc:dd:ee:ff"]`. */
  readonly connections: readonly (readonly [string, string])[];
  readonly name?: string | undefined;
  readonly manufacturer?: string | undefined;
  readonly model?: string | undefined;
  readonly sw_version?: string | undefined;
  readonly serial_number?: string | undefined;
}

export interface DescribedAvailability {
  readonly mode: "all" | "any" | "latest";
  readonly topics: readonly AvailabilityTopic[];
}

export interface AvailabilityTopic {
  readonly topic: string;
  readonly available: string;
  readonly notAvailable: string;
  readonly template?: string | undefined;
}

const NUMBERS = new Intl.Collator("en", { numeric: true });

/** Orders entities by their object ids, with numbers in them by size, independent of their arrival. */
export function compareEntities(a: DescribedEntity, b: DescribedEntity): number {
  return compareIds(a.object, b.object) || compareIds(a.node, b.node) || compareIds(a.id, b.id);
}

function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return NUMBERS.compare(a, b) || (a < b ? -1 : 1);
}
