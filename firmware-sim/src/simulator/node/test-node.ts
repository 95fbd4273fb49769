/** A node on a virtual clock with a scripted hub at the other end of its line: the basis of all tests of the protocol. */
import { seededRandom, settle, VirtualClock } from "@porchlight/shared/kernel";
import type { NodeDefinition } from "../devices/definition.ts";
import { KINDS, standardService } from "../devices/kinds.ts";
import { memoryLinks } from "../links/memory-link.ts";
import { ScriptedHub } from "./scripted-hub.ts";
import { type NodeDeps, SimulatedNode } from "./simulated-node.ts";

export const LIGHT = "02-50-4C-51-00-01";
export const TEST_BUTTON = "02-50-4C-51-00-02";

/** Place 0: a colour light. Place 1: a button with a battery. */
export const DEFINITION: NodeDefinition = {
  edgeId: "02-50-4C-51-00-00",
  about: { manufacturer: "Porchlight" },
  devices: [
    {
      edgeId: LIGHT,
      services: KINDS.get("colour-light")?.services ?? [],
      about: { name: "Porch light" },
      values: [
        [{ service: "Switch", index: "0", property: "on" }, false],
        [{ service: "LightLevel", index: "0", property: "level" }, 40],
      ],
    },
    { edgeId: TEST_BUTTON, services: [standardService("Button"), standardService("Battery")] },
  ],
};

export interface TestNode {
  readonly clock: VirtualClock;
  readonly node: SimulatedNode;
  readonly hub: ScriptedHub;
  /** Connects another line to the node. */
  connect(): ScriptedHub;
}

/** A node that was just plugged in and has sent its first HELLO. */
export async function plugged(
  definition: Partial<NodeDefinition> = {},
  deps: Partial<NodeDeps> = {},
): Promise<TestNode> {
  const clock = new VirtualClock();
  const whole = { ...DEFINITION, ...definition };
  const node = SimulatedNode.start({ clock, random: seededRandom(7), ...deps, definition: whole });
  const connect = () => {
    const [near, far] = memoryLinks();
    node.attach(near);
    return new ScriptedHub(far, clock);
  };
  const hub = connect();
  await settle();
  return { clock, node, hub, connect };
}

/** A node whose HELLO has been acknowledged. */
export async function live(definition: Partial<NodeDefinition> = {}, deps: Partial<NodeDeps> = {}): Promise<TestNode> {
  const test = await plugged(definition, deps);
  await test.hub.acknowledge();
  test.hub.forget();
  return test;
}
