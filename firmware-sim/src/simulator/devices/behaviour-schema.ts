/** Schema of `behaviour` in a simulator file: a list of entries with one key each. */
import { z } from "zod";

/** `SERVICE[:INDEX].PROPERTY` of the same device. */
const where = z.string();
const seconds = z.number().positive().max(86_400);
const hours = z.number().positive();
const value = z.union([z.string(), z.number(), z.boolean()]);
const bounds = z.tuple([z.number(), z.number()]);

const movement = z.strictObject({ property: where, up: value, down: value, rest: value });

/** The content of an entry, by its key. */
const BEHAVIOURS = {
  /** `seconds`: time from one end of the range to the other; `every`: interval of the reports, seconds. */
  fade: z.strictObject({ property: where, seconds, every: seconds.default(0.25), movement: movement.optional() }),
  /** `band`: distance from the target at which it starts, °C. */
  regulate: z.strictObject({
    mode: where.default("Thermostat.mode"),
    target: where.default("Thermostat.target"),
    measured: where.default("Temperature.celsius"),
    activity: where.default("Thermostat.activity"),
    band: z.number().min(0).default(0),
  }),
  /**
   * The room loses half of the difference to `outside` (°C) in `halfHours`; `heating` names the property that warms it, by `perHour`
   * °C.
   */
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
  /** `perHour`: the increase in an hour while the other property is 1. */
  count: z.strictObject({ property: where, of: where, perHour: z.number(), every: seconds.default(60) }),
  /** One of `values` (a value for each value of the other property), `times`, `below` and `above` (true below, or above, that number). */
  follow: z.strictObject({
    property: where,
    of: where,
    values: z.record(z.string(), value).optional(),
    times: z.number().optional(),
    below: z.number().optional(),
    above: z.number().optional(),
  }),
  back: z.strictObject({ property: where, to: value, seconds }),
  /** At this mean interval, in seconds, one of: `press WHERE VALUE`, `set WHERE VALUE`, `toggle WHERE`. */
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

/** An entry in the form of the file. */
export type BehaviourInput = z.input<typeof behaviourEntry>;
export type BehaviourEntry = z.output<typeof behaviourEntry>;
