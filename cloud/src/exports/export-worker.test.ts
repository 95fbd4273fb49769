import { IdMaker, NamedError, seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import { eraseExports } from "./export-worker.ts";
import {
  ACCOUNT,
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

let fresh: FreshLocation;
let clock: VirtualClock;
let store: Store;
let made: Made | undefined;
const random = seededRandom(1);
const open = () => Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, random) });
beforeEach(async () => {
  fresh = await freshLocation();
  clock = new VirtualClock();
  store = await open();
  await insertAccount(store);
});
afterEach(async () => {
  await made?.worker[Symbol.asyncDispose]();
  made = undefined;
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

const stateIs = (state: string) => until(clock, async () => (await exportRow(store))?.state === state);

describe("an export", () => {
  it("that has been started becomes an archive in chunks, and the account is notified once", async () => {
    await begin(store);
    made = workerOn(store, clock, () => noise(1_000_000));
    await stateIs("ready");
    const archive = await archiveIn(store);
    expect(await exportRow(store)).toMatchObject({ attempt: 1, bytes: archive.length, problem: null });
    expect(await countChunks(store)).toBeGreaterThan(3);
    expect(unzipped(archive).get("rows.ndjson")?.length).toBeGreaterThan(1_000_000);
    expect(made.emails.map(({ subject }) => subject)).toEqual(["Your data is ready to download"]);
  });

  it("goes on after the process has died in the middle, and nothing of the first attempt stays", async () => {
    await begin(store);
    const slow = () => noise(2_000_000, () => new Promise((resolve) => setImmediate(resolve)));
    made = workerOn(store, clock, slow);
    await until(clock, async () => (await countChunks(store)) > 1);
    await store.kill();
    await made.worker[Symbol.asyncDispose]();
    store = await open();
    expect(await exportRow(store)).toMatchObject({ state: "running", attempt: 1 });
    made = workerOn(store, clock, () => noise(500_000));
    await stateIs("ready");
    const row = await exportRow(store);
    expect(row?.attempt).toBe(2);
    expect(unzipped(await archiveIn(store)).get("rows.ndjson")?.length).toBeLessThan(1_000_000);
    await until(clock, async () => (await countChunks(store)) === Math.ceil((row?.bytes ?? 0) / (192 * 1024)));
  });

  it("stops with the service, and another process begins it anew", async () => {
    await begin(store);
    made = workerOn(store, clock, () => noise(Number.MAX_SAFE_INTEGER), { exportMegabytes: 10_000 });
    await until(clock, async () => (await countChunks(store)) > 0);
    await made.worker[Symbol.asyncDispose]();
    made = workerOn(store, clock, () => noise(1_000));
    await stateIs("ready");
  });

  it("that exceeds the limit fails with that reason, and leaves no chunk", async () => {
    await begin(store);
    made = workerOn(store, clock, () => noise(Number.MAX_SAFE_INTEGER), { exportMegabytes: 1 });
    await stateIs("failed");
    expect(await exportRow(store)).toMatchObject({ problem: "too_large" });
    await until(clock, async () => (await countChunks(store)) === 0);
    expect(made.emails).toEqual([
      { subject: "Your data could not be exported", text: expect.stringContaining("larger than the operator") },
    ]);
  });

  it("that cannot be made is tried again, ten times at most", async () => {
    await begin(store);
    let tries = 0;
    const failing = async function* () {
      tries += 1;
      yield { tries };
      throw new Error("no");
    };
    made = workerOn(store, clock, failing);
    await stateIs("failed");
    expect(tries).toBe(10);
    expect(await exportRow(store)).toMatchObject({ problem: "failed" });
    expect(made.emails).toHaveLength(1);
  });

  it("becomes ready also when no e-mail can be sent", async () => {
    await begin(store);
    const outbox = {
      notify: async () => {
        throw new NamedError("Service Unavailable", "Too many e-mails are waiting to be sent.");
      },
    };
    made = workerOn(store, clock, () => noise(1_000), { outbox });
    await stateIs("ready");
  });

  it("is removed with its chunks when its time is over", async () => {
    await begin(store);
    made = workerOn(store, clock, () => noise(1_000_000), { keepExportsDays: 2 });
    await stateIs("ready");
    await clock.advance(2 * 86_400_000 - 1_000_000);
    expect(await countChunks(store)).toBeGreaterThan(0);
    await clock.advance(2_000_000);
    await until(clock, async () => (await countChunks(store)) === 0);
    expect(await exportRow(store)).toBeUndefined();
  });

  it("takes the place of the one before, whose chunks are removed", async () => {
    await begin(store);
    made = workerOn(store, clock, () => noise(1_000_000));
    await stateIs("ready");
    const before = await countChunks(store);
    await begin(store, "exp_2");
    made.worker.wake();
    await stateIs("ready");
    expect(await exportRow(store)).toMatchObject({ id: "exp_2" });
    await until(clock, async () => (await countChunks(store)) === before);
  });

  it("of an account that is erased while it is made ends, and leaves nothing", async () => {
    await begin(store);
    made = workerOn(store, clock, () => noise(Number.MAX_SAFE_INTEGER), { exportMegabytes: 10_000 });
    await until(clock, async () => (await countChunks(store)) > 1);
    await eraseExports(store, ACCOUNT);
    await made.worker[Symbol.asyncDispose]();
    expect([await exportRow(store), await countChunks(store), made.emails]).toEqual([undefined, 0, []]);
  });
});
