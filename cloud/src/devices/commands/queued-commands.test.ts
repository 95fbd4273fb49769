/** The end of a command that waits for its hub, judged by how it stands in the store, not by how it was found. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { Home } from "../devices.fixture.ts";
import { expire, takeFromQueue } from "./queued-commands.ts";

let home: Home;
beforeEach(async () => {
  home = await Home.open();
});
afterEach(() => home[Symbol.asyncDispose]());

/** A command that waits, as one node has read it. */
async function waiting() {
  const hub = await home.lampHub();
  hub.cut();
  await home.settle();
  const { commandId } = await home.devices.defer({
    ...(await home.scope()),
    selector: "LightColor.hue",
    value: 1,
    tokenId: "tok_1",
    ttlMs: 60_000,
    waitMs: 0,
  });
  const row = await home.command(commandId);
  if (!row) throw new Error("it is not stored");
  return row;
}

it("is not `expired` when another node has sent it since it was found, and no event reports it", async () => {
  const row = await waiting();
  const { store } = home.testNode;
  await store.write(row.ecosystem_id, (tx) => takeFromQueue(tx, row, row.expires_at - 1));
  await store.write(row.ecosystem_id, (tx) => expire(tx, row, row.expires_at));
  expect(await store.write(row.ecosystem_id, (tx) => takeFromQueue(tx, row, row.expires_at))).toBe(false);
  expect(await home.command(row.id)).toMatchObject({ state: "sent", outcome: null });
  expect(await home.events("command.completed")).toEqual([]);
});

it("is `expired` once, with one event, when two nodes find it", async () => {
  const row = await waiting();
  const { store } = home.testNode;
  await Promise.all([1, 2].map(() => store.write(row.ecosystem_id, (tx) => expire(tx, row, row.expires_at))));
  expect(await home.command(row.id)).toMatchObject({ state: "expired", outcome: "not_sent" });
  expect(await home.events("command.completed")).toHaveLength(1);
});
