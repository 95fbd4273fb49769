/** The answer to a controller's command: done only when the hub has confirmed it. */
import { PorchlightError, type PorchlightErrorName } from "@porchlight/sdk";
import { expect, test } from "vitest";
import type { Asked } from "../parts/part.ts";
import { carryOut, type SetProperty, verdictOf } from "./hub-commands.ts";

type Outcome = PorchlightError["outcome"];

test.each<[PorchlightErrorName, number, Outcome, string]>([
  ["Device Unreachable", 502, "unknown", "unknown"],
  ["Device Unreachable", 502, "not_applied", "not_done"],
  ["Device Rejected", 502, "rejected", "rejected"],
  ["Hub Timeout", 504, "unknown", "unknown"],
  ["Service Unavailable", 503, "not_sent", "not_done"],
  ["Rate Limit Exceeded", 429, undefined, "not_done"],
  ["Property Value Invalid", 400, undefined, "constraint"],
  ["Property Not Writable", 400, undefined, "unsupported"],
  ["Device Not Found", 404, undefined, "not_done"],
  ["Internal Error", 500, undefined, "unknown"],
  ["Connection Failed", 0, undefined, "unknown"],
  ["Timed Out", 0, undefined, "unknown"],
])("%s (%i, %s) is %s", (name, status, outcome, kind) => {
  expect(verdictOf(new PorchlightError(name, "why", { status, outcome })).kind).toBe(kind);
});

const ASKED: Asked = [
  { key: "LightLevel:0.level", value: 50 },
  { key: "Switch:0.on", value: true },
];

function hub(refused?: string): { readonly asked: string[]; readonly set: SetProperty["set"] } {
  const asked: string[] = [];
  return {
    asked,
    set: async (reference, selector, value, options) => {
      asked.push(`${reference} ${selector} = ${value} (${options?.retries})`);
      if (selector === refused)
        throw new PorchlightError("Device Rejected", "no", { status: 502, outcome: "rejected" });
      const item = { service: "", index: "0", property: "", value } as Awaited<ReturnType<SetProperty["set"]>>["item"];
      return { item, commandId: "cmd_1" };
    },
  };
}

test("writes go to the hub one after the other, each once, and what it confirms is reported", async () => {
  const [lamp, reported] = [hub(), [] as unknown[]];
  expect(await carryOut(lamp, "dev_1", ASKED, ({ value }) => void reported.push(value))).toEqual({ kind: "done" });
  expect(lamp.asked).toEqual(["dev_1 LightLevel:0.level = 50 (0)", "dev_1 Switch:0.on = true (0)"]);
  expect(reported).toEqual([50, true]);
});

test("after one that is refused nothing more is asked", async () => {
  const [lamp, reported] = [hub("LightLevel:0.level"), [] as unknown[]];
  expect(await carryOut(lamp, "dev_1", ASKED, ({ value }) => void reported.push(value))).toMatchObject({
    kind: "rejected",
  });
  expect([lamp.asked.length, reported]).toEqual([1, []]);
});

test.each<[PorchlightErrorName, number, Outcome, string]>([
  ["Device Unreachable", 502, "not_applied", "unknown"],
  ["Hub Timeout", 504, "unknown", "unknown"],
  ["Device Rejected", 502, "rejected", "rejected"],
])("after a part was carried out, %s (%i, %s) is %s", async (name, status, outcome, kind) => {
  const lamp = hub();
  const set: SetProperty["set"] = async (reference, selector, value, options) => {
    if (selector === "Switch:0.on") throw new PorchlightError(name, "no", { status, outcome });
    return lamp.set(reference, selector, value, options);
  };
  expect(await carryOut({ set }, "dev_1", ASKED, () => undefined)).toMatchObject({ kind });
});

test("what no write could do is refused without the hub", async () => {
  const lamp = hub();
  expect(await carryOut(lamp, "dev_1", { refused: "constraint" }, () => undefined)).toMatchObject({
    kind: "constraint",
  });
  expect(lamp.asked).toEqual([]);
});
