/** What a Tasmota device says of itself: `tasmota/discovery/MAC/config` and `…/sensors`. Unknown members are ignored. */
import { z } from "zod";

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
