/** Names of settings, and the suggestion for a mistyped one. */
import { expect, test } from "vitest";
import { closestKey, flagOf, variableOf } from "./notes.ts";

test("a setting has one name in each source", () => {
  expect([variableOf("tlsCert"), flagOf("tlsCert")]).toEqual(["PORCHLIGHT_TLS_CERT", "--tls-cert"]);
  expect([variableOf("port"), flagOf("port")]).toEqual(["PORCHLIGHT_PORT", "--port"]);
});

test.for([
  ["hots", "host"],
  ["HOST", "host"],
  ["public_url", "publicUrl"],
  ["publicUrls", "publicUrl"],
  ["datbase", "database"],
  ["p", undefined],
  ["colour", undefined],
])("for %s, %s was meant", ([wrong, meant]) => {
  expect(closestKey(wrong ?? "", ["host", "port", "database", "publicUrl"])).toBe(meant);
});
