/** Every model that zigbee2mqtt knows, by its real converters, and how it describes each. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DescribedDevice } from "@porchlight/driver-mqtt/home-assistant/sweep.fixture.ts";
import type { Definition } from "@porchlight/driver-mqtt/zigbee2mqtt/sweep.fixture.ts";
import { z } from "zod";
import { ROOT } from "../program.ts";

const PEERS = join(ROOT, "test/peers");
const DEVICES = "node_modules/zigbee-herdsman-converters/dist/devices";
const require = createRequire(join(PEERS, "package.json"));

const preparedDefinition = z.looseObject({ vendor: z.string(), model: z.string(), exposes: z.unknown() });
type PreparedDefinition = z.output<typeof preparedDefinition>;

export function preparedDefinitions(): PreparedDefinition[] {
  const { prepareDefinition } = z
    .object({ prepareDefinition: z.function({ input: [z.unknown()], output: z.unknown() }) })
    .parse(require("zigbee-herdsman-converters"));
  const files = readdirSync(join(PEERS, DEVICES)).filter((file) => file.endsWith(".js") && file !== "index.js");
  return files.flatMap((file) => {
    const module = z.looseObject({ definitions: z.array(z.unknown()) }).parse(require(join(PEERS, DEVICES, file)));
    return module.definitions.map((definition) => preparedDefinition.parse(prepareDefinition(definition)));
  });
}

/** As zigbee2mqtt publishes it in `BASE/bridge/devices`. */
export function ownDescription(definition: PreparedDefinition): Definition {
  const { vendor, model } = definition;
  return { vendor, model, exposes: z.array(z.unknown()).parse(JSON.parse(JSON.stringify(exposesOf(definition)))) };
}

/** Some depend on the device; zigbee2mqtt's own documentation is made with a dummy one. */
function exposesOf({ exposes }: PreparedDefinition): readonly unknown[] {
  return z.array(z.unknown()).parse(typeof exposes === "function" ? exposes({ isDummyDevice: true }, {}) : exposes);
}

/** As zigbee2mqtt publishes each on Home Assistant's discovery topics, by its own code, under the base topic `z`. */
export async function discoveryDescriptions(definitions: readonly PreparedDefinition[]): Promise<DescribedDevice[]> {
  const published: [string, string][] = [];
  const extension = homeAssistantExtension((topic, payload) => published.push([topic, payload]));
  const devices: DescribedDevice[] = [];
  for (const [n, definition] of definitions.entries()) {
    await extension.discover(joinedDevice(definition, n));
    devices.push(published.splice(0));
  }
  return devices;
}

interface HomeAssistantExtension {
  discover(device: object): Promise<void>;
}

type Published = (topic: string, payload: string) => void;

const extensionClass = z.object({
  default: z.custom<new (...parts: unknown[]) => HomeAssistantExtension>((given) => typeof given === "function"),
});

/** The real one, with no more of zigbee2mqtt around it than what it publishes by. */
function homeAssistantExtension(publish: Published): HomeAssistantExtension {
  const program = join(PEERS, "node_modules/zigbee2mqtt/dist");
  withSettings({ homeassistant: { enabled: true }, mqtt: { base_topic: "z", server: "mqtt://127.0.0.1" } }, () => {
    require(join(program, "util/settings.js")).get();
  });
  const { default: Extension } = extensionClass.parse(require(join(program, "extension/homeassistant.js")));
  const mqtt = {
    publish: async (topic: string, payload: string, { baseTopic }: { baseTopic: string }) =>
      publish(`${baseTopic}/${topic}`, payload),
  };
  return Object.assign(new Extension({}, mqtt), {
    discoveryOrigin: { name: "Zigbee2MQTT" },
    bridgeIdentifier: "bridge",
  });
}

/** zigbee2mqtt reads its settings once, from a file in the folder that the environment names. */
function withSettings(settings: object, read: () => void): void {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-z2m-"));
  const before = process.env.ZIGBEE2MQTT_DATA;
  process.env.ZIGBEE2MQTT_DATA = folder;
  try {
    writeFileSync(join(folder, "configuration.yaml"), JSON.stringify(settings));
    read();
  } finally {
    if (before === undefined) delete process.env.ZIGBEE2MQTT_DATA;
    else process.env.ZIGBEE2MQTT_DATA = before;
    rmSync(folder, { recursive: true });
  }
}

/** A device of a definition, as the extension looks at one. */
function joinedDevice(definition: PreparedDefinition, n: number): object {
  const ieeeAddr = `0x${(0x00158d0000000000n + BigInt(n)).toString(16).padStart(16, "0")}`;
  const name = `${definition.model} ${n}`.replace(/[+#/]/g, "-");
  return {
    ...{ ieeeAddr, name, ID: ieeeAddr, definition, interviewed: true },
    options: { ID: ieeeAddr, friendly_name: name },
    zh: { endpoints: [] },
    isDevice: () => true,
    isGroup: () => false,
    exposes: () => exposesOf(definition),
    endpoint: () => undefined,
  };
}
