/** Two nodes that start at the same moment on a database without a sealed value. */
import { seededRandom } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Holding, type TwoNodes, twoNodes } from "../store/two-nodes.fixture.ts";
import { checkSealingKeys, KeyMismatch } from "./key-keeper.ts";
import { Keyring } from "./keyring.ts";

const random = seededRandom(3);
const keyring = (id: string) => new Keyring([{ id, key: random.bytes(32) }], random);
let nodes: TwoNodes;
beforeEach(async () => {
  nodes = await twoNodes();
});
afterEach(() => nodes[Symbol.asyncDispose]());

it("with keys of their own: one is refused, and the other starts again whenever it likes", async () => {
  const rings = [keyring("00000001"), keyring("00000002")] as const;
  await using holding = await Holding.of(nodes.location, "lock table sealing_keys in share row exclusive mode");
  const starts = [checkSealingKeys(nodes.one, rings[0]), checkSealingKeys(nodes.other, rings[1])];
  const settled = Promise.allSettled(starts);
  // Each has seen the empty table.
  await holding.waited(2);
  await holding.release();
  const refused = (await settled).map((each) => each.status === "rejected" && each.reason instanceof KeyMismatch);
  expect(refused.sort()).toEqual([false, true]);
  const again = await Promise.allSettled([
    checkSealingKeys(nodes.one, rings[0]),
    checkSealingKeys(nodes.other, rings[1]),
  ]);
  expect(again.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

it("with the same keys: both start", async () => {
  const ring = keyring("00000001");
  await Promise.all([checkSealingKeys(nodes.one, ring), checkSealingKeys(nodes.other, ring)]);
  const { service } = nodes.one;
  expect(await service.query(service.build.selectFrom("sealing_keys").select("id"))).toEqual([{ id: "00000001" }]);
});
