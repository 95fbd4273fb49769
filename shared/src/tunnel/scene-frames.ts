/**
 * Frames about the scenes of a hub: the scenes that it stores, and the call of one. Apart from the home frames, because a hub without
 * an API at home may still store scenes. Most hubs have none, so the schemas are built on first use.
 */
import { z } from "zod";
import { INDEX, isEdgeId, isName, type Value, valueBreach } from "../model/index.ts";
import { LONGEST_ID } from "./frame-bounds.ts";

/** Maximum number of writes in one call, and in one stored scene. */
export const MOST_SCENE_WRITES = 500;
/** Longest stored scene as JSON, characters: with its envelope it fits into one message. */
export const MOST_STORED_SCENE = 200 * 1024;
/** Maximum number of scenes that one hub stores. */
export const MOST_HUB_SCENES = 1000;

const edgeId = z.string().refine(isEdgeId, "must be an EUI-48 or EUI-64");
const word = z.string().refine(isName, "is no service or property name");
const index = z.string().regex(INDEX);
const value = z.custom<Value>((given) => valueBreach(given) === undefined, "is no JSON value, or one past its bounds");
const id = z.string().max(LONGEST_ID);
const count = z.int().min(0);
const target = { device: edgeId, service: word, index, property: word };
const days = z.array(z.enum(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])).optional();

// --- the scenes that a hub stores --------------------------------------------------------------------------------------

/** All scenes of the hub; the hub deletes every other scene. */
export const scenes = z.lazy(() =>
  z.object({
    /** Digest of all members below; the hub reports it in its next hello. */
    digest: z.string().min(1).max(64),
    ecosystemId: id,
    environmentId: id,
    /** IANA name; absent: no scene is called by time or sun. */
    timeZone: z.string().max(64).optional(),
    /** Degrees, north and east positive; absent: no scene is called by the sun. */
    location: z.object({ latitude: z.number(), longitude: z.number() }).optional(),
    scenes: z.array(z.object({ id, digest: z.string().min(1).max(64) })).max(MOST_HUB_SCENES),
  }),
);
/** `wanted`: scenes that the hub does not have with this digest. */
export const scenesAnswer = z.object({ wanted: z.array(id) });

const trigger = z.discriminatedUnion("kind", [
  /** `deviceId`: the device's ID in the API. */
  z.object({ kind: z.literal("event"), ...target, deviceId: id, value: z.string().max(64) }),
  z.object({ kind: z.literal("time"), at: z.string().max(5), days }),
  z.object({
    kind: z.literal("sun"),
    event: z.enum(["sunrise", "sunset"]),
    offsetMinutes: z.int().optional(),
    days,
  }),
]);

/**
 * One scene. `meta` is JSON as in `name`; `items` are those of the API, for display; `writes` are the resulting commands, which the hub
 * carries out.
 */
export const scene = z.lazy(() =>
  z.object({
    id,
    digest: z.string().min(1).max(64),
    alias: z.string().max(256).optional(),
    meta: z.string().max(72 * 1024),
    createdAt: z.number(),
    items: z.array(z.object({ target: id, service: z.string().max(256), value })).max(MOST_SCENE_WRITES),
    triggers: z.array(trigger).max(16),
    writes: z.array(z.object({ ...target, value })).max(MOST_SCENE_WRITES),
  }),
);
export const sceneAnswer = z.object({});

// --- the call of a scene ------------------------------------------------------------------------------------------------

/** The caller of a scene at home: a user of the hub's own API, a button, a time of day, the sun. */
export const sceneCaller = z.enum(["api", "event", "time", "sun"]);
/** The scene behind a value, when the hub called the scene on its own. */
export const calledScene = z.object({ id, by: sceneCaller });

/** `scene.call`: the commands of one call, each as in `command`, with one answer when all have ended. The hub need not store the scene. */
export const sceneCall = z.lazy(() =>
  z.object({
    at: z.number(),
    /** Connection time after which the hub must not touch the hardware. */
    deadline: z.number(),
    scene: id,
    /** In the order of the scene; each property at most once. */
    commands: z
      .array(z.object({ id, ...target, value }))
      .min(1)
      .max(MOST_SCENE_WRITES),
    /** The request behind the call, for the hub's log. */
    requestId: id.optional(),
  }),
);

/**
 * One entry for each command, in order: the members of a `command` answer beyond the command itself. The hub cuts `detail` to 128
 * characters.
 */
export const sceneCallAnswer = z.lazy(() =>
  z.object({
    results: z.array(
      z.object({
        command: id,
        n: count,
        outcome: z.enum(["confirmed", "rejected", "not_applied", "unknown"]),
        value: value.optional(),
        observedAt: z.number(),
        failure: z
          .object({
            name: z.enum(["Device Unreachable", "Device Rejected", "Hub Timeout"]),
            detail: z.string().max(1024),
            code: count.optional(),
          })
          .optional(),
      }),
    ),
  }),
);
