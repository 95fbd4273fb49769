/** Delivery, on either store: at least once, in order, never lost while the log keeps it, in spite of all that the receiver and the nodes do. */
import { randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rounds } from "../../../test/parts/rounds.ts";
import { changeEvent } from "../history/history.fixture.ts";
import { insertEcosystem } from "../places/index.ts";
import { answered, DEV, ECO, SinkWorld } from "./sinks.fixture.ts";

let world: SinkWorld;
beforeEach(async () => {
  world = await SinkWorld.start();
});
afterEach(() => world[Symbol.asyncDispose]());

const SECOND = 1_000;
const pass = (ms: number) => world.clock.advance(ms);
const sizes = () => world.receiver.requests.map(({ lines }) => lines.length);
/** Many in one transaction. */
const changes = (count: number, from = 0) =>
  world.write(async (tx) => {
    for (let each = 0; each < count; each++)
      tx.append(changeEvent(from + each, world.clock.now(), "Sensor:0.celsius", DEV));
  });
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_none, each) => String(from + each));

describe("a sink", () => {
  it("gets each change as a line, gzipped, with its token", async () => {
    await world.changed(20.5);
    await world.changed(true, "Sensor:0.on");
    await world.write(async (tx) => tx.append({ type: "device.online", data: { id: DEV } }));
    await world.delivered();
    expect(world.receiver.values).toEqual(["20.5", "T"]);
    expect(world.receiver.requests).toHaveLength(1);
    expect(world.receiver.requests[0]?.headers).toMatchObject({
      ...{ authorization: "Token secret", "content-encoding": "gzip" },
    });
    expect(await world.row()).toMatchObject({ position: 3, proven: 1, status: 204, failing_since: null });
  });

  it("gets them by itself within seconds, and as one batch what came together", async () => {
    await pass(10 * SECOND);
    await changes(700);
    await world.clock.untilSo(() => world.receiver.kept.size >= 700);
    expect(sizes()).toEqual([700]);
  });

  it("gets a long log in batches of a thousand, in order", async () => {
    await changes(2_300);
    await world.delivered();
    expect(sizes()).toEqual([1_000, 1_000, 300]);
    expect(world.receiver.values).toEqual(numbers(2_300));
  });

  it("with other settings gets nothing of an attempt with the former ones counted as its own", async () => {
    await world.changed(1);
    world.receiver.before = async () => {
      await world.store.writeService((tx) =>
        tx.change(tx.build.updateTable("sinks").set({ revision: 2 }).where("ecosystem_id", "=", ECO)),
      );
    };
    await world.delivered();
    expect(await world.row()).toMatchObject({ position: 0, proven: 0 });
  });

  it("that is disabled gets nothing", async () => {
    await world.write(async (tx) => void (await tx.change(tx.build.updateTable("sinks").set({ enabled: 0 }))));
    await world.changed(1);
    await world.delivered();
    expect(sizes()).toEqual([]);
  });

  it("of an ecosystem that has gone gets nothing", async () => {
    await world.changed(1);
    await world.write(async (tx) => void (await tx.change(tx.build.updateTable("ecosystems").set({ gone_at: 1 }))));
    await world.delivered();
    expect(sizes()).toEqual([]);
  });

  it("reports events that were deleted before they were written, and continues after them", async () => {
    await changes(5);
    await world.store.writeService((tx) => tx.change(tx.build.deleteFrom("events").where("sequence", "<=", 3)));
    await world.delivered();
    expect(world.receiver.values).toEqual(["3", "4"]);
    expect(await world.row()).toMatchObject({ position: 5, lost_events: 3, lost_at: world.clock.now() });
  });

  it("whose token cannot be decrypted reports that, and nothing is sent without the token", async () => {
    await world.write(
      async (tx) => void (await tx.change(tx.build.updateTable("sinks").set({ token: "00000009.AAAA" }))),
    );
    await world.changed(1);
    await world.delivered();
    expect(sizes()).toEqual([]);
    expect((await world.row()).error).toBe("the stored token cannot be decrypted: set it again");
  });
});

describe("a receiver that fails", () => {
  it.each([500, 503, 401, 404, 302])("with %i is tried again later, and nothing is lost", async (status) => {
    world.receiver.answer = () => answered(status, undefined, "not now");
    await world.changed(1);
    await world.delivered();
    const began = world.clock.now();
    expect(await world.row()).toMatchObject({ position: 0, failing_since: began, status, attempts: 1 });
    expect((await world.row()).error).toMatch(new RegExp(`^the receiver answered ${status}: `));
    // Before its time nothing is sent.
    await world.delivered();
    expect(sizes()).toEqual([1]);
    world.receiver.answer = () => answered(204);
    await world.changed(2);
    await pass(6 * SECOND);
    await world.delivered();
    expect(world.receiver.values).toEqual(["1", "2"]);
    expect(await world.row()).toMatchObject({ failing_since: null, error: null, attempts: 0, retry_at: null });
  });

  it("is asked less and less often, and no less than every five minutes", async () => {
    world.receiver.answer = () => answered(500);
    await world.changed(1);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 10; attempt++) {
      await world.delivered();
      const wait = ((await world.row()).retry_at ?? 0) - world.clock.now();
      waits.push(Math.round(wait / SECOND));
      world.clock.jumpWall(wait);
    }
    expect(sizes()).toHaveLength(10);
    for (const [place, wait] of waits.entries()) {
      const plain = Math.min(300, 5 * 2 ** place);
      expect(wait).toBeGreaterThanOrEqual(Math.floor(plain * 0.9));
      expect(wait).toBeLessThanOrEqual(Math.ceil(plain * 1.1));
    }
  });

  it("with 429 gets no request for as long as it states, but for an hour at most", async () => {
    world.receiver.answer = () => answered(429, 40 * SECOND);
    await world.changed(1);
    await world.delivered();
    expect((await world.row()).retry_at).toBe(world.clock.now() + 40 * SECOND);
    world.clock.jumpWall(40 * SECOND);
    world.receiver.answer = () => answered(429, 86_400 * SECOND);
    await world.delivered();
    expect((await world.row()).retry_at).toBe(world.clock.now() + 3_600 * SECOND);
  });

  it("by silence is tried again, and keeps no other sink waiting", async () => {
    await world.store.write("eco_2", async (tx) => void (await insertEcosystem(tx, "acc_1", "eco_2", 0)));
    await world.sink("eco_2");
    await world.changed(1);
    const silent = Promise.withResolvers<void>();
    let [first, asked] = [true, 0];
    world.receiver.before = () => {
      asked += 1;
      const wait = first ? silent.promise : Promise.resolve();
      first = false;
      return wait;
    };
    const done = world.delivered();
    while (asked === 0) await pass(10);
    await world.store.write("eco_2", async (tx) => {
      tx.append(changeEvent(7, world.clock.now(), "Sensor:0.celsius", DEV));
    });
    await world.clock.untilSo(() => world.receiver.values.length > 0, 10 * SECOND);
    expect(world.receiver.values).toEqual(["7"]);
    world.receiver.answer = () => ({ kind: "failed", error: "no answer within 15 s" });
    silent.resolve();
    await done;
    expect(await world.row()).toMatchObject({ position: 0, status: null, error: "no answer within 15 s" });
  });
});

describe("a receiver that refuses", () => {
  const bad = (line: string) => /=(?:13|77) /.test(line);

  it("lines for their contents gets all others, and the rejected ones are counted and reported", async () => {
    world.receiver.answer = (lines) => (lines.some(bad) ? answered(400, undefined, "bad line") : answered(204));
    await changes(100);
    await world.delivered();
    expect(world.receiver.values).toEqual(numbers(100).filter((value) => value !== "13" && value !== "77"));
    expect(await world.row()).toMatchObject({
      ...{ position: 100, refused_lines: 2, refused_error: "the receiver answered 400: bad line", failing_since: null },
    });
    // Halving finds two lines of a hundred with few requests.
    expect(sizes().length).toBeLessThan(32);
  });

  it("lines that are too many together gets them in smaller parts", async () => {
    world.receiver.answer = (lines) => answered(lines.length > 300 ? 413 : 204);
    await changes(1_000);
    await world.delivered();
    expect(world.receiver.values).toEqual(numbers(1_000));
    expect(await world.row()).toMatchObject({ position: 1_000, refused_lines: 0, refused_error: null });
  });

  it("in the words of InfluxDB some of the lines has written the others, and is not sent them again", async () => {
    world.receiver.answer = () => answered(400, undefined, '{"error":"partial write: field type conflict dropped=3"}');
    await changes(100);
    await world.delivered();
    expect(sizes()).toEqual([100]);
    expect(await world.row()).toMatchObject({ position: 100, refused_lines: 3 });
  });

  it("everything under new settings is taken for one that is set wrong: nothing is passed over", async () => {
    world.receiver.answer = () => answered(400, undefined, "database is required");
    await changes(3);
    await world.delivered();
    expect(await world.row()).toMatchObject({ position: 0, refused_lines: 0, attempts: 1 });
    expect((await world.row()).error).toBe("the receiver answered 400: database is required");
  });

  it("the only line of a batch, when it has taken others before, is not sent it for ever", async () => {
    await world.changed(1);
    await world.delivered();
    world.receiver.answer = () => answered(400, undefined, "no");
    await world.changed(2);
    await world.delivered();
    expect(await world.row()).toMatchObject({ position: 2, refused_lines: 1, failing_since: null });
  });
});

describe("each change", () => {
  it("reaches the receiver at least once and in order, when nodes die between its answer and the position", async () => {
    const times = rounds(2, 40);
    for (let seed = 1; seed <= times; seed++) {
      await world[Symbol.asyncDispose]();
      world = await SinkWorld.start();
      const random = seededRandom(seed);
      await world.node();
      const orders: number[][] = [];
      world.receiver.answer = (lines) => {
        orders.push(lines.map((line) => Number(/celsius=(\d+)/.exec(line)?.[1])));
        return answered(randomInteger(random, 4) === 0 ? 500 : 204);
      };
      let count = 0;
      let repeated = 0;
      for (let round = 0; round < 8; round++) {
        const some = 1 + randomInteger(random, 1_500);
        await changes(some, count);
        count += some;
        // The process that is killed has its answer, and cannot store it.
        world.receiver.before = async () => {
          if (randomInteger(random, 3) === 0) await world.nodes.at(-1)?.store.kill();
        };
        await Promise.allSettled(world.nodes.map(({ sinks }) => sinks.catchUp()));
        world.receiver.before = () => Promise.resolve();
        await world.replaceLast();
        world.clock.jumpWall(400 * SECOND);
      }
      for (let turn = 0; turn < 30 && (await world.row()).position < count; turn++) {
        await world.delivered();
        world.clock.jumpWall(400 * SECOND);
      }
      expect(world.receiver.values.length, `seed ${seed}`).toBe(count);
      expect(
        [...world.receiver.values].sort((a, b) => Number(a) - Number(b)),
        `seed ${seed}`,
      ).toEqual(numbers(count));
      for (const order of orders) expect(order).toEqual([...order].sort((a, b) => a - b));
      repeated += orders.flat().length - count;
      expect(repeated, `seed ${seed}`).toBeGreaterThan(0);
    }
  });

  it("is sent by the node that is chosen, and by the next when that one is no more", async () => {
    const second = await world.node();
    world.first.chosen = true;
    second.chosen = false;
    await world.changed(1);
    await second.sinks.catchUp();
    expect(sizes()).toEqual([]);
    world.first.chosen = false;
    second.chosen = true;
    await world.first.sinks.catchUp();
    expect(sizes()).toEqual([]);
    await second.sinks.catchUp();
    expect(world.receiver.values).toEqual(["1"]);
  });

  it("that is under way when its node is not chosen any more is broken off", async () => {
    await world.changed(1);
    const asked = Promise.withResolvers<void>();
    world.receiver.before = (signal) => {
      asked.resolve();
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const done = world.delivered();
    await asked.promise;
    world.first.chosen = false;
    await pass(SECOND);
    await done;
    expect(await world.row()).toMatchObject({ position: 0, attempts: 0 });
  });
});
