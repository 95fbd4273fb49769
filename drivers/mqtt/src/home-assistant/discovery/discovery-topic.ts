/** The topics on which Home Assistant's discovery describes things: `PREFIX/COMPONENT/[NODE/]OBJECT/config`. */

export interface DiscoveryTopic {
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
