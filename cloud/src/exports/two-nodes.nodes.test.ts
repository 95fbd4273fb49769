/** Exports on two nodes over one PostgreSQL: made once, by whichever lives, and read on either. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TwoNodes, twoNodes } from "../store/two-nodes.fixture.ts";
import {
  archiveIn,
  begin,
  countChunks,
  exportRow,
  insertAccount,
  type Made,
  noise,
  until,
  workerOn,
} from "./worker.fixture.ts";
import { unzipped } from "./zip.fixture.ts";

let nodes: TwoNodes;
let made: Made[];
beforeEach(async () => {
  nodes = await twoNodes();
  made = [];
  await insertAccount(nodes.one);
});
afterEach(async () => {
  for (const { worker } of made) await worker[Symbol.asyncDispose]();
  await nodes[Symbol.asyncDispose]();
});

const start = (node: TwoNodes["one"], rows: () => AsyncIterable<object>) =>
  made.push(workerOn(node, nodes.clock, rows, { exportMegabytes: 10_000 }));
const ready = () => until(nodes.clock, async () => (await exportRow(nodes.other))?.state === "ready");

it("one of two nodes makes it, and both have the archive", async () => {
  await begin(nodes.one);
  for (const node of [nodes.one, nodes.other]) start(node, () => noise(1_000_000));
  await ready();
  expect(await exportRow(nodes.one)).toMatchObject({ attempt: 1 });
  expect(made.flatMap(({ emails }) => emails)).toHaveLength(1);
  const [here, there] = await Promise.all([archiveIn(nodes.one), archiveIn(nodes.other)]);
  expect(here.equals(there)).toBe(true);
  expect(unzipped(here).has("rows.ndjson")).toBe(true);
});

it("a node that dies in the middle is followed by the other, and what it writes later is refused", async () => {
  await begin(nodes.one);
  start(nodes.one, () => noise(Number.MAX_SAFE_INTEGER));
  await until(nodes.clock, async () => (await countChunks(nodes.other)) > 1);
  start(nodes.other, () => noise(300_000));
  // A living node's export is not taken.
  await nodes.clock.advance(60_000);
  expect(await exportRow(nodes.other)).toMatchObject({ state: "running", attempt: 1 });
  await nodes.other.writeService((tx) => tx.change(tx.build.deleteFrom("nodes").where("id", "=", "node_1")));
  await ready();
  const row = await exportRow(nodes.other);
  expect(row).toMatchObject({ attempt: 2 });
  expect(unzipped(await archiveIn(nodes.other)).get("rows.ndjson")?.length).toBeLessThan(1_000_000);
  await until(
    nodes.clock,
    async () => (await countChunks(nodes.other)) === Math.ceil((row?.bytes ?? 0) / (192 * 1024)),
  );
});

it("a node that was taken for dead, and has a lease again, does not add to what another makes", async () => {
  await begin(nodes.one);
  start(nodes.one, () => noise(Number.MAX_SAFE_INTEGER));
  await until(nodes.clock, async () => (await countChunks(nodes.other)) > 1);
  // The other has begun it anew, though the first writes on.
  await nodes.other.writeService((tx) =>
    tx.change(
      tx.build.updateTable("account_exports").set((of) => ({ attempt: of("attempt", "+", 1), node_id: "node_2" })),
    ),
  );
  const first = made[0];
  await first?.worker[Symbol.asyncDispose]();
  expect(await exportRow(nodes.other)).toMatchObject({ state: "running", attempt: 2, bytes: expect.any(Number) });
  expect(first?.emails).toEqual([]);
});
