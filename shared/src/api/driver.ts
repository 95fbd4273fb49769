/** A hub's drivers in the API: lists and bodies around the schemas of `model/hub-driver.ts`. */
import { z } from "zod";
import { hubDriver, matterBridge } from "../model/index.ts";
import { textField } from "./fields.ts";

export { type HubDriver, type HubSetup, hubDriver, hubSetup, type MatterBridge, matterBridge } from "../model/index.ts";

export const hubDriverList = z
  .object({
    items: z.array(hubDriver),
    matterBridge: matterBridge
      .optional()
      .meta({ description: "The program that shows the hub's devices to Matter controllers, while it runs" }),
  })
  .meta({ id: "HubDriverList" });
export type HubDriverList = z.output<typeof hubDriverList>;

export const newSetup = z.strictObject({
  kind: textField(64).meta({ description: "One of the `setups` of the hub's drivers", example: "zigbee" }),
});

export const setupAnswer = z.strictObject({
  answer: textField(1024).meta({ description: "The answer of the person; for a `choice`, one of its `choices`" }),
});
