/** Bulbs that encrypt, with a port each. */
import { BULB } from "@porchlight/driver-esphome/devices.fixture.ts";
import { EspHomeServer } from "@porchlight/driver-esphome/esphome-server.fixture.ts";
import { FakeEspHome } from "@porchlight/driver-esphome/fake-esphome.fixture.ts";
import { systemClock } from "@porchlight/shared/kernel";
import type { Others } from "./others.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

export async function espHomeBulbs(count: number): Promise<Others> {
  const stack = new AsyncDisposableStack();
  const bulbs = Array.from({ length: count }, (_, bulb) => {
    const mac = `AABBCCE5${bulb.toString(16).toUpperCase().padStart(4, "0")}`;
    return new FakeEspHome(BULB, systemClock, { name: `bulb-${bulb}`, mac, key: KEY });
  });
  const servers = await Promise.all(bulbs.map(async (bulb) => stack.use(await EspHomeServer.start(bulb))));
  return {
    settings: { esphome: { devices: servers.map(({ endpoint }) => ({ ...endpoint, key: KEY })) } },
    change: (at, round) => {
      const bulb = bulbs[at];
      bulb?.change(bulb.entity("light", "RGBCW Bulb"), { brightness: (1 + (round % 100)) / 100 });
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
