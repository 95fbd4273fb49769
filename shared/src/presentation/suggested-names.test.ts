/** Names that are suggested for devices without one. */
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../model/index.ts";
import { suggestedNames } from "./index.ts";

const suggest = (services: readonly string[], model?: string, taken: readonly string[] = []) =>
  suggestedNames([{ id: "dev_1", services, model }], taken).get("dev_1");

describe("a device without a name", () => {
  it.each([
    ["a lamp by what it can do", ["Switch", "LightLevel", "LightColor"], "LED1623G12", "Lamp"],
    ["a plug that measures", ["Switch", "Electricity"], undefined, "Switch"],
    ["a sensor of a door, and not of its battery", ["Battery", "Contact", "Temperature"], undefined, "Door sensor"],
    ["what no class says, by its product", ["Poem"], " Typewriter 3 ", "Typewriter 3"],
    ["what nothing says", ["Battery"], undefined, "Device"],
    ["what has no product name either", [], " ", "Device"],
  ])("is called as %s", (_case, services, model, name) => {
    expect(suggest(services, model)).toBe(name);
  });

  it.each([
    [["Lamp"], "Lamp 2"],
    [["lamp ", "LAMP 2"], "Lamp 3"],
    [["Lamp 2"], "Lamp"],
  ])("has a name that is free beside %j", (taken, name) => {
    expect(suggest(["LightLevel"], undefined, taken)).toBe(name);
  });

  it("has another one than those that are named with it", () => {
    const devices = ["a", "b", "c"].map((id) => ({ id, services: ["Contact"], model: undefined }));
    expect([...suggestedNames(devices, ["Door sensor 2"]).values()]).toEqual([
      "Door sensor",
      "Door sensor 3",
      "Door sensor 4",
    ]);
  });

  it("is a thing of a home for every class but those that any device may have", () => {
    const bare = [...CATALOGUE.keys()].filter((each) => suggest([each]) === "Device");
    expect(bare).toEqual(["Tamper", "Battery", "Identify", "Signal"]);
  });
});
