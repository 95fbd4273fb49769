import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { memoryLinks } from "./links/memory-link.ts";
import { ScriptedHub } from "./node/scripted-hub.ts";
import { SimulatedNode } from "./node/simulated-node.ts";
import { DEFINITION, LIGHT } from "./node/test-node.ts";
import { faultyLink, spoil } from "./faulty-link.ts";

const some = Uint8Array.from({ length: 1000 }, (_, at) => at & 0xff);

test("the same seed spoils the same bytes", () => {
  const noise = { drop: 0.1, flip: 0.1, double: 0.1, insert: 0.1 };
  expect(spoil(some, noise, seededRandom(5))).toEqual(spoil(some, noise, seededRandom(5)));
  expect(spoil(some, noise, seededRandom(5))).not.toEqual(spoil(some, noise, seededRandom(6)));
});

test.each([
  ["drop", 900],
  ["double", 1100],
  ["insert", 1100],
  ["flip", 1000],
] as const)("%s alone does what it says", (kind, length) => {
  const spoiled = spoil(some, { [kind]: 0.1 }, seededRandom(5));
  expect(Math.abs(spoiled.length - length)).toBeLessThan(kind === "flip" ? 1 : 40);
  expect(spoiled).not.toEqual(some);
});

test("a line without noise is the line", () => expect(spoil(some, {}, seededRandom(5))).toEqual(some));

test("over a bad line a report arrives at last, and every damage was counted", async () => {
  const clock = new VirtualClock();
  const node = SimulatedNode.start({ clock, random: seededRandom(1), definition: DEFINITION });
  const [near, far] = memoryLinks();
  node.attach(faultyLink(near, { flip: 0.01, drop: 0.005 }, seededRandom(3)));
  const hub = new ScriptedHub(far, clock, () => undefined);
  node.device(LIGHT).turn("Switch.on", true);
  for (let tries = 0; node.untold > 0 && tries < 200; tries++) {
    await clock.advance(500);
    for (const { seq } of hub.all("HELLO").slice(-1))
      await hub.say({ type: "HELLO_ACK", seq, info: { v: 1, hub: "02-50-4C-00-00-01" } });
    for (const { seq } of hub.all("REPORT").slice(-1)) await hub.say({ type: "ACK", seq });
  }
  expect([node.untold, hub.last("REPORT").value]).toEqual([0, true]);
  expect(node.damage.size).toBeGreaterThan(0);
});
