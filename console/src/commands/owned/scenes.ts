/** `porchlight scenes`: values of devices and zones under one name, captured from the current state, and set by one call. */
import { type NewSceneItem, type NewSceneTrigger, scene } from "@porchlight/shared/api";
import type { Args, Option } from "../../session/args.ts";
import type { Command } from "../../session/command.ts";
import { UsageError } from "../../session/failure.ts";
import {
  aliasOf,
  CREATE_FIELDS,
  changedMeta,
  jsonOf,
  jsonOrText,
  metaChange,
  readText,
  wholeMeta,
} from "../../session/fields.ts";
import { ENVIRONMENT, Places } from "../../session/places.ts";
import { WAIT } from "../../session/property.ts";
import { ALIAS, CREATED, ID } from "../listing.ts";
import { objectCommands } from "../objects.ts";
import { showDone } from "../wide-properties.ts";

const ITEMS: readonly Option[] = [
  {
    name: "item",
    value: "'TARGET SERVICE.PROPERTY=VALUE'",
    summary: "What it sets on a device or zone; the given items replace all earlier ones",
    isRepeatable: true,
  },
  { name: "items", value: "JSON", summary: "The same as a JSON list of {target, service, value}" },
  { name: "items-file", value: "FILE", summary: "The same from a file" },
];
const TRIGGERS: readonly Option[] = [
  {
    name: "trigger",
    value: "JSON",
    summary: "When the hub calls it by itself; the given triggers replace all earlier ones",
    isRepeatable: true,
  },
];
const NO_TRIGGERS: Option = { name: "no-triggers", summary: "Removes all triggers" };

const ITEM = /^(.+?)\s+([A-Za-z][\w-]*(?::\d{1,3})?\.[A-Za-z][\w-]*)=(.*)$/s;
const SCENE = { name: "SCENE", summary: "ID of the scene, or its alias or reference" } as const;

/** The items of the scene; absent when the command line has none. @throws UsageError */
async function itemsOf(places: Places, args: Args): Promise<{ items?: NewSceneItem[] }> {
  const named = args.all("item").map((text) => {
    const [, target, service, value] = ITEM.exec(text) ?? [];
    if (target === undefined || service === undefined || value === undefined)
      throw new UsageError(
        `\`${text}\` is not TARGET SERVICE.PROPERTY=VALUE.`,
        "It needs a device or zone, a property and a value.",
        "give --item 'lamp Switch.on=true'",
      );
    return { target, service, value: jsonOrText(value) };
  });
  const [text, file] = [args.text("items"), args.text("items-file")];
  const given = text !== undefined ? jsonOf(text, "--items") : [];
  const fromFile = file !== undefined ? jsonOf(readText(file, "--items-file"), "--items-file") : [];
  if (!Array.isArray(given) || !Array.isArray(fromFile))
    throw new UsageError(
      "Items are a JSON list.",
      "The value is not a list.",
      `give '[{"target": "home;lamp", "service": "Switch.on", "value": true}]'`,
    );
  const resolved = named.map(async (item) => ({ ...item, target: await places.reference("device", item.target) }));
  // The service validates items, and names the invalid field.
  const items = [...(await Promise.all(resolved)), ...given, ...fromFile] as NewSceneItem[];
  return items.length === 0 ? {} : { items };
}

/** @throws UsageError */
function triggersOf(args: Args): { triggers?: NewSceneTrigger[] } {
  const given = args.all("trigger");
  if (args.has("no-triggers") && given.length > 0)
    throw new UsageError(
      "--trigger and --no-triggers exclude each other.",
      "One sets triggers, the other removes them.",
      "give only one of them",
    );
  if (args.has("no-triggers")) return { triggers: [] };
  // The service validates triggers.
  const triggers = given.map((each) => jsonOf(each, "--trigger")) as NewSceneTrigger[];
  return triggers.length === 0 ? {} : { triggers };
}

const capture: Command = {
  name: "capture",
  summary: "Creates a scene from the current values of devices",
  options: [
    ENVIRONMENT,
    {
      name: "target",
      value: "REFERENCE",
      summary: "A device or zone whose values are taken; all devices of the environment if left out",
      isRepeatable: true,
    },
    ...CREATE_FIELDS,
  ],
  examples: [
    "porchlight scenes capture --alias evening",
    "porchlight scenes capture --alias film --target living-room",
  ],
  notes: ["Takes every known value that can be set again."],
  async run(context, args) {
    const places = new Places(context, args);
    const targets = await Promise.all(args.all("target").map((each) => places.reference("device", each)));
    const whole = wholeMeta(args);
    const change = metaChange(args);
    const meta = change ? changedMeta(whole ?? {}, change) : whole;
    const { alias } = aliasOf(args);
    const body = {
      environmentId: await places.environment(),
      ...(targets.length > 0 && { targets }),
      ...(alias !== undefined && { alias }),
      ...(meta && { meta }),
    };
    const options = { systemMetadataPrefix: args.text("system-prefix") };
    context.output.record(await context.porchlight.scenes.capture(body, options));
  },
};

const call: Command = {
  name: "call",
  summary: "Sets everything that a scene sets, and waits until the devices have confirmed",
  parameters: [SCENE],
  options: [
    {
      name: "only",
      value: "DEVICE",
      summary: "Only the writes to this device, such as one that has failed",
      isRepeatable: true,
    },
    WAIT,
    ENVIRONMENT,
  ],
  examples: ["porchlight scenes call evening", "porchlight scenes call evening --only lamp"],
  notes: ["The exit status is 0 only when every device has confirmed."],
  async run(context, args) {
    const places = new Places(context, args);
    const reference = await places.reference("scene", args.word(SCENE.name));
    const only = await Promise.all(args.all("only").map((each) => places.reference("device", each)));
    const options = { wait: args.number("wait"), ...(only.length > 0 && { only }) };
    showDone(context, await context.porchlight.scenes.call(reference, options), "set");
  },
};

export const scenes = [
  ...objectCommands({
    noun: "scenes",
    one: "scene",
    kind: "scene",
    columns: [
      ID,
      ALIAS,
      { heading: "environment", path: "environmentId", isWhole: true },
      { heading: "hub", path: "hubId", isExtra: true },
      CREATED,
    ],
    schema: scene,
    example: "'home;evening'",
    calls: ({ scenes }) => scenes,
    list: {
      options: [ENVIRONMENT],
      filter: async (places) => ({ environmentId: await places.chosenEnvironment() }),
      example: "porchlight scenes list --environment home",
    },
    create: {
      options: [ENVIRONMENT, ...ITEMS, ...TRIGGERS],
      body: async (common, places, args) => {
        const { items } = await itemsOf(places, args);
        if (!items)
          throw new UsageError("A scene needs an item.", "None was given.", "give --item 'lamp Switch.on=true'");
        return { environmentId: await places.environment(), ...common, items, ...triggersOf(args) };
      },
      examples: [
        "porchlight scenes create --environment home --alias evening --item 'lamp LightLevel.level=30' --item 'hall Switch.on=false'",
        `porchlight scenes create --alias night --item 'upstairs Switch.on=false' --trigger '{"kind": "time", "at": "23:00"}'`,
      ],
    },
    update: {
      options: [...ITEMS, ...TRIGGERS, NO_TRIGGERS],
      body: async (places, args) => ({ ...(await itemsOf(places, args)), ...triggersOf(args) }),
      examples: [
        `porchlight scenes update 'home;evening' --trigger '{"kind": "sun", "event": "sunset", "offsetMinutes": -30}'`,
      ],
    },
    deleteNote: "Its hub no longer calls it.",
  }),
  capture,
  call,
];
