import { IdMaker, isNamed, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import { type Claim, IdempotencyKeys } from "./idempotency-keys.ts";
import { found } from "./idempotency-rows.ts";
import { Keyring } from "./keyring.ts";

const DAY = 24 * 3_600_000;
const REQUEST = { hash: "hash", owner: "acc_1", fingerprint: "print" };
const random = seededRandom(3);
const keyring = new Keyring([{ id: "00000001", key: random.bytes(32) }], random);
let fresh: FreshLocation;
let clock: VirtualClock;
/** Two nodes on one store. */
let nodes: Node[];
interface Node {
  readonly store: Store;
  readonly keys: IdempotencyKeys;
}
beforeEach(async () => {
  fresh = await freshLocation();
  clock = new VirtualClock();
  nodes = [await node("node_a"), await node("node_b")];
});
afterEach(async () => {
  for (const { store, keys } of nodes) {
    await keys[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  }
  await fresh[Symbol.asyncDispose]();
});

async function node(id: string): Promise<Node> {
  const store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, random) });
  const row = { id, lease: 1, lease_until: clock.now() + 15_000, started_at: clock.now() };
  await store.writeService((tx) => tx.change(tx.build.insertInto("nodes").values(row)));
  store.fenceBy({ nodeId: id, lease: 1 });
  return { store, keys: IdempotencyKeys.start({ store, clock, random, log: silentLog, keyring }) };
}

/** A claim whose holder never lets go, as one that has died. */
function claim(at: number): Promise<Claim> {
  return new Promise((resolve, reject) => {
    nodes[at]?.keys
      .claimed(REQUEST, (made) => {
        resolve(made);
        return made.kind === "attempt" ? new Promise<void>(() => undefined) : Promise.resolve();
      })
      .catch(reject);
  });
}

function attemptOf(made: Claim) {
  if (made.kind !== "attempt") throw new Error(`the claim is ${made.kind}`);
  return made.attempt;
}

/** A write of a request that counts up. */
function countUp(at: number, made: Claim): Promise<number> {
  const store = nodes[at]?.store;
  if (!store) throw new Error("there is no such node");
  return attemptOf(made).remember(() =>
    store.write("eco_1", async (tx) => {
      tx.append({ type: "environment.created", data: {} });
      return 7;
    }),
  );
}

describe("what a key means that is there already", () => {
  const row = { created_at: 0, fingerprint: "print", state: "running" };
  it.each([
    [undefined, "print", 0, false, "new"],
    [row, "print", DAY - 1, true, "running"],
    [row, "print", DAY, true, "new"],
    [row, "other", 1, true, "reused"],
    [row, "other", DAY, true, "new"],
    [row, "print", 1, false, "resumed"],
    [{ ...row, state: "open" }, "print", 1, true, "resumed"],
    [{ ...row, state: "done" }, "print", 1, false, "answered"],
    [{ ...row, state: "done" }, "other", 1, false, "reused"],
  ] as const)("%j with %s at %d, its holder living: %s, is %s", (stored, fingerprint, now, isLiving, meaning) => {
    expect(found(stored, fingerprint, now, isLiving)).toBe(meaning);
  });
});

describe("a key whose holder", () => {
  it("lives on the same node is in use, for everybody", async () => {
    expect((await claim(0)).kind).toBe("attempt");
    expect((await claim(0)).kind).toBe("running");
  });

  it("has died is taken over with its effects, and its former holder commits nothing more", async () => {
    const first = await claim(0);
    expect(await countUp(0, first)).toBe(7);
    // On PostgreSQL another node has seen that its lease was not renewed; with SQLite there is no other living node.
    const { store } = nodes[1] ?? {};
    await store?.writeService((tx) => tx.change(tx.build.deleteFrom("nodes").where("id", "=", "node_a")));
    // What it still writes, it writes as another node.
    nodes[0]?.store.fenceBy(undefined);
    const second = await claim(1);
    expect(await countUp(1, second)).toBe(7);
    const late = attemptOf(first);
    const lateWrite = nodes[0]?.store.write("eco_1", async (tx) => {
      tx.append({ type: "environment.created", data: {} });
      await late.keepCommand(tx, "late", "cmd_1");
    });
    await expect(lateWrite).rejects.toSatisfy((error) => isNamed(error, "Idempotency Key In Use"));
    const { sql } = nodes[0]?.store.of("eco_1") ?? {};
    expect(await sql?.query(sql.build.selectFrom("events").select("sequence"))).toHaveLength(1);
  });

  it("has answered gives the answer, whichever node is asked", async () => {
    const answer = { status: 201, headers: { location: "/x" }, body: "{}" };
    await attemptOf(await claim(0)).finish(answer);
    expect(await claim(1)).toEqual({ kind: "answered", answer });
  });

  it("ended in vain keeps what was done when that counts, and nothing when it is void", async () => {
    const first = await claim(0);
    await countUp(0, first);
    await attemptOf(first).free("counts");
    const second = await claim(1);
    expect(await countUp(1, second)).toBe(7);
    await attemptOf(second).free("is void");
    const { sql } = nodes[1]?.store.of("eco_1") ?? {};
    expect(await sql?.query(sql.build.selectFrom("idempotency_steps").selectAll())).toEqual([]);
    expect(await sql?.query(sql.build.selectFrom("idempotency_keys").selectAll())).toEqual([]);
  });
});
