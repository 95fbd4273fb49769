import {
  client,
  commandTold,
  device,
  environment,
  propertyItem,
  scene,
  sceneCalled,
  user,
  zone,
} from "@porchlight/shared/api";
import { eventTypes } from "@porchlight/shared/events";
import { expect, it } from "vitest";
import { z } from "zod";
import { exampleData } from "./example-events.ts";

const place = { ecosystemId: "eco_01h455vb4pex5vsknk084sn02q", environmentId: undefined, now: 1_764_000_000_000 };

/** What the API says of the data of each prefix. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ...{ device, hub: client, command: commandTold, zone, environment, user },
  scene: z.union([scene, sceneCalled]),
  property: z.object({ item: propertyItem, previousValue: z.json(), cause: z.object({ kind: z.literal("device") }) }),
};

const TYPES = eventTypes().flatMap(({ prefix, types }) => types.map(({ type }) => [type, prefix] as const));

it.each(TYPES)("there is an example of %s, as the API describes it", (type, prefix) => {
  const data = exampleData(type, place, { id: "whk_1" });
  expect(data).toBeDefined();
  const schema = SCHEMAS[prefix];
  if (schema) expect(schema.safeParse(data)).toMatchObject({ success: true, data });
});

it.each(["device", "device.*", "lamp.on", "property.", ""])("there is none of %j", (type) => {
  expect(exampleData(type, place, {})).toBeUndefined();
});

it("plays in the environment of a webhook that is confined to one", () => {
  const environmentId = "env_01h455vb4pex5vsknk084sn0aa";
  expect(exampleData("zone.created", { ...place, environmentId }, {})).toMatchObject({ environmentId });
  expect(exampleData("environment.updated", { ...place, environmentId }, {})).toMatchObject({ id: environmentId });
});
