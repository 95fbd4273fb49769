/** What events make old of what is shown. */
import { expect, test } from "vitest";
import { staleBy } from "./changes.ts";

test("a hub's event makes its devices old too, for they have none of their own", () => {
  expect(staleBy({ type: "hub.offline" })).toEqual(["clients", "devices", "history", "activity"]);
  expect(staleBy({ type: "property.changed" })).toEqual([]);
});

test("a call of a scene does not make the scene old, and a change does", () => {
  expect(staleBy({ type: "scene.called" })).toEqual([]);
  expect(staleBy({ type: "scene.updated" })).toEqual(["scenes"]);
});

test("that a device comes or goes makes gaps in its history, and what it can do not old, and that it has changed does", () => {
  expect(staleBy({ type: "device.offline" })).toEqual(["devices", "history"]);
  expect(staleBy({ type: "device.updated" })).toEqual(["devices", "services", "services-in"]);
});
