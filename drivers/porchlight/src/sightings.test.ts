import { expect, test } from "vitest";
import { Sightings } from "./sightings.ts";

const ID = "02-50-4C-53-00-01";
const service = (instance: string, addresses: readonly string[], txt: Readonly<Record<string, string>> = {}) => ({
  ...{ instance, addresses, port: 4000 },
  txt: { v: "1", id: ID, ...txt },
});

test("a node is seen with where it is, what it is, and whether it wants TLS", () => {
  const nodes = new Sightings().nodes([service("Lamp", ["10.0.0.7", "fe80::1%eth0"], { mo: "Lamp", tls: "psk" })]);
  const endpoints = ["10.0.0.7", "fe80::1%eth0"].map((address) => ({ address, port: 4000 }));
  expect([...nodes.values()]).toEqual([{ edgeId: ID, model: "Lamp", tls: true, endpoints }]);
});

test("a node under two names is one node with both places", () => {
  const nodes = new Sightings().nodes([service("Lamp", ["10.0.0.7"]), service("Lamp (2)", ["10.0.0.9"])]);
  expect(nodes.get(ID)?.endpoints.map(({ address }) => address)).toEqual(["10.0.0.7", "10.0.0.9"]);
});

test("a service that is of no use is counted once, until its record changes", () => {
  const sightings = new Sightings();
  for (const id of ["lamp", "lamp"]) sightings.nodes([service("Lamp", [], { id })]);
  expect(sightings.ignored).toEqual({ badId: 1 });
  sightings.nodes([service("Lamp", [])]);
  sightings.nodes([service("Lamp", [], { id: "lamp" }), service("Other", [], { v: "2" })]);
  expect(sightings.ignored).toEqual({ badId: 2, otherVersion: 1 });
});
