/** The messages of Home Assistant's discovery: checked, abbreviations and base topics spelt out, as the entities that they describe. */
import { z } from "zod";
import { OWN_ORIGIN } from "../../broker/index.ts";
import type { Payload } from "../../device/payload.ts";
import { DEVICE_ABBREVIATIONS, OPTION_ABBREVIATIONS, spelledOut } from "./abbreviations.ts";

// Texts of discovery messages as Home Assistant has them: numbers and truth values where a text belongs are spelt as Python spells them.

/** `true` is `True`: a template that gives the same truth value gives the same word. */
export function scalarText(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value);
}

/** A text that people can be shown: without what moves the cursor or turns the line around; undefined when nothing is left. */
export function shownText(text: string | undefined, longest: number): string | undefined {
  const plain = text?.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, "").trim();
  return plain === undefined || plain === "" ? undefined : [...plain].slice(0, longest).join("");
}

/** What a message describes, or why nothing can be made of it, in words. */
export type DiscoveryMessage =
  | {
      readonly entities: readonly DescribedEntity[];
      /** A hub tells its own devices so: they are on a hub already. */
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

/** Most topics of one entity's availability. */
const MOST_TOPICS = 16;

/** Options that a device's message says once for all its components. */
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

/** Options of which nothing is wanted any more once an entity is read. */
const READ = new Set(["~", "availability", "components", "device", "json_attributes_topic", "object_id", "origin"]);

/** What a message on a discovery topic describes. An empty one, and one that says that it moves elsewhere, describe nothing. */
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
  // Kept as they were read, not as they were said as well: of thousands of entities that is most of the memory.
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
    // A component that says nothing but its platform is taken back.
    if (own.size === 1) continue;
    const options = new Map([...shared.filter(([key]) => !replaces(own, key)), ...own]);
    const read = one({ ...device, id: `${device.id}/${key}`, component: platform, object: key, options });
    if ("problem" in read) return { problem: `its component ${key}: ${read.problem}` };
    entities.push(...read.entities);
  }
  return { entities };
}

/** A component that says how it is available says all of it. */
function replaces(own: Options, key: string): boolean {
  return key.startsWith("availability") && (own.has("availability") || own.has("availability_topic"));
}

/** Keys in full, and the base topic `~` put in at either end of each topic. */
function optionsOf(said: Readonly<Record<string, unknown>>, baseOfAll: unknown): Options {
  const options = new Map(spelledOut(said, OPTION_ABBREVIATIONS));
  const base = options.get("~") ?? baseOfAll;
  if (typeof base !== "string") return options;
  for (const [key, value] of options) if (key.endsWith("topic")) options.set(key, withBase(value, base));
  const list = options.get("availability");
  // The messages of a whole device hand theirs on to components, which may have another base.
  if (list !== undefined) options.set("availability", availabilityList(list, base));
  return options;
}

function availabilityList(said: unknown, base: string): unknown {
  const withBases = (entry: unknown) => {
    const read = object.safeParse(entry);
    if (!read.success) return entry;
    const spelled = spelledOut(read.data, OPTION_ABBREVIATIONS);
    return Object.fromEntries([...spelled, ["topic", withBase(spelled.get("topic"), base)]]);
  };
  return Array.isArray(said) ? said.map(withBases) : withBases(said);
}

function withBase(topic: unknown, base: string): unknown {
  if (typeof topic !== "string") return topic;
  const begun = topic.startsWith("~") ? base + topic.slice(1) : topic;
  return begun.endsWith("~") ? begun.slice(0, -1) + base : begun;
}

function readDevice(said: unknown): { readonly block: DeviceBlock } | { readonly problem: string } | undefined {
  if (said === undefined || said === null) return undefined;
  const record = object.safeParse(said);
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
  const said = single === undefined || single === null ? listed : { ...sharedPayloads(options), ...ofSingle };
  const entries = Array.isArray(said) ? said : [said];
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

/** The topics on which Home Assistant's discovery describes things: `PREFIX/COMPONENT/[NODE/]OBJECT/config`. */

interface DiscoveryTopic {
  /** `light`, `sensor` …, or `device` for a message that describes a whole device. */
  readonly component: string;
  /** Empty when the topic has none. */
  readonly node: string;
  readonly object: string;
}

const ID = /^[a-zA-Z0-9_-]{1,256}$/;

/** The filters that have every such topic. */
export function discoveryFilters(prefix: string): readonly string[] {
  return [`${prefix}/+/+/config`, `${prefix}/+/+/+/config`];
}

/** The parts of a topic; undefined when it is not such a topic, `badTopic` when its ids have other characters than ids may have. */
export function parseDiscoveryTopic(prefix: string, topic: string): DiscoveryTopic | "badTopic" | undefined {
  if (!topic.startsWith(`${prefix}/`) || !topic.endsWith("/config")) return undefined;
  const parts = topic.slice(prefix.length + 1, -"/config".length).split("/");
  if (parts.length < 2 || parts.length > 3) return undefined;
  if (!parts.every((part) => ID.test(part))) return "badTopic";
  const [component = "", second = "", third] = parts;
  return third === undefined ? { component, node: "", object: second } : { component, node: second, object: third };
}

/** What one entity of Home Assistant's discovery says, checked and spelt out, before anything is made of it. */

export interface DescribedEntity {
  /** Tells it apart from every other entity: its topic's parts, and its key in a device's message. */
  readonly id: string;
  /** The topic of the message that describes it. */
  readonly topic: string;
  readonly component: string;
  readonly node: string;
  /** The object id, or the key of a component in a device's message. */
  readonly object: string;
  /** By their long names; whether one makes sense is not known yet. */
  readonly options: ReadonlyMap<string, unknown>;
  readonly device: DeviceBlock | undefined;
  readonly availability: DescribedAvailability;
}

/** What it says of the device to which it belongs. */
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

/** Orders entities by their object ids, numbers in them by size, whenever they came. */
export function compareEntities(a: DescribedEntity, b: DescribedEntity): number {
  return compareIds(a.object, b.object) || compareIds(a.node, b.node) || compareIds(a.id, b.id);
}

function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return NUMBERS.compare(a, b) || (a < b ? -1 : 1);
}
