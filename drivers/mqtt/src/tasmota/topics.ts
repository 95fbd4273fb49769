/** The topics of a Tasmota device, and the bindings of its properties to them. */
import { at, isRecord } from "@porchlight/driver-kit";
import { type PropertyAddress, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import { z } from "zod";
import type { Codec } from "../device/codec.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";

export interface TasmotaTopics {
  /** Topic of its answers to commands and of its changes. */
  readonly result: string;
  /** Topics of its periodic full state, and of its answers to other clients' questions for it. */
  readonly states: readonly string[];
  /** Whether the answer to each command has its own topic (option 4). */
  readonly isByCommand: boolean;
  /** Topic of its periodic sensor readings. */
  readonly sensor: string;
  /** Topics of its answers to other clients' questions for sensor readings. */
  readonly alsoSensors: readonly string[];
  readonly availability: string;
  command(name: string): string;
  /** The topic of a command's answer, when it has its own. */
  answer(name: string): string;
  /** The part of a message about relays, lights and shutters: the message itself, or the object inside the answer to a question. */
  stateIn(payload: Payload): Members | undefined;
  /** The part of a message about sensors. */
  sensorsIn(payload: Payload): Members | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Maximum length of a topic, bytes. */
const LONGEST = 1024;

/** Undefined for topics that have wildcards, are too long, or use unknown placeholders. */
export function tasmotaTopics({ ft, t, tp, hn, mac, so }: TasmotaConfig): TasmotaTopics | undefined {
  const [command, answer, reported] = tp;
  const under = (prefix: string, full = ft) => {
    const parts: Readonly<Record<string, string | undefined>> = {
      ...{ prefix, topic: t, hostname: hn, id: mac.replace(/[:-]/g, "") },
    };
    const topic = full.replace(/%(prefix|topic|hostname|id)%/g, (token, name) => parts[name] ?? token);
    return topic.endsWith("/") ? topic : `${topic}/`;
  };
  // Commands get a prefix where the full topic has none, so that an answer is not taken for a command.
  const commands = under(command, ft.includes("%prefix%") ? ft : `${ft.replace(/\/$/, "")}/%prefix%`);
  const all = [commands, under(answer), under(reported)];
  if (all.some((topic) => /[+#\0]|%\w+%/.test(topic) || Buffer.byteLength(topic) > LONGEST)) return undefined;
  return {
    result: `${under(answer)}RESULT`,
    states: [`${under(reported)}STATE`, `${under(answer)}STATUS11`],
    isByCommand: so["4"] === 1,
    sensor: `${under(reported)}SENSOR`,
    alsoSensors: [`${under(answer)}STATUS10`, `${under(answer)}STATUS8`],
    availability: `${under(reported)}LWT`,
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

export interface ReportedProperty {
  /** The members of a message that may contain it. */
  readonly members: readonly string[];
  /** The command that sets it; absent when it cannot be set. */
  readonly command?: string;
  /** The command that makes the device report it. */
  readonly question?: string;
  readonly limits?: Partial<PropertyDescription>;
  /** Topics that report it in addition to the answers; absent: those of the full state. */
  readonly also?: readonly string[];
  /** Whether the member is valid in this message: a light that shows white has no colour. Absent: always. */
  readonly isValid?: (message: Members) => boolean;
}

/** A standard property that is reported on the topic of answers, and on others. */
export function property(
  topics: TasmotaTopics,
  address: PropertyAddress,
  { read, write, tolerance }: Codec,
  { members, command, question = "STATE", limits = {}, also = topics.states, isValid = () => true }: ReportedProperty,
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

// A Tasmota device's description of itself: `tasmota/discovery/MAC/config` and `…/sensors`. Unknown members are ignored.
const text = z.string().max(256);
const numbers = z.array(z.number()).max(64).default([]);

export const tasmotaConfig = z.object({
  mac: z.string(),
  /** Full topic: `%prefix%/%topic%/`, with `%hostname%` and `%id%` where the owner has added these. */
  ft: z.string().max(512),
  hn: text.optional(),
  /** Topic. */
  t: text,
  /** Prefixes: of commands, of answers, of periodic reports. */
  tp: z.tuple([text, text, text]),
  /** Device name, model, version of the firmware. */
  dn: text.optional(),
  md: text.optional(),
  sw: text.optional(),
  /** Its availability message for online. */
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
   * Options: 4 answers each command on its own topic, 68 makes each channel a light, 73 makes buttons report presses instead of
   * switching.
   */
  so: z.record(z.string(), z.number()).default({}),
});

export type TasmotaConfig = z.output<typeof tasmotaConfig>;

export const tasmotaSensors = z.object({
  sn: z.record(z.string(), z.unknown()),
});
