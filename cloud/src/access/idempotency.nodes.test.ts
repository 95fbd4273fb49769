/** One idempotency key that comes to two nodes at the same moment. */
import { seededRandom, silentLog } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Holding, type TwoNodes, twoNodes } from "../store/two-nodes.fixture.ts";
import { IdempotencyKeys } from "./idempotency-keys.ts";
import { dropKeys, insertNewKey, staleKeys, storeStep } from "./idempotency-rows.ts";
import { Keyring } from "./keyring.ts";

const DAY = 24 * 3_600_000;
const REQUEST = { hash: "hash", owner: "acc_1", fingerprint: "print" };
const random = seededRandom(3);
const keyring = new Keyring([{ id: "00000001", key: random.bytes(32) }], random);
let nodes: TwoNodes;
let keys: IdempotencyKeys[];
beforeEach(async () => {
  nodes = await twoNodes();
  const { clock } = nodes;
  keys = [nodes.one, nodes.other].map((store) =>
    IdempotencyKeys.start({ store, clock, random, log: silentLog, keyring }),
  );
});
afterEach(async () => {
  for (const each of keys) await each[Symbol.asyncDispose]();
  await nodes[Symbol.asyncDispose]();
});

const newRow = (node: string, claim: string, at: number) => ({ ...REQUEST, node, claim, at });

it("is carried out by one of them, and in use for the other", async () => {
  for (let round = 0; round < 20; round++) {
    const request = { ...REQUEST, hash: `hash ${round}` };
    let decided = 0;
    const both = Promise.withResolvers<void>();
    const kinds = await Promise.all(
      keys.map((each) =>
        each.claimed(request, async (claim) => {
          decided += 1;
          if (decided === 2) both.resolve();
          await both.promise;
          return claim.kind;
        }),
      ),
    );
    expect(kinds.sort()).toEqual(["attempt", "running"]);
  }
});

it("stays with a node whose row stands, however old its lease looks to another clock", async () => {
  await keys[0]?.claimed(REQUEST, async () => {
    nodes.clock.jumpWall(3_600_000);
    expect(await keys[1]?.claimed(REQUEST, async ({ kind }) => kind)).toBe("running");
  });
});

it("keeps what the first has done when the other finds the same day-old key a moment later", async () => {
  const { one, other, clock } = nodes;
  await one.writeService((tx) => insertNewKey(tx, newRow("node_1", "old", clock.now() - DAY), undefined));
  const stale = { hash: REQUEST.hash, claim: "old" };
  const first = newRow("node_1", "first", clock.now());
  expect(await one.writeService((tx) => insertNewKey(tx, first, stale))).toBe(true);
  await one.writeService((tx) => storeStep(tx, first, "0", "done"));
  // It has read the row before the first one was there.
  const second = newRow("node_2", "second", clock.now());
  expect(await other.writeService((tx) => insertNewKey(tx, second, stale))).toBe(false);
  const { service } = one;
  expect(await service.query(service.build.selectFrom("idempotency_steps").select("value"))).toEqual([
    { value: "done" },
  ]);
});

it("is not swept by one node when the other has just begun it anew", async () => {
  const { one, other, clock, location } = nodes;
  await one.writeService((tx) => insertNewKey(tx, newRow("node_1", "old", clock.now() - DAY), undefined));
  await using holding = await Holding.of(location, "delete from idempotency_keys");
  const swept = other.writeService(async (tx) => dropKeys(tx, await staleKeys(tx, clock.now(), undefined)));
  await holding.waited(1);
  const values = `('hash', 'acc_1', 'print', 'running', 'node_1', 'new', ${clock.now()})`;
  await holding.also(
    `insert into idempotency_keys (hash, owner, fingerprint, state, node_id, claim, created_at) values ${values}`,
    "insert into idempotency_steps (hash, step, value) values ('hash', '0', 'done')",
  );
  await holding.release();
  await swept;
  const { service } = one;
  expect(await service.query(service.build.selectFrom("idempotency_keys").select("claim"))).toEqual([{ claim: "new" }]);
  expect(await service.query(service.build.selectFrom("idempotency_steps").select("value"))).toHaveLength(1);
});
