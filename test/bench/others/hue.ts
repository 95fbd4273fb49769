/** Lamps behind one bridge. */
import { capturedResources } from "@porchlight/driver-hue/bridge-capture.fixture.ts";
import { ownCertificate } from "@porchlight/driver-hue/clip/certificates.fixture.ts";
import { BridgeSetup, HueServer } from "@porchlight/driver-hue/clip/hue-server.fixture.ts";
import { MemoryBridge } from "@porchlight/driver-hue/memory-bridge.fixture.ts";
import type { Resource } from "@porchlight/driver-hue/resources/resource.ts";
import { at } from "@porchlight/driver-kit";
import { systemClock } from "@porchlight/shared/kernel";
import type { HubSetup } from "@porchlight/shared/model";
import { eventually } from "../../parts/eventually.ts";
import type { Others } from "./others.ts";

const BRIDGE_ID = "001788FFFE0B0B0B";

export async function hueLamps(count: number): Promise<Others> {
  const setup = new BridgeSetup(BRIDGE_ID);
  const memory = new MemoryBridge(systemClock, [...bridgeItself(), ...Array.from({ length: count }, lampOf).flat()]);
  const server = await HueServer.start({ setup, memory, certificate: ownCertificate(BRIDGE_ID) });
  const { host, port } = server.address;
  return {
    settings: { hue: { admit: "all", bridges: [`${host}:${port}`] } },
    pair: async (api, clientId) => {
      setup.isPressed = true;
      const { id } = await api.good<HubSetup>("POST", `/api/clients/${clientId}/setups`, { kind: "hue-bridge" });
      await eventually("the bridge is paired", async () => {
        const { state } = await api.good<HubSetup>("GET", `/api/clients/${clientId}/setups/${id}`);
        return state === "done";
      });
    },
    change: (lamp, round) => memory.change(`light-${lamp}`, { dimming: { brightness: 1 + (round % 100) } }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The captured bridge, without what is paired with it. */
function bridgeItself(): Resource[] {
  return capturedResources().filter(({ id, owner }) => id === "dev-bridge" || at(owner, "rid") === "dev-bridge");
}

function lampOf(_: unknown, lamp: number): Resource[] {
  const device = `device-${lamp}`;
  const [light, zigbee] = [`light-${lamp}`, `zigbee-${lamp}`];
  const owner = { rid: device, rtype: "device" };
  const mac = `00:17:88:01:0b:0b:00:${lamp.toString(16).padStart(2, "0")}`;
  return [
    {
      ...{ id: device, type: "device", metadata: { name: `Lamp ${lamp}` } },
      product_data: {
        product_name: "Hue white lamp",
        model_id: "LWA017",
        manufacturer_name: "Signify Netherlands B.V.",
      },
      services: [
        { rid: light, rtype: "light" },
        { rid: zigbee, rtype: "zigbee_connectivity" },
      ],
    },
    { id: light, type: "light", owner, on: { on: true }, dimming: { brightness: 50 } },
    { id: zigbee, type: "zigbee_connectivity", owner, mac_address: mac, status: "connected" },
  ];
}
