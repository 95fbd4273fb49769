/** White lamps with a port each. */
import { WHITE_LAMP } from "@porchlight/driver-shelly/captured.fixture.ts";
import { FakeShelly } from "@porchlight/driver-shelly/fake-shelly.fixture.ts";
import { ShellyServer } from "@porchlight/driver-shelly/rpc/shelly-server.fixture.ts";
import { systemClock } from "@porchlight/shared/kernel";
import type { Others } from "./others.ts";

export async function shellyLamps(count: number): Promise<Others> {
  const stack = new AsyncDisposableStack();
  const mac = (lamp: number) => `A8032AB0${lamp.toString(16).toUpperCase().padStart(4, "0")}`;
  const lamps = Array.from({ length: count }, (_, lamp) => new FakeShelly(WHITE_LAMP, systemClock, { mac: mac(lamp) }));
  const servers = await Promise.all(lamps.map(async (lamp) => stack.use(await ShellyServer.start(lamp))));
  return {
    settings: { shelly: { devices: servers.map(({ endpoint }) => endpoint) } },
    change: (lamp, round) => lamps[lamp]?.change("light:0", { brightness: 1 + (round % 100) }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
