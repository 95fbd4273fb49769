/** The ready-made devices: between them they have every class, and a home in which they live is a possible one. */
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { addressKey, CATALOGUE, findProperty, valueProblem } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { KINDS } from "./kinds.ts";
import { readDefinitions } from "./read-definitions.ts";
import { SimulatedDevice } from "./simulated-device.ts";

const ID = "02-50-4C-51-00-01";

function lively(kind: string) {
  const read = readDefinitions(`nodes: [{edgeId: ${ID}, devices: [{edgeId: ${ID}, kind: ${kind}, lively: true}]}]`);
  const definition = read.kind === "ok" ? read.nodes[0]?.devices[0] : undefined;
  if (!definition) throw new Error(`${kind} cannot be read: ${JSON.stringify(read)}`);
  return definition;
}

// `Identify` is the hub's own service: every device has it there, and none may describe it.
test.each([...CATALOGUE.keys()].filter((service) => service !== "Identify"))(
  "there is a ready-made device with %s",
  (service) => {
    const kinds = [...KINDS.values()].filter((kind) => kind.services.some((one) => one.service === service));
    expect(kinds).not.toEqual([]);
  },
);

test.each([...KINDS.keys()])("a %s has a value for all that can be read", (kind) => {
  const { services, values } = KINDS.get(kind) ?? { services: [], values: {} };
  const readable = services.flatMap(({ service, index, properties }) =>
    properties
      .filter(({ access }) => access.includes("read"))
      .map(({ property }) => addressKey({ service, index, property })),
  );
  expect(Object.keys(values).sort()).toEqual(readable.sort());
});

test.each([...KINDS.keys()])("an hour of a lively %s has only values that it describes", async (kind) => {
  const definition = lively(kind);
  const clock = new VirtualClock();
  const wrong: string[] = [];
  using device = SimulatedDevice.start({
    definition,
    clock,
    random: seededRandom(1),
    tell: (_, address, value) => {
      const description = findProperty(definition.services, address);
      const problem = description ? valueProblem(description, value) : "is not described";
      if (problem !== undefined) wrong.push(`${addressKey(address)}: ${problem}`);
    },
  });
  await clock.advance(3_600_000);
  expect([wrong, device.services.length > 0]).toEqual([[], true]);
});
