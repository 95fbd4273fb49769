/** A scene: property values for devices and zones of one environment under one name, set all at once by a call. */
import { z } from "zod";
import {
  aliasField,
  aliasInput,
  environmentInput,
  idField,
  metaField,
  metaInput,
  timeField,
  timeOfDay,
} from "./fields.ts";
import { propertyItem, writeFailure } from "./property.ts";

/** Maximum number of items in one scene. */
export const MOST_SCENE_ITEMS = 500;
/** Longest JSON of all items of one scene, characters. */
export const MOST_SCENE_JSON = 64 * 1024;
/** Maximum number of triggers of one scene. */
export const MOST_TRIGGERS = 8;
/** Largest offset from sunrise or sunset, minutes. */
const MOST_OFFSET = 720;

export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const service = z.string().meta({ description: "`SERVICE[:INDEX].PROPERTY`", example: "LightLevel:0.level" });
const value = z.json().meta({ description: "The value to set" });
const days = z
  .array(z.enum(DAYS))
  .min(1)
  .max(DAYS.length)
  .refine((each) => new Set(each).size === each.length, "names a day twice")
  .optional()
  .meta({ description: "Only on these days of the week; every day if left out" });

export const sceneItem = z
  .object({ target: z.string().meta({ description: "ID of a device or zone" }), service, value })
  .meta({ id: "SceneItem" });
export type SceneItem = z.output<typeof sceneItem>;

/** Triggers the scene when a device reports this event, such as a pressed button. */
const eventTrigger = {
  kind: z.literal("event"),
  service: z.string().meta({ description: "`Button[:INDEX].event`", example: "Button:0.event" }),
  value: z.string().max(64).meta({ description: "What the button reports", example: "press" }),
};
const timeTrigger = { kind: z.literal("time"), at: timeOfDay, days };
const sunTrigger = {
  kind: z.literal("sun"),
  event: z.enum(["sunrise", "sunset"]),
  offsetMinutes: z
    .int()
    .min(-MOST_OFFSET)
    .max(MOST_OFFSET)
    .optional()
    .meta({ description: "Minutes after it; a negative number is before it", example: -30 }),
  days,
};

export const sceneTrigger = z
  .discriminatedUnion("kind", [
    z.object({ ...eventTrigger, deviceId: idField("dev") }),
    z.object(timeTrigger),
    z.object(sunTrigger),
  ])
  .meta({ id: "SceneTrigger" });
export type SceneTrigger = z.output<typeof sceneTrigger>;

export const scene = z
  .object({
    id: idField("scn"),
    ecosystemId: idField("eco"),
    environmentId: idField("env"),
    alias: aliasField,
    meta: metaField,
    items: z.array(sceneItem),
    triggers: z.array(sceneTrigger).meta({ description: "When the hub calls it by itself" }),
    hubId: idField("cli").optional().meta({
      description:
        "The hub of all devices that the scene sets, if it is one: that hub stores the scene, and can call it without the internet",
    }),
    createdAt: timeField,
  })
  .meta({ id: "Scene" });
export type Scene = z.output<typeof scene>;

const target = z.string().min(1).meta({ description: "ID or reference of a device or zone of the same environment" });
const itemsInput = z
  .array(z.strictObject({ target, service, value }))
  .min(1)
  .max(MOST_SCENE_ITEMS)
  .meta({ description: "If two of them set the same property, the later one counts" });
const triggersInput = z
  .array(
    z.discriminatedUnion("kind", [
      z.strictObject({
        ...eventTrigger,
        deviceId: z.string().min(1).meta({ description: "ID or reference of the device with the button" }),
      }),
      z.strictObject(timeTrigger),
      z.strictObject(sunTrigger),
    ]),
  )
  .max(MOST_TRIGGERS)
  .optional()
  .meta({ description: "When the hub calls it by itself; only of a scene that has one hub" });

export const newScene = z.strictObject({
  environmentId: environmentInput,
  alias: aliasInput,
  meta: metaInput,
  items: itemsInput,
  triggers: triggersInput,
});
export type NewScene = z.output<typeof newScene>;
export type NewSceneItem = NewScene["items"][number];
export type NewSceneTrigger = NonNullable<NewScene["triggers"]>[number];

export const sceneUpdate = z.strictObject({
  alias: aliasInput,
  meta: metaInput,
  items: itemsInput.optional().meta({ description: "Replaces the whole list" }),
  triggers: triggersInput.meta({ description: "Replaces the whole list" }),
});
export type SceneUpdate = z.output<typeof sceneUpdate>;

/** Creates a scene from the current values. */
export const sceneCapture = z.strictObject({
  environmentId: environmentInput,
  alias: aliasInput,
  meta: metaInput,
  targets: z
    .array(target)
    .min(1)
    .max(MOST_SCENE_ITEMS)
    .optional()
    .meta({ description: "The devices and zones whose values are taken; all devices of the environment if left out" }),
});
export type SceneCapture = z.output<typeof sceneCapture>;

export const sceneCall = z.strictObject({
  only: z
    .array(z.string().min(1))
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: "Only the writes to these devices: IDs or references, such as those of `failures`" }),
});
export type SceneCall = z.output<typeof sceneCall>;

export const sceneWrite = propertyItem
  .extend({ commandId: idField("cmd").meta({ description: "The command of this write" }) })
  .meta({ id: "SceneWrite" });
export type SceneWrite = z.output<typeof sceneWrite>;

/** `data` of `scene.called`. */
export const sceneCalled = z
  .object({
    sceneId: idField("scn"),
    commandId: idField("cmd").meta({ description: "Of the call as a whole" }),
    tokenId: idField("tok").optional().meta({ description: "The token that called it" }),
    confirmed: z.int().min(0).meta({ description: "Number of writes that were confirmed" }),
    failures: z.array(writeFailure).optional().meta({ description: "The other writes; absent if there are none" }),
  })
  .meta({ id: "SceneCalled" });
export type SceneCalled = z.output<typeof sceneCalled>;

/** Answer to a call: one entry for each property that it sets. */
export const sceneResult = z
  .object({
    commandId: idField("cmd").meta({
      description: "Of the call as a whole: `sceneCommandId` of its commands and of the changes that it causes",
    }),
    items: z.array(sceneWrite),
    failures: z.array(writeFailure).optional().meta({ description: "Absent if everything succeeded" }),
  })
  .meta({ id: "SceneResult" });
export type SceneResult = z.output<typeof sceneResult>;
