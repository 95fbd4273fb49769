/** What people call what devices can do. */
import { expect, test } from "vitest";
import { titlesOf, wordsOf } from "./catalogue.ts";

test.each([
  ["Kettle", "Kettle"],
  ["targetTemp_2", "Target temp 2"],
  ["link-quality", "Link quality"],
  ["linkQuality", "Link quality"],
  ["_", "_"],
])("a name like %s is shown as %s", (name, words) => expect(wordsOf(name)).toBe(words));

test("a standard class has the catalogue's titles, its optional properties too", () => {
  const property = (name: string, title: string) => ({
    ...{ property: name, title, type: "number" as const, access: ["read" as const] },
  });
  const titles = titlesOf([
    {
      service: "LightLevel",
      title: "Brightness",
      properties: [property("level", "Brightness")],
      optional: [property("target", "Target brightness")],
    },
  ]);
  expect(titles.ofClass("LightLevel")).toBe("Brightness");
  expect(titles.ofProperty("LightLevel", "target")).toBe("Target brightness");
  expect(titles.ofProperty("LightLevel", "fadeTime")).toBe("Fade time");
  expect(titles.ofClass("toString")).toBe("To string");
});
