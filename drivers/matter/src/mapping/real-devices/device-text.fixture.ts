/**
 * Devices as text: what each says of itself, and below it what is made of that. A file of such devices is what the mapping is compared with.
 *
 *     # Eve Door (eve_contact_sensor)            a name, and where its facts are from
 *     1 0x0015 contactSensor identify > 2 3      an endpoint: device types and what they are called; that it has Identify; its parts
 *       booleanState [feature] stateValue true   a cluster: its features, and attributes as JSON; a longer one goes on four spaces deeper
 *     = 1 Contact.open false; Switch.on* true    what is made of it by index: `*` can be set, `!` can only be set, without a value is reported
 */
import { describeEndpoints } from "../describe.ts";
import { type Attributes, endpoint, type FakeEndpoint, type GivenEndpoint } from "../endpoint.fixture.ts";
import { aboutOf, type NodePart, partsOf } from "../identity.ts";
import type { MatterProperty } from "../matter-property.ts";

type Clusters = Record<string, Attributes>;

const WIDTH = 150;
const MADE = "= ";
/** Clusters of which the name is made, or that stand in the line of the endpoint. */
const STATED_ELSEWHERE = /asicInformation$|^identify$/;

export interface DeviceText {
  readonly title: string;
  /** Its lines without what is made of it. */
  readonly stated: readonly string[];
  readonly endpoints: ReadonlyMap<number, FakeEndpoint>;
}

/** The file's first lines, and its devices. @throws Error for a line that is none */
export function devicesOf(text: string): { readonly head: string; readonly devices: readonly DeviceText[] } {
  const [head = "", ...blocks] = text.split(/^# /m);
  return { head, devices: blocks.map(deviceOf) };
}

/** The same text with what is made of its devices now. */
export function described(text: string): string {
  const { head, devices } = devicesOf(text);
  return head + devices.map((each) => `# ${each.title}\n${[...each.stated, ...madeOf(each)].join("\n")}\n`).join("\n");
}

function deviceOf(block: string): DeviceText {
  const [title = "", ...lines] = block.trimEnd().split("\n");
  const stated = lines.filter((line) => line !== "" && !line.startsWith(MADE));
  const node = new Map<number, GivenEndpoint & { readonly clusters: Clusters }>();
  let clusters: Clusters | undefined;
  for (const line of stated.join("\n").replaceAll("\n    ", " ").split("\n")) {
    const [, number, rest = ""] = /^(\d+) (.*)$/.exec(line) ?? [];
    const [, cluster, attributes = ""] = /^ {2}(\S+) ?(.*)$/.exec(line) ?? [];
    if (number !== undefined) {
      const [types = "", parts = ""] = rest.split(" >");
      clusters = types.split(" ").includes("identify") ? { identify: { identifyTime: 0 } } : {};
      node.set(Number(number), {
        types: [...types.matchAll(/0x[0-9a-f]+/g)].map(([type]) => Number(type)),
        parts: parts.split(" ").filter(Boolean).map(Number),
        clusters,
      });
    } else if (cluster !== undefined && clusters) clusters[cluster] = attributesOf(attributes);
    else throw new Error(`${title}: neither an endpoint nor a cluster: ${line}`);
  }
  return {
    title,
    stated,
    endpoints: new Map([...node].map(([number, given]) => [number, endpoint(number, given)])),
  };
}

/** Features in brackets, then names and values by turns. */
function attributesOf(text: string): Attributes {
  const [, features, rest = ""] = /^(?:\[([\w ]*)\])? ?(.*)$/.exec(text) ?? [];
  const found: Record<string, unknown> = features === undefined ? {} : { featureMap: features.split(" ") };
  let left = rest;
  while (left !== "") {
    const [whole, name = "", value = ""] =
      /^([\w$]+) ("(?:[^"\\]|\\.)*"|\{.*?\}(?= [\w$]+ |$)|\[.*?\](?= [\w$]+ |$)|\S+)(?: |$)/.exec(left) ?? [];
    if (whole === undefined) throw new Error(`not a name and a value: ${left}`);
    found[name] = JSON.parse(value);
    left = left.slice(whole.length);
  }
  return found;
}

function madeOf({ endpoints }: DeviceText): string[] {
  return partsOf(endpoints).flatMap((part) => {
    const properties = describeEndpoints(part.endpoints);
    const lines = part.endpoints.flatMap(({ endpoint: { number }, index }) => {
      const one = endpoints.get(number);
      return one ? linesOf(index, one, properties) : [];
    });
    return [...wrapped(`${MADE}device`, [nameOf(part)]), ...lines];
  });
}

function nameOf(part: NodePart): string {
  const { manufacturer, model, firmware, name } = aboutOf(part);
  const stated = [manufacturer, model, firmware].filter((each) => each !== undefined).join(", ");
  return `${JSON.stringify(name ?? null)}: ${stated === "" ? "not noted" : stated}`;
}

/** What is made of an endpoint, and which of its clusters nothing is made of. */
function linesOf(index: string, one: FakeEndpoint, properties: readonly MatterProperty[]): string[] {
  const mine = properties.filter((each) => each.endpoint === one.number);
  const read = new Set(mine.flatMap(({ of, events = [] }) => [...of, ...events].map(({ cluster }) => cluster)));
  const unread = [...one.clusters].filter((each) => !read.has(each) && !STATED_ELSEWHERE.test(each));
  const texts = mine.map((each) => textOf(each, one));
  if (unread.length > 0) texts.push(`nothing of ${unread.join(" ")}`);
  return texts.length > 0 ? wrapped(`${MADE}${index}`, texts) : [];
}

function textOf({ address, description, read }: MatterProperty, one: FakeEndpoint): string {
  const { access, unit, min, max, values } = description;
  const [canRead, canWrite] = [access.includes("read"), access.includes("write")];
  const value = canRead ? (JSON.stringify(read((cluster, name) => one.attribute(cluster, name))) ?? "unknown") : "";
  const range = (canWrite || !canRead) && (min !== undefined || max !== undefined) ? `${min ?? ""}..${max ?? ""}` : "";
  const words = values !== undefined && (canWrite || !canRead) ? `(${values.join("|")})` : "";
  const what = `${address.service}.${address.property}${canWrite ? (canRead ? "*" : "!") : ""}`;
  return [what, value, unit ?? "", range, words].filter((each) => each !== "").join(" ");
}

/** Texts in lines: as many as fit, and those that follow begin as a line of the same kind. */
function wrapped(begin: string, texts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last === undefined || last.length + text.length + 2 > WIDTH) lines.push(`${begin} ${text}`);
    else lines[lines.length - 1] = `${last}; ${text}`;
  }
  return lines;
}
