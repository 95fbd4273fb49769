/** The schema of a simulator file: its keys and their values, and the entries of `behaviour` with one key each. */
import { isEdgeId, isName, propertyShape, writtenLimits } from "@porchlight/shared/model";
import { MAX_FRAME_LIMIT, MAX_INDEX, MAX_WINDOW, MIN_FRAME_LIMIT } from "@porchlight/shared/wire";
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

const edgeId = z.string().refine(isEdgeId, "must be 6 or 8 bytes in upper-case hex, separated by hyphens");
const name = z.string().refine(isName, "must begin with a letter and have letters, digits, _ and - only");
const text = z.string().max(64);
const index = z.int().min(0).max(MAX_INDEX);
const scalar = z.union([z.string(), z.number(), z.boolean()]);

const property = z.strictObject({
  ...propertyShape,
  ...writtenLimits,
  property: name,
  unit: z.string().max(16).optional(),
  values: z.array(scalar).min(1).optional(),
  access: propertyShape.access.min(1),
});

export const serviceEntry = z.strictObject({
  service: name,
  index: index.default(0),
  /** For a standard property the name is enough; a standard class without `properties` has all of them. */
  properties: z
    .array(z.union([name, property]))
    .min(1)
    .optional(),
});

const about = z.strictObject({
  manufacturer: text.optional(),
  model: text.optional(),
  firmware: text.optional(),
  serial: text.optional(),
});

export const deviceEntry = z.strictObject({
  edgeId,
  name: text.optional(),
  kind: z.string().optional(),
  services: z.array(serviceEntry).min(1).optional(),
  about: about.optional(),
  values: z.record(z.string(), z.json()).optional(),
  /** Its own behaviours. */
  behaviour: z.array(behaviourEntry).optional(),
  /** Whether to add the daily events of its kind. */
  lively: z.boolean().optional(),
  /** Its initial fault, in the words that `fault` takes. */
  fault: z.string().optional(),
});

const tls = z.strictObject({
  psk: z.string().regex(/^([0-9a-f]{2}){16,64}$/i, "must be a key of 16 to 64 bytes in hex"),
});

/** Its devices are parsed one by one. */
export const nodeEntry = z.strictObject({
  name: text.optional(),
  link: z.string().min(1).optional(),
  /** On the network instead of a serial line, at this TCP port (0: any free one). */
  tcp: z.int().min(0).max(65_535).optional(),
  tls: tls.optional(),
  /** Whether it is announced by mDNS; true when omitted. */
  announce: z.boolean().optional(),
  edgeId,
  max: z.int().min(MIN_FRAME_LIMIT).max(MAX_FRAME_LIMIT).optional(),
  win: z.int().min(1).max(MAX_WINDOW).optional(),
  boot: z.enum(["noise", "none"]).optional(),
  about: about.optional(),
  /** Initial faults of its line and its board, in the words that `fault` takes. */
  faults: z.array(z.string()).optional(),
  devices: z.array(z.unknown()).min(1),
});

/** Its nodes are parsed one by one. */
export const definitionFile = z.strictObject({ nodes: z.array(z.unknown()).min(1) });

export type ServiceEntry = z.infer<typeof serviceEntry>;
export type NodeEntry = z.infer<typeof nodeEntry>;
