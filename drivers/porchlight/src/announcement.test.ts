import { expect, test } from "vitest";
import { readAnnouncement } from "./sightings.ts";

const ID = "02-50-4C-53-00-01";

test.each([
  ["a node without TLS", { v: "1", id: ID }, { edgeId: ID, model: undefined, tls: false }],
  ["one with TLS", { v: "1", id: ID, mo: "Lamp", tls: "psk" }, { edgeId: ID, model: "Lamp", tls: true }],
  ["another version", { v: "2", id: ID }, "otherVersion"],
  ["no version", { id: ID }, "otherVersion"],
  ["no id", { v: "1" }, "badId"],
  ["an id that is none", { v: "1", id: "02-50-4c-53-00-01" }, "badId"],
  ["a way of securing that is not known", { v: "1", id: ID, tls: "none" }, "otherSecurity"],
])("a TXT record of %s is read, or refused by name", (_, txt, expected) => {
  expect(readAnnouncement(txt)).toEqual(expected);
});

test("does not move the cursor of the reader of the status", () => {
  expect(readAnnouncement({ v: "1", id: ID, mo: "\u001b[2JLa\u202emp\u0007" })).toMatchObject({ model: "[2JLamp" });
});
