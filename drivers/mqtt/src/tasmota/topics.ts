/** The topics of a Tasmota device, and how its properties stand on them. */
import { at, isRecord } from "@porchlight/driver-kit";
import { type PropertyAddress, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import { z } from "zod";
import type { Codec } from "../device/codec.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";

export interface TasmotaTopics {
  /** Where it answers commands, and tells changes. */
  readonly result: string;
  /** Where it tells all that it is from time to time, and where it answers questions of others for it. */
  readonly states: readonly string[];
  /** Whether each command is answered on a topic of its own instead (option 4). */
  readonly isByCommand: boolean;
  /** What its sensors say, from time to time. */
  readonly sensor: string;
  /** Where it answers questions of others for that. */
  readonly alsoSensors: readonly string[];
  readonly availability: string;
  command(name: string): string;
  /** Where a command is answered when it has a topic of its own. */
  answer(name: string): string;
  /** What a message says of relays, lights and shutters: the message itself, or what the answer to a question wraps. */
  stateIn(payload: Payload): Members | undefined;
  /** What a message says of the sensors. */
  sensorsIn(payload: Payload): Members | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Longest topic, bytes. */
const LONGEST = 1024;

/** Undefined for topics that have wildcards, are too long, or name what is not said. */
export function tasmotaTopics({ ft, t, tp, hn, mac, so }: TasmotaConfig): TasmotaTopics | undefined {
  const [command, answer, told] = tp;
  const under = (prefix: string, full = ft) => {
    const parts: Readonly<Record<string, string | undefined>> = {
      ...{ prefix, topic: t, hostname: hn, id: mac.replace(/[:-]/g, "") },
    };
    const topic = full.replace(/%(prefix|topic|hostname|id)%/g, (token, name) => parts[name] ?? token);
    return topic.endsWith("/") ? topic : `${topic}/`;
  };
  // Commands have a prefix where the full topic names none, so that an answer is not taken for one.
  const commands = under(command, ft.includes("%prefix%") ? ft : `${ft.replace(/\/$/, "")}/%prefix%`);
  const all = [commands, under(answer), under(told)];
  if (all.some((topic) => /[+#\0]|%\w+%/.test(topic) || Buffer.byteLength(topic) > LONGEST)) return undefined;
  return {
    result: `${under(answer)}RESULT`,
    states: [`${under(told)}STATE`, `${under(answer)}STATUS11`],
    isByCommand: so["4"] === 1,
    sensor: `${under(told)}SENSOR`,
    alsoSensors: [`${under(answer)}STATUS10`, `${under(answer)}STATUS8`],
    availability: `${under(told)}LWT`,
    command: (name) => commands + name,
    answer: (name) => under(answer) + name.toUpperCase(),
    stateIn: (payload) => wrapped(payload, "StatusSTS"),
    sensorsIn: (payload) => wrapped(payload, "StatusSNS"),
  };
}

function wrapped({ object }: Payload, wrapper: string): Members | undefined {
  const inner = at(object, wrapper);
  return isRecord(inner) ? inner : object;
}

export interface ToldProperty {
  /** Of the message in which it may stand. */
  readonly members: readonly string[];
  /** That sets it; left out when it cannot be set. */
  readonly command?: string;
  /** The command that makes the device tell it. */
  readonly question?: string;
  readonly limits?: Partial<PropertyDescription>;
  /** Topics on which it is told beside the answers; those of the whole state if it is left out. */
  readonly also?: readonly string[];
  /** Whether the member is valid in this message: a light that shows a white has no colour. Always, if it is left out. */
  readonly isValid?: (message: Members) => boolean;
}

/** A standard property that is told on the topic of answers, and on others. */
export function property(
  topics: TasmotaTopics,
  address: PropertyAddress,
  { read, write, tolerance }: Codec,
  { members, command, question = "STATE", limits = {}, also = topics.states, isValid = () => true }: ToldProperty,
): MqttProperty[] {
  const standard = standardProperty(address.service, address.property);
  if (!standard) return [];
  const rawIn = (payload: Payload) => {
    const message = topics.stateIn(payload);
    const member = members.find((name) => message && Object.hasOwn(message, name));
    return member === undefined
      ? undefined
      : { raw: message?.[member], isValid: message !== undefined && isValid(message) };
  };
  const canAsk = standard.access.includes("read");
  return [
    {
      address,
      description: { ...standard, ...limits },
      state: {
        topic: topics.result,
        also,
        read: (payload) => {
          const found = rawIn(payload);
          return found && (found.isValid ? read(found.raw) : null);
        },
        raw: (payload) => {
          const found = rawIn(payload);
          return found?.isValid ? found.raw : undefined;
        },
      },
      ...(command && write
        ? { set: (value) => ({ topic: topics.command(command), payload: String(write(value)) }) }
        : {}),
      ...(canAsk ? { ask: { topic: topics.command(question), payload: "" } } : {}),
      tolerance,
    },
  ];
}

/** What a Tasmota device says of itself: `tasmota/discovery/MAC/config` and `…/sensors`. Unknown members are ignored. */
const text = z.string().max(256);
const numbers = z.array(z.number()).max(64).default([]);

export const tasmotaConfig = z.object({
  mac: z.string(),
  /** Full topic: `%prefix%/%topic%/`, with `%hostname%` and `%id%` where somebody has put these in. */
  ft: z.string().max(512),
  hn: text.optional(),
  /** Topic. */
  t: text,
  /** Prefixes: of commands, of answers, of what is told from time to time. */
  tp: z.tuple([text, text, text]),
  /** Device name, model, version of the firmware. */
  dn: text.optional(),
  md: text.optional(),
  sw: text.optional(),
  /** What it says of its availability. */
  onln: text.default("Online"),
  ofln: text.default("Offline"),
  /** Words for off and on, and others. */
  state: z.array(text).max(16).default([]),
  /** Relays: 0 none, 1 a switch, 2 a light, 3 of a shutter. */
  rl: numbers,
  /** Channels of the light: 1 white, 2 white of two colours, 3 to 5 with colour. */
  lt_st: z.number().default(0),
  /** Buttons, inputs for switches (-1 where there is none), and shutters with their options. */
  btn: numbers,
  swc: numbers,
  sho: numbers,
  /**
   * Options: 4 answers each command on a topic of its own, 68 makes each channel a light, 73 makes buttons tell their presses instead of
   * switching.
   */
  so: z.record(z.string(), z.number()).default({}),
});

export type TasmotaConfig = z.output<typeof tasmotaConfig>;

export const tasmotaSensors = z.object({
  sn: z.record(z.string(), z.unknown()),
});
