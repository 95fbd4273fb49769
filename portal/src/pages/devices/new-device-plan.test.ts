/** What a virtual device is made of. */
import { expect, test } from "vitest";
import { plannedDevice } from "./new-device-plan.ts";

const plan = { environmentId: "env_1", alias: "", classes: [], json: "" };

test("of standard classes the name is enough, and several of one class get an index", () => {
  expect(plannedDevice({ ...plan, alias: "mood", classes: ["Switch", "LightColor", "Switch"] })).toEqual({
    kind: "device",
    device: {
      environmentId: "env_1",
      alias: "mood",
      services: [
        { service: "Switch", index: "0" },
        { service: "LightColor", index: "0" },
        { service: "Switch", index: "1" },
      ],
    },
  });
});

test("services of one's own come as JSON, one or a list", () => {
  const own = { service: "Sign", properties: [{ property: "text", type: "string", access: ["read", "write"] }] };
  for (const json of [JSON.stringify(own), JSON.stringify([own])])
    expect(plannedDevice({ ...plan, json })).toMatchObject({ kind: "device", device: { services: [own] } });
});

test("nothing is sent of what is no JSON, or of nothing", () => {
  expect(plannedDevice(plan)).toEqual({ kind: "nothing" });
  expect(plannedDevice({ ...plan, classes: ["Switch"], json: "{" }).kind).toBe("fault");
  expect(plannedDevice({ ...plan, json: "7" }).kind).toBe("fault");
});
