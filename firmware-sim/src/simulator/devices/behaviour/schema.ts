/** The shape of `behaviour` in a simulator file: a list of entries with one key each, and what stands under it. */
import { z } from "zod";

/** `SERVICE[:INDEX].PROPERTY` of the same device. */
const where = z.string();
const seconds = z.number().positive().max(86_400);
const hours = z.number().positive();
const value = z.union([z.string(), z.number(), z.boolean()]);
const bounds = z.tuple([z.number(), z.number()]);

const movement = z.strictObject({ property: where, up: value, down: value, rest: value });

/** By key: what may stand under it. */
const BEHAVIOURS = {
  /** `seconds`: from one end of its range to the other; `every`: how often it says where it is, seconds. */
  fade: z.strictObject({ property: where, seconds, every: seconds.default(0.25), movement: movement.optional() }),
  /** `band`: how far from the target it begins, °C. */
  regulate: z.strictObject({
    mode: where.default("Thermostat.mode"),
    target: where.default("Thermostat.target"),
    measured: where.default("Temperature.celsius"),
    activity: where.default("Thermostat.activity"),
    band: z.number().min(0).default(0),
  }),
  /** It loses half of the difference to `outside` (°C) in `halfHours`; `heating` says what warms it, by `perHour` °C. */
  room: z.strictObject({
    property: where.default("Temperature.celsius"),
    outside: z.number().default(8),
    halfHours: hours.default(6),
    perHour: z.number().default(6),
    heating: where.optional(),
    every: seconds.default(30),
  }),
  /** `hours`: from full to empty; `while`: only while these properties have these values. */
  drain: z.strictObject({
    property: where.default("Battery.percent"),
    hours,
    while: z.record(z.string(), value).default({}),
    every: seconds.default(60),
  }),
  wander: z.strictObject({ property: where, between: bounds, step: z.number().positive(), every: seconds.default(10) }),
  wave: z.strictObject({
    property: where,
    between: bounds,
    hours: hours.default(24),
    rounded: z.number().positive().default(1),
    every: seconds.default(60),
  }),
  /** `perHour`: what an hour at 1 of the other property adds. */
  count: z.strictObject({ property: where, of: where, perHour: z.number(), every: seconds.default(60) }),
  /** One of `values` (by the other's value), `times`, `below` and `above` (true below, or above, that number). */
  follow: z.strictObject({
    property: where,
    of: where,
    values: z.record(z.string(), value).optional(),
    times: z.number().optional(),
    below: z.number().optional(),
    above: z.number().optional(),
  }),
  back: z.strictObject({ property: where, to: value, seconds }),
  /** About every so many seconds one of: `press WHERE VALUE`, `set WHERE VALUE`, `toggle WHERE`. */
  person: z.strictObject({ seconds, does: z.array(z.string()).min(1) }),
};

const { fade, regulate, room, drain, wander, wave, count, follow, back, person } = BEHAVIOURS;

export const behaviourEntry = z
  .strictObject({
    fade: fade.optional(),
    regulate: regulate.optional(),
    room: room.optional(),
    drain: drain.optional(),
    wander: wander.optional(),
    wave: wave.optional(),
    count: count.optional(),
    follow: follow.optional(),
    back: back.optional(),
    person: person.optional(),
  })
  .refine((entry) => Object.keys(entry).length === 1, "must have one key: begin another entry with - for each");

/** An entry as somebody writes it. */
export type BehaviourInput = z.input<typeof behaviourEntry>;
export type BehaviourEntry = z.output<typeof behaviourEntry>;
