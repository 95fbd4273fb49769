/** The topics of a Tasmota device, and how its properties stand on them. */
import { type PropertyAddress, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import type { Codec } from "../device/codec.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import type { TasmotaConfig } from "./tasmota-schemas.ts";

export interface TasmotaTopics {
  /** Where it answers commands, and tells changes. */
  readonly result: string;
  /** Whether each command is answered on a topic of its own instead (option 4). */
  readonly isByCommand: boolean;
  /** What its sensors say, from time to time. */
  readonly sensor: string;
  readonly availability: string;
  command(name: string): string;
  /** Where a command is answered when it has a topic of its own. */
  answer(name: string): string;
}

/** Undefined for topics that have wildcards, are too long, or name what is not said. */
export function tasmotaTopics({ ft, t, tp, hn, mac, so }: TasmotaConfig): TasmotaTopics | undefined {
  const [command, answer, told] = tp;
  const at = (prefix: string, full = ft) => {
    const parts: Readonly<Record<string, string | undefined>> = {
      ...{ prefix, topic: t, hostname: hn, id: mac.replace(/[:-]/g, "") },
    };
    const topic = full.replace(/%(prefix|topic|hostname|id)%/g, (token, name) => parts[name] ?? token);
    return topic.endsWith("/") ? topic : `${topic}/`;
  };
  // Commands have a prefix where the full topic names none, so that an answer is not taken for one.
  const commands = at(command, ft.includes("%prefix%") ? ft : `${ft.replace(/\/$/, "")}/%prefix%`);
  const all = [commands, at(answer), at(told)];
  if (all.some((topic) => /[+#\0]|%\w+%/.test(topic) || Buffer.byteLength(topic) > 1024)) return undefined;
  return {
    result: `${at(answer)}RESULT`,
    isByCommand: so["4"] === 1,
    sensor: `${at(told)}SENSOR`,
    availability: `${at(told)}LWT`,
    command: (name) => commands + name,
    answer: (name) => at(answer) + name.toUpperCase(),
  };
}

export interface ToldProperty {
  /** Of the message in which it may stand. */
  readonly members: readonly string[];
  /** That sets it; left out when it cannot be set. */
  readonly command?: string;
  /** The command that makes the device tell it. */
  readonly question?: string;
  readonly limits?: Partial<PropertyDescription>;
}

/** A standard property that is told on the topic of answers. */
export function property(
  topics: TasmotaTopics,
  address: PropertyAddress,
  { read, write, tolerance }: Codec,
  { members, command, question = "STATE", limits = {} }: ToldProperty,
): MqttProperty[] {
  const standard = standardProperty(address.service, address.property);
  if (!standard) return [];
  const says = ({ object }: Payload) => {
    const member = members.find((name) => object && Object.hasOwn(object, name));
    return member === undefined ? undefined : read(object?.[member]);
  };
  const canAsk = standard.access.includes("read");
  return [
    {
      address,
      description: { ...standard, ...limits },
      state: { topic: topics.result, read: says },
      ...(command && write
        ? { set: (value) => ({ topic: topics.command(command), payload: String(write(value)) }) }
        : {}),
      ...(canAsk ? { ask: { topic: topics.command(question), payload: "" } } : {}),
      tolerance,
    },
  ];
}

/** A member of what a message says; undefined when it has none of its own. */
export function memberOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null && Object.hasOwn(json, name) ? Reflect.get(json, name) : undefined;
}
