/** Dimmers of one network. */
import { capturedNode } from "@porchlight/driver-zwave/captured-nodes.fixture.ts";
import { FakeZwave } from "@porchlight/driver-zwave/fake-zwave.fixture.ts";
import { ZwaveServer } from "@porchlight/driver-zwave/zwave-server.fixture.ts";
import { systemClock } from "@porchlight/shared/kernel";
import type { Others } from "./others.ts";

const DIMMER = "switch_enbrighten_zw3010";
const FIRST_NODE = 2;
const LEVEL = { commandClass: 38, endpoint: 0, property: "currentValue" };

export async function zwaveDimmers(count: number): Promise<Others> {
  const zwave = new FakeZwave(systemClock);
  for (let node = 0; node < count; node++) zwave.add(capturedNode(DIMMER, FIRST_NODE + node));
  const server = await ZwaveServer.start(zwave);
  return {
    settings: { zwave: { server: server.url, admit: "all" } },
    change: (dimmer, round) => zwave.change(FIRST_NODE + dimmer, LEVEL, 1 + (round % 99)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
