/** The cloud's store over a PostgreSQL that is killed, stopped, cut off, full of others or read-only: the promises of every answer. */
import { type Outage, type Sql, Store } from "@porchlight/cloud/store/index.ts";
import { IdMaker, seededRandom, systemClock } from "@porchlight/shared/kernel";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { FaultProxy } from "../parts/fault-proxy.ts";
import { type PostgresServer, startPostgres } from "../parts/postgres-server.ts";

/** A read is given up after 5 s, and a write after 8 s and another try; a busy machine takes its time. */
const READ_MS = 20_000;
const WRITE_MS = 30_000;
const ECO = "eco_1";

let server: PostgresServer;
let proxy: FaultProxy;
beforeAll(async () => {
  server = await startPostgres({ durable: "processes" });
  proxy = await FaultProxy.start(() => server.socket, 1);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

let store: Store;
let outages: string[];
beforeEach(async () => {
  outages = [];
  const ids = new IdMaker(systemClock, seededRandom(1));
  const listener = {
    began: ({ work }: Outage) => outages.push(`${work} began`),
    ended: ({ work }: Outage) => outages.push(`${work} ended`),
  };
  const location = `postgres://porchlight@127.0.0.1:${proxy.port}/postgres`;
  store = await Store.open({ location, clock: systemClock, ids, outages: listener });
  await store.write(ECO, count);
  // A pool that has connections already is what an outage finds.
  await Promise.all(Array.from({ length: 4 }, () => read()));
});
afterEach(async () => {
  server.cont();
  proxy.heal();
  await store[Symbol.asyncDispose]();
});

/** Counts commits, in a row of its own. */
const count = async (tx: Sql) => {
  const { build } = tx;
  const row = { id: "count", account_id: "a", sealed: "", attempts: 1, next_at: 0, expires_at: 0, created_at: 0 };
  await tx.change(
    build
      .insertInto("letters")
      .values(row)
      .onConflict((at) => at.column("id").doUpdateSet((of) => ({ attempts: of("letters.attempts", "+", 1) }))),
  );
};
const read = async () =>
  (await store.service.query(store.service.build.selectFrom("letters").select("attempts")))[0]?.attempts ?? 0;
const write = () => store.write(ECO, count);

interface Answer {
  readonly error: unknown;
  readonly ms: number;
}
async function answerOf(work: Promise<unknown>): Promise<Answer> {
  const began = performance.now();
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return { error, ms: performance.now() - began };
}
const REFUSED = { name: "Service Unavailable", status: 503, retryAfter: 1 };

/** Every request is refused by name and in time; then the fault ends, and everything works without a restart. */
async function refusedUntil(mend: () => void | Promise<void>): Promise<void> {
  const before = outages.length;
  const reads = Array.from({ length: 12 }, () => answerOf(read()));
  const writes = Array.from({ length: 3 }, () => answerOf(write()));
  const behind = answerOf(new Promise((resolve) => setImmediate(resolve)).then(write));
  for (const { error, ms } of await Promise.all(reads)) {
    expect(error).toMatchObject(REFUSED);
    expect(ms).toBeLessThan(READ_MS);
  }
  for (const { error, ms } of await Promise.all([...writes, behind])) {
    expect(error).toMatchObject({ ...REFUSED, outcome: undefined });
    expect(ms).toBeLessThan(WRITE_MS);
  }
  expect(outages.slice(before).sort()).toEqual(["reads began", "writes began"]);
  expect(store.outage?.work).toBe("writes");
  await mend();
  await eventually("it writes again", async () => answerOf(write()).then(({ error }) => error === undefined));
  await eventually("it reads again", async () => answerOf(read()).then(({ error }) => error === undefined));
  expect(store.outage).toBeUndefined();
  expect(outages.slice(before).sort()).toEqual(["reads began", "reads ended", "writes began", "writes ended"]);
}

/** Asks the server past the store. */
async function besides(...statements: string[]): Promise<void> {
  const client = new Client(server.url);
  await client.connect();
  for (const text of statements) await client.query(text);
  await client.end();
}

describe("a PostgreSQL server", () => {
  it("that is killed is refused at once, and used again when it is back", async () => {
    await server.kill();
    await refusedUntil(() => server.restart());
  });

  it("that stands still is refused in time, and used again when it goes on", async () => {
    server.stop();
    await refusedUntil(() => server.cont());
  });

  it("without a response is refused in time, and used again when it responds", async () => {
    proxy.silence();
    await refusedUntil(() => proxy.restore());
  });

  it("that resets every connection is refused, and used again when it does not", async () => {
    proxy.cutOff();
    await refusedUntil(() => proxy.restore());
  });

  it("that only reads is read, and its changes are refused; readers leave it when one takes changes again", async () => {
    await besides("alter system set default_transaction_read_only = on", "select pg_reload_conf()");
    const refused = await eventually("changes are refused", async () => {
      const { error } = await answerOf(write());
      return error === undefined ? undefined : error;
    });
    expect(refused).toMatchObject({ ...REFUSED, outcome: undefined });
    const pids = () => besidesPids();
    const before = await pids();
    expect(await read()).toBeGreaterThan(0);
    expect(outages).toEqual(["writes began"]);
    await besides("set default_transaction_read_only = off", "alter system reset default_transaction_read_only");
    await besides("select pg_reload_conf()");
    await eventually("it writes again", async () => (await answerOf(write())).error === undefined);
    expect(outages).toEqual(["writes began", "writes ended"]);
    await read();
    await eventually("the old readers are gone", async () => (await pids()).every((pid) => !before.includes(pid)));
  });

  it("whose connections others have taken refuses, and is used again when they leave", async () => {
    await besides(
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
    );
    const others: Client[] = [];
    try {
      for (;;) {
        const other = new Client(server.url);
        other.on("error", () => undefined);
        const error = await other.connect().then(
          () => undefined,
          (failure: unknown) => failure,
        );
        if (error) break;
        others.push(other);
      }
      expect(others.length).toBeGreaterThan(50);
      const answers = await Promise.all([answerOf(write()), answerOf(read())]);
      for (const { error } of answers) expect(error).toMatchObject(REFUSED);
    } finally {
      for (const other of others) await other.end();
    }
    await eventually("it writes again", async () => (await answerOf(write())).error === undefined);
    await eventually("it reads again", async () => (await answerOf(read())).error === undefined);
  });
});

const besidesPids = async (): Promise<number[]> => {
  const client = new Client(server.url);
  await client.connect();
  const { rows } = await client.query(
    "select pid from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
  );
  await client.end();
  return rows.map(({ pid }) => pid);
};

describe("a commit", () => {
  it("that was sent and never answered is in doubt, and reported as such: it was made, and the caller is referred to the command", async () => {
    const before = await read();
    const sent = Promise.withResolvers<void>();
    const doubtful = answerOf(
      store.write(ECO, async (tx) => {
        await count(tx);
        // From here on the server receives everything, and its responses are lost.
        proxy.silence(["down"]);
        sent.resolve();
      }),
    );
    await sent.promise;
    const doubted: string[] = [];
    store.onDoubt((ecosystemId) => doubted.push(ecosystemId));
    const { error, ms } = await doubtful;
    expect(doubted).toEqual([ECO]);
    expect(error).toMatchObject({ ...REFUSED, outcome: "unknown" });
    expect(ms).toBeLessThan(WRITE_MS);
    proxy.heal();
    await eventually("it is there", async () => (await read()) === before + 1);
    // With the counter row in hand it is certain, and rows that were cached meanwhile must be read again.
    await write();
    expect(doubted).toEqual([ECO, ECO]);
  });

  it("that does not reach the server in time is not made, however late it comes, and is in no doubt when the server states so", async () => {
    const before = await read();
    const { error } = await answerOf(
      store.write(ECO, async (tx) => {
        await count(tx);
        proxy.hold("up");
      }),
    );
    expect(error).toMatchObject({ ...REFUSED, outcome: undefined });
    proxy.release("up");
    await write();
    expect(await read()).toBe(before + 1);
  });

  it("of a transaction of which a statement failed, and whose error was ignored, is refused", async () => {
    const before = await read();
    const { error } = await answerOf(
      store.write(ECO, async (tx) => {
        await count(tx);
        await tx.change(tx.build.insertInto("letters").values({} as never)).catch(() => undefined);
      }),
    );
    expect(error).toMatchObject(REFUSED);
    expect(await read()).toBe(before);
  });
});

describe("a node that stands still in a transaction", () => {
  it("loses it, with the counter row of its ecosystem, before other nodes give up waiting for that row", async () => {
    const began = Promise.withResolvers<void>();
    const wake = Promise.withResolvers<void>();
    const still = answerOf(
      store.write(ECO, async (tx) => {
        await count(tx);
        began.resolve();
        await wake.promise;
        await count(tx);
      }),
    );
    await began.promise;
    const before = await read();
    const other = await Store.open({
      location: server.url,
      clock: systemClock,
      ids: new IdMaker(systemClock, seededRandom(2)),
    });
    // It would give up on the row of the counter after 6.5 s.
    const { error } = await answerOf(other.write(ECO, count));
    expect(error).toBeUndefined();
    await other[Symbol.asyncDispose]();
    wake.resolve();
    expect((await still).error).toMatchObject({ ...REFUSED, outcome: undefined });
    expect(await read()).toBe(before + 1);
  });
});
