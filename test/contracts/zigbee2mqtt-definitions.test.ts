/** Every model that zigbee2mqtt knows, described by its real converters, as a device of the hub. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Definition, sweep } from "@porchlight/agent/drivers/mqtt/zigbee2mqtt/sweep.fixture.ts";
import { expect, test } from "vitest";
import { z } from "zod";
import { ROOT } from "../parts/program.ts";

const PEERS = join(ROOT, "test/peers");
const DEVICES = "node_modules/zigbee-herdsman-converters/dist/devices";

/** What zigbee2mqtt would publish of each, in `BASE/bridge/devices`. */
function definitions(): Definition[] {
  const require = createRequire(join(PEERS, "package.json"));
  const { prepareDefinition } = z
    .object({ prepareDefinition: z.function({ input: [z.unknown()], output: z.unknown() }) })
    .parse(require("zigbee-herdsman-converters"));
  const prepared = z.object({ vendor: z.string(), model: z.string(), exposes: z.unknown() });
  const files = readdirSync(join(PEERS, DEVICES)).filter((file) => file.endsWith(".js") && file !== "index.js");
  return files.flatMap((file) => {
    const module = z.looseObject({ definitions: z.array(z.unknown()) }).parse(require(join(PEERS, DEVICES, file)));
    return module.definitions.map((definition) => {
      const { vendor, model, exposes } = prepared.parse(prepareDefinition(definition));
      // Some depend on the device; zigbee2mqtt's own documentation is made with a dummy one.
      const all = typeof exposes === "function" ? exposes({ isDummyDevice: true }, {}) : exposes;
      return { vendor, model, exposes: z.array(z.unknown()).parse(JSON.parse(JSON.stringify(all))) };
    });
  });
}

test("each makes a valid device, and all that can be set is confirmed by what zigbee2mqtt publishes for it", () => {
  const all = definitions();
  expect(all.length).toBeGreaterThan(4000);
  const { devices, properties, standard, settable, confirmed, leftAside, wrong } = sweep(all);
  expect(wrong.slice(0, 20)).toEqual([]);
  expect([devices, confirmed]).toEqual([all.length, settable]);
  // What does not fit 64 properties of a service, and nothing else.
  expect(Object.keys(leftAside)).toEqual(["tooMany"]);
  const { tooMany = 0 } = leftAside;
  expect(settable / (settable + tooMany)).toBeGreaterThan(0.95);
  expect(standard / properties).toBeGreaterThan(0.48);
  console.log(
    `${devices} definitions, ${properties} properties: ${standard} of standard classes, ${settable} can be set, ${tooMany} left aside`,
  );
});
