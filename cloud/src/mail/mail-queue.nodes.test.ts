/** Several nodes and one outbox: each email is in the hands of one that lives. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdMaker, orAborted, seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Keyring, openKeyring } from "../access/index.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import { MailQueue, type MailTransport } from "./mail-queue.ts";
import { type EmailMessage, Outbox } from "./outbox.ts";

const random = seededRandom(1);
const HOUR = 3_600_000;

let fresh: FreshLocation;
let folder: string;
let clock: VirtualClock;
let keyring: Keyring;
let watcher: Store;
let nodes: Node[];
beforeEach(async () => {
  fresh = await freshLocation();
  folder = mkdtempSync(join(tmpdir(), "porchlight-mail-"));
  keyring = openKeyring(join(folder, "secret.key"), random);
  clock = new VirtualClock();
  watcher = await openStore(clock);
  nodes = [];
});
afterEach(async () => {
  for (const node of nodes) await node.end();
  await watcher[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

interface Node {
  readonly store: Store;
  readonly outbox: Outbox;
  end(): Promise<void>;
}

function openStore(its: VirtualClock): Promise<Store> {
  return Store.open({ ...fresh.opening, clock: its, ids: new IdMaker(its, random) });
}

async function start(name: string, transport: MailTransport, its = clock): Promise<Node> {
  const store = await openStore(its);
  const row = { id: name, lease: 1, lease_until: 0, started_at: 0 };
  await store.writeService((tx) => tx.change(tx.build.insertInto("nodes").values(row)));
  store.fenceBy({ nodeId: name, lease: 1 });
  const outbox = new Outbox({ keyring });
  const room = MailQueue.start({ store, clock: its, random, log: silentLog, keyring, outbox, transport });
  const end = async () => {
    await room[Symbol.asyncDispose]().catch(() => undefined);
    await store[Symbol.asyncDispose]();
  };
  const node = { store, outbox, end };
  nodes.push(node);
  return node;
}

/** As the others do it that have seen it make no move for a lease. */
const forget = (name: string) =>
  watcher.writeService((tx) => tx.change(tx.build.deleteFrom("nodes").where("id", "=", name)));
const message = { accountId: "acc_1", to: "a@example.com", subject: "Hello", text: "code: X\n", lifeMs: 24 * HOUR };
const post = ({ store, outbox }: Node) => store.writeService((tx) => outbox.post(tx, message));
const waiting = () => watcher.service.query(watcher.service.build.selectFrom("letters").selectAll());

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await settle(1);
}

const hanging = {
  send: (_: EmailMessage, signal: AbortSignal) => orAborted(new Promise<void>(() => undefined), signal),
};
function carrying() {
  const sent: string[] = [];
  return { sent, send: async ({ id }: EmailMessage) => void sent.push(id) };
}

it("an email is its claimer's while that lives, although another's clock is ahead, and another's when it has died", async () => {
  await post(await start("node_1", hanging));
  await until(async () => (await waiting())[0]?.claimed_by === "node_1");
  const ahead = new VirtualClock();
  ahead.jumpWall(5 * HOUR);
  const other = carrying();
  const two = await start("node_2", other, ahead);
  // It looks for what has waited longest first, and the other's has: by the time that this one is sent it has passed that over.
  await until(async () => (await waiting()).length === 1);
  const [claimed] = await waiting();
  await post(two);
  await until(async () => other.sent.length > 0);
  expect(other.sent).not.toContain(claimed?.id);
  await forget("node_1");
  await ahead.advance(15_000);
  await until(async () => (await waiting()).length === 0);
  expect(other.sent.at(-1)).toBe(claimed?.id);
});

it("an email goes out once, however many nodes look for it at one moment", async () => {
  const transport = carrying();
  for (const name of ["node_1", "node_2", "node_3"]) await start(name, transport);
  // No node's queue is notified.
  const outbox = new Outbox({ keyring });
  for (let count = 0; count < 24; count += 1) await watcher.writeService((tx) => outbox.post(tx, message));
  await until(async () => {
    await clock.advance(15_000);
    return (await waiting()).length === 0;
  });
  expect(transport.sent).toHaveLength(24);
  expect(new Set(transport.sent).size).toBe(24);
});

it("who was taken for dead and carries on does not put off what another has in hand", async () => {
  let fail: (error: Error) => void = () => undefined;
  const slow = {
    send: () =>
      new Promise<void>((_, reject) => {
        fail = reject;
      }),
  };
  const slept = await start("node_1", slow);
  await post(slept);
  await until(async () => (await waiting())[0]?.claimed_by === "node_1");
  await forget("node_1");
  await start("node_2", hanging);
  await until(async () => (await waiting())[0]?.claimed_by === "node_2");
  const [claimed] = await waiting();
  // It wakes, and has a new lease already when its transport gives up.
  slept.store.fenceBy(undefined);
  const { jobs } = slept.store.work;
  fail(new Error("down"));
  await until(async () => slept.store.work.jobs > jobs);
  expect(await waiting()).toEqual([claimed]);
});
