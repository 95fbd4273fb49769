/** The topics of a Tasmota device, and how its properties stand on them. */
import { type PropertyAddress, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import type { Codec } from "../device/codec.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import type { TasmotaConfig } from "./tasmota-schemas.ts";

export interface TasmotaTopics {
  /** Where it answers commands, and tells changes. */
  readonly result: string;
  /** What its sensors say, from time to time. */
  readonly sensor: string;
  readonly availability: string;
  command(name: string): string;
}

/** Undefined for a topic that has wildcards or is too long. */
export function tasmotaTopics({ ft, t, tp }: TasmotaConfig): TasmotaTopics | undefined {
  const [command, answer, told] = tp;
  const at = (prefix: string) => {
    const topic = ft.replace("%prefix%", prefix).replace("%topic%", t);
    return topic.endsWith("/") ? topic : `${topic}/`;
  };
  const all = [command, answer, told].map(at);
  if (all.some((topic) => /[+#\0]/.test(topic) || Buffer.byteLength(topic) > 1024)) return undefined;
  return {
    result: `${at(answer)}RESULT`,
    sensor: `${at(told)}SENSOR`,
    availability: `${at(told)}LWT`,
    command: (name) => at(command) + name,
  };
}

/**
 * A standard property that is told on the topic of answers.
 * @param members of the message in which it may stand
 * @param command that sets it; undefined when it cannot be set
 */
export function property(
  topics: TasmotaTopics,
  address: PropertyAddress,
  { read, write, tolerance }: Codec,
  members: readonly string[],
  command?: string,
  limits: Partial<PropertyDescription> = {},
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
      ...(canAsk ? { ask: { topic: topics.command("STATE"), payload: "" } } : {}),
      tolerance,
    },
  ];
}
