/** The order in which a write is checked, beyond what one lamp can show. */
import { expect, it } from "vitest";
import { describe as ready } from "../../model/index.ts";
import { checkWrite } from "./property-write.ts";

const on = { property: "on", type: "boolean", access: ["read", "write", "notify"] } as const;
const watts = { property: "watts", type: "number", access: ["read", "notify"] } as const;
const gang = ready([
  { service: "Switch", index: "0", properties: [on] },
  { service: "Switch", index: "1", properties: [on, watts] },
  { service: "Fan", index: "0", properties: [on] },
]);
const check = (selector: string, value: boolean | number = true) => {
  try {
    return checkWrite(gang, selector, value).key;
  } catch (error) {
    return (error as Error).name;
  }
};

it.each([
  ["Switch:1.on", "Switch:1.on"],
  ["Fan.on", "Fan:0.on"],
  ["Fan:0.on", "Fan:0.on"],
  ["Switch.on", "Service Property Invalid"],
  ["Switch:1", "Service Property Invalid"],
  ["Switch:2.on", "Service Not Found"],
  ["Switch:01.on", "Service Not Found"],
  ["Switch:0.watts", "Service Property Invalid"],
  ["Switch:1.watts", "Property Not Writable"],
  ["Lamp.on", "Service Not Found"],
  ["", "Service Not Found"],
])("%j is %s", (selector, expected) => {
  expect(check(selector)).toBe(expected);
});

it("a property that is not writable is refused before its value is checked", () => {
  expect(check("Switch:1.watts", true)).toBe("Property Not Writable");
  expect(check("Fan.on", 7)).toBe("Property Value Invalid");
});
