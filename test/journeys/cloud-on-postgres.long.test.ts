/** A cloud on PostgreSQL with writes under way: killed, or cut off from its database, it keeps every answered write. */
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { freshDatabase, type Postgres } from "../parts/postgres.ts";
import { comparedHistory } from "../parts/recorded-history.ts";
import { rounds } from "../parts/rounds.ts";
import { LAMP } from "../parts/simulator.ts";

/** Set side by side: different properties of a device do not wait for each other. */
const SELECTORS = ["LightColor.hue", "LightLevel.level"];

const stack = new AsyncDisposableStack();
let database: Postgres;
let home: Home;
beforeAll(async () => {
  database = stack.use(await freshDatabase());
  home = stack.use(await Home.start({ database: database.url }));
});
afterAll(() => stack.disposeAsync());

/** Asks the cloud's database past the cloud. */
async function ask(query: string): Promise<Record<string, unknown>[]> {
  const client = new Client(database.url);
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

/** Sequences of the home's event log. */
const sequences = async () =>
  (await ask("select sequence from events order by sequence")).map(({ sequence }) => Number(sequence));

describe("a cloud on PostgreSQL that is killed", () => {
  const times = rounds(2, 20);

  it(`keeps every confirmed command and a log without a gap and carries out nothing twice, over ${times} kills`, async () => {
    const confirmed = new Map<string, number>();
    let running = true;
    let up = Promise.resolve();
    let cutOff = 0;
    let value = 0;
    const write = async (selector: string) => {
      while (running) {
        value += 1;
        // A value of its own for each write, so that one carried out twice shows.
        const asked = value / 1000;
        const answer = await home.put(LAMP, selector, asked).catch(() => undefined);
        if (!answer) {
          cutOff += 1;
          await up;
        }
        const id = answer?.headers.get("x-command-id");
        if (answer?.status === 200 && id) confirmed.set(id, asked);
      }
    };
    const work = Promise.all(SELECTORS.map(write));
    for (let kill = 0; kill < times; kill++) {
      const before = confirmed.size;
      await eventually("writes are confirmed", async () => confirmed.size > before + 10);
      const again = Promise.withResolvers<void>();
      up = again.promise;
      await home.cloud.kill();
      await home.startCloud();
      again.resolve();
    }
    running = false;
    await work;
    await home.online();

    expect(cutOff).toBeGreaterThan(0);
    const applied = (await home.simulator.writes(LAMP)).map((one) => one.value);
    expect(new Set(applied).size).toBe(applied.length);
    for (const [id, asked] of confirmed) {
      expect(applied).toContain(asked);
      expect(await home.api.good("GET", `/api/commands/${id}`)).toMatchObject({ state: "confirmed", value: asked });
    }
    const log = await sequences();
    expect(log).toEqual(log.map((_, at) => at + 1));
    const { id } = await home.device(LAMP);
    for (const selector of SELECTORS) {
      const { recorded, logged, counted } = await comparedHistory(home.api, id, selector);
      expect(recorded).toEqual(logged);
      expect(counted).toBe(logged.length);
    }
    console.info(`${times} kills, ${cutOff} writes cut off, ${confirmed.size} confirmed, ${applied.length} applied`);
  });
});

describe("a cloud whose connections PostgreSQL ends", () => {
  const times = rounds(5, 50);

  it(`goes on with others, over ${times} times with writes under way`, async () => {
    let confirmed = 0;
    let hungUp = 0;
    let running = true;
    const write = async (selector: string) => {
      for (let value = 1; running && hungUp === 0; value = (value + 1) % 100) {
        const answer = await home.put(LAMP, selector, value).catch(() => undefined);
        if (!answer) hungUp += 1;
        else if (answer.status === 200) confirmed += 1;
      }
    };
    const work = Promise.all(SELECTORS.map(write));
    let ended = 0;
    for (let time = 0; time < times; time++) {
      const before = confirmed;
      await eventually("writes are confirmed", async () => hungUp > 0 || confirmed > before + 10);
      const others = "datname = current_database() and pid <> pg_backend_pid()";
      ended += (await ask(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)).length;
    }
    running = false;
    await work;

    expect(hungUp, home.cloud.stderr).toBe(0);
    expect(ended).toBeGreaterThanOrEqual(times);
    // A hub whose report could not be stored is sent away, and comes back with it.
    await eventually(
      "a write is confirmed",
      async () => (await home.put(LAMP, "LightColor.hue", 123)).body.value === 123,
    );
    const log = await sequences();
    expect(log).toEqual(log.map((_, at) => at + 1));
  });
});
