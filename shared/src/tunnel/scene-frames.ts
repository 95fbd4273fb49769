/**
 * Frames about the scenes of a hub: those that it stores, and the call of one. Their own file beside the frames of the home, because a hub
 * may serve no API at home and store scenes all the same. Most hubs have none, so that their schemas are built when they are first used.
 */
import { z } from "zod";
import { INDEX, isEdgeId, isName, type Value, valueBreach } from "../model/index.ts";
import { LONGEST_ID } from "./frame-bounds.ts";

/** Writes of one call, and of one scene that a hub stores. */
export const MOST_SCENE_WRITES = 500;
/** A scene that a hub stores, as JSON, characters: with what stands around it, it fits into one message. */
export const MOST_STORED_SCENE = 200 * 1024;
/** Scenes that one hub stores. */
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

/** All scenes of the hub; one that is not among them is no scene of its any more. */
export const scenes = z.lazy(() =>
  z.object({
    /** Over all that follows; the hub says it in its next hello. */
    digest: z.string().min(1).max(64),
    ecosystemId: id,
    environmentId: id,
    /** IANA name; absent: times and the sun call no scene. */
    timeZone: z.string().max(64).optional(),
    /** Degrees, north and east positive; absent: the sun calls no scene. */
    location: z.object({ latitude: z.number(), longitude: z.number() }).optional(),
    scenes: z.array(z.object({ id, digest: z.string().min(1).max(64) })).max(MOST_HUB_SCENES),
  }),
);
/** `wanted`: those that the hub does not have under this digest. */
export const scenesAnswer = z.object({ wanted: z.array(id) });

const trigger = z.discriminatedUnion("kind", [
  /** `deviceId`: how the API names the device. */
  z.object({ kind: z.literal("event"), ...target, deviceId: id, value: z.string().max(64) }),
  z.object({ kind: z.literal("time"), at: z.string().max(5), days }),
  z.object({
    kind: z.literal("sun"),
    event: z.enum(["sunrise", "sunset"]),
    offsetMinutes: z.int().optional(),
    days,
  }),
]);

/** One scene. `meta` is JSON as in `name`; `items` are those of the API, for people; `writes` is what they mean, and what is carried out. */
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

/** Who called a scene at home: somebody by the hub's own API, a button, a time of day, the sun. */
export const sceneCaller = z.enum(["api", "event", "time", "sun"]);
/** Of a value that a scene brought which the hub called by itself. */
export const calledScene = z.object({ id, by: sceneCaller });

/** `scene.call`: commands of one call, each as in `command`, with one answer when all of them have ended. The hub need not have the scene. */
export const sceneCall = z.lazy(() =>
  z.object({
    at: z.number(),
    /** Connection time after which the hardware is not touched any more. */
    deadline: z.number(),
    scene: id,
    /** In the order of the scene; no property twice. */
    commands: z
      .array(z.object({ id, ...target, value }))
      .min(1)
      .max(MOST_SCENE_WRITES),
    /** The request that it is for, for the hub's log. */
    requestId: id.optional(),
  }),
);

/** One for each command, in order: what the answer of a `command` says beyond the command itself. The hub cuts `detail` to 128 characters. */
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
