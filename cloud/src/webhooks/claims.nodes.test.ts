/** Several nodes and one set of webhooks: each is sent by one node at a time, and by another when that is no more. */
import { seededRandom, settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type SendingNode, SendingNodes } from "./nodes.fixture.ts";
import { answering, Receiver, taken } from "./receiver.fixture.ts";
import { SHARES } from "./shared-claims.ts";

let nodes: SendingNodes;
let receiver: Receiver;
beforeEach(async () => {
  nodes = await SendingNodes.start();
  receiver = await Receiver.start();
});
afterEach(async () => {
  await nodes[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** What came, by webhook and event. */
const came = () => receiver.received.map(({ path, id }) => `${path} ${id}`);
const url = (webhook: string) => new URL(`/${webhook}`, receiver.url).href;
const states = async () => (await nodes.deliveries()).map(({ attempt, state }) => `${attempt} ${state}`);
const isEven = async (parts: readonly number[]) =>
  JSON.stringify(Object.values(await nodes.shares()).sort()) === JSON.stringify([...parts].sort());

it("two nodes share the webhooks evenly, a third gets its part, and one that drains gives all back at once", async () => {
  await nodes.join();
  await nodes.until(() => isEven([SHARES]));
  await nodes.join();
  await nodes.until(() => isEven([128, 128]));
  const third = await nodes.join();
  await nodes.until(() => isEven([86, 85, 85]));
  await third.dispatcher.drain();
  expect(await nodes.shares()).toMatchObject({ "": expect.any(Number) });
  // Its lease still stands, and no node waits for it.
  nodes.living.pop();
  await nodes.until(() => isEven([128, 128]));
  await third.end();
});

it("each event is sent to each webhook once, by any node", async () => {
  for (let count = 0; count < 3; count += 1) await nodes.join();
  const webhooks = Array.from({ length: 12 }, (_, at) => `whk_${at}`);
  for (const id of webhooks) await nodes.webhook(id, url(id));
  await nodes.until(() => isEven([86, 85, 85]));
  for (let count = 0; count < 5; count += 1) await nodes.happen("zon_1");
  await nodes.until(async () => (await states()).length === 60);
  expect(new Set(came()).size).toBe(60);
  expect(receiver.received).toHaveLength(60);
  expect(new Set(await states())).toEqual(new Set(["1 succeeded"]));
});

it("a webhook is another node's when its own has died, which goes on where that was", async () => {
  receiver.answer(answering(500));
  const one = await nodes.join();
  await nodes.webhook("whk_1", url("whk_1"));
  await nodes.until(() => isEven([SHARES]));
  await nodes.happen("zon_1");
  await nodes.until(async () => (await states())[0] === "2 pending");
  const other = await nodes.join();
  nodes.living.splice(0);
  await one.kill();
  // Its row stands: for all that anybody knows it lives, with at least its part.
  nodes.living.push(other);
  for (let count = 0; count < 5; count += 1) await other.second();
  receiver.answer(taken);
  nodes.living.push(one);
  await nodes.forget(one);
  const before = receiver.received.length;
  await nodes.until(async () => (await states())[0] === "3 succeeded");
  expect(await nodes.shares()).toEqual({ [other.name]: SHARES });
  expect(receiver.received).toHaveLength(before + 1);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
});

it("a node that was declared dead stores nothing of its earlier deliveries, under any later name", async () => {
  let answer: () => void = () => undefined;
  receiver.answer((received, response) => {
    answer = () => taken(received, response);
  });
  const slept = await nodes.join();
  await nodes.webhook("whk_1", url("whk_1"));
  await nodes.until(() => isEven([SHARES]));
  await nodes.happen("zon_1");
  await slept.second();
  await receiver.until((received) => received.length === 1);
  // It sleeps from here on: a look that is under way would find out what has become of it.
  await slept.claims.looking;
  await nodes.forget(slept);
  receiver.answer(answering(503, { "retry-after": "86400" }));
  await nodes.join();
  await nodes.until(async () => (await states())[0] === "1 pending");
  const [stored] = await nodes.deliveries();
  const [failing] = await nodes.webhooks();
  // It wakes, and finds that what it sent was taken. It cannot store that, and tries again under a new lease.
  answer();
  while (!slept.hasFailedToStore) await settle();
  expect(slept.dispatcher.attempts.get("succeeded")).toBe(1);
  await nodes.relet(slept.store, "node_again");
  for (let count = 0; count < 3; count += 1) await slept.second();
  await slept.dispatcher.drain();
  expect(await nodes.deliveries()).toEqual([stored]);
  expect(await nodes.webhooks()).toEqual([failing]);
  await slept.end();
});

it("a node begins nothing while it does not know whether it lives", async () => {
  const one = await nodes.join();
  await nodes.webhook("whk_1", url("whk_1"));
  await nodes.until(() => isEven([SHARES]));
  one.isAlive = false;
  expect(one.claims.holds("whk_1")).toBe(false);
  await nodes.happen("zon_1");
  for (let count = 0; count < 5; count += 1) await one.second();
  await settle(50);
  expect(receiver.received).toEqual([]);
});

it("what a node is giving away is first sent and stored, and only then another's", async () => {
  const answers: (() => void)[] = [];
  receiver.answer((received, response) => void answers.push(() => taken(received, response)));
  await nodes.join();
  const webhooks = Array.from({ length: 8 }, (_, at) => `whk_${at}`);
  for (const id of webhooks) await nodes.webhook(id, url(id));
  await nodes.until(() => isEven([SHARES]));
  await nodes.happen("zon_1");
  await nodes.living[0]?.second();
  await receiver.until((received) => received.length === 8);
  const giver = nodes.living[0];
  const second = await nodes.join();
  const { name } = second;
  while (second.claims.holder !== name) await second.second();
  // By the giver's clock nothing is given up: it looks once. The other then has what nothing is under way of.
  await giver?.second();
  while (((await nodes.shares())[name] ?? 0) < 128 - webhooks.length) await second.second();
  for (let count = 0; count < 5; count += 1) {
    await second.second();
    await settle(50);
  }
  expect(receiver.received).toHaveLength(8);
  for (const answer of answers.splice(0)) answer();
  await nodes.until(() => isEven([128, 128]));
  await nodes.until(async () => (await states()).length === 8);
  expect(receiver.received).toHaveLength(8);
});

it("what is asked for on one node is done by the node whose webhook it is, within its next second", async () => {
  const [one, two] = [await nodes.join(), await nodes.join()];
  for (const id of ["whk_0", "whk_1", "whk_2", "whk_3"]) await nodes.webhook(id, url(id));
  await nodes.until(() => isEven([128, 128]));
  const isOnes = ["whk_0", "whk_1", "whk_2", "whk_3"].filter((id) => one.claims.holds(id));
  const asker = isOnes.includes("whk_0") ? two : one;
  const event = { event_id: "evt_1", type: "webhook.test", cursor: null, sequence: 1, body: "{}" };
  const none = { attempted_at: null, duration_ms: null, response_status: null, error: null, response: null };
  const state = { attempt: 0, state: "pending", created_at: 0, next_attempt_at: 0 };
  await asker.store.write("eco_1", async (tx) => {
    const row = { ecosystem_id: "eco_1", id: "dlv_1", webhook_id: "whk_0", ...event, ...none, ...state };
    await tx.change(tx.build.insertInto("deliveries").values(row));
    await asker.dispatcher.changed(tx, "eco_1", "whk_0");
  });
  await nodes.until(async () => (await states())[0] === "1 succeeded");
  expect(came()).toEqual(["/whk_0 evt_1"]);
  // No receiver is called twice.
  const left = () => one.store.service.query(one.store.service.build.selectFrom("webhook_calls").selectAll());
  await nodes.until(async () => (await left()).length === 0);
});

it.for([1, 2, 3])(
  "while nodes come and die, nothing is forgotten and no two living nodes send one thing: seed %i",
  async (seed) => {
    const random = seededRandom(seed);
    const pick = (count: number) => Math.floor(random.fraction() * count);
    const open = new Map<string, number>();
    const failed = new Set<string>();
    let most = 0;
    receiver.answer((received, response) => {
      const key = `${received.path} ${received.id}`;
      open.set(key, (open.get(key) ?? 0) + 1);
      most = Math.max(most, open.get(key) ?? 0);
      const isGood = failed.has(key) || random.fraction() < 0.8;
      if (!isGood) failed.add(key);
      setImmediate(() => {
        open.set(key, (open.get(key) ?? 0) - 1);
        (isGood ? taken : answering(500))(received, response);
      });
    });
    const webhooks = Array.from({ length: 6 }, (_, at) => `whk_${at}`);
    for (const id of webhooks) await nodes.webhook(id, url(id));
    const mayRepeat = new Set<string>();
    let events = 0;
    await nodes.join();
    for (let step = 0; step < 30; step += 1) {
      const what = random.fraction();
      const victim: SendingNode | undefined = nodes.living[pick(nodes.living.length)];
      if (what < 0.2 && nodes.living.length < 4) await nodes.join();
      else if (what < 0.35 && victim && nodes.living.length > 1) {
        await victim.kill();
        // What had come and was not stored may come once more.
        const stored = new Map(
          (await nodes.deliveries()).map((row) => [`/${row.webhook_id} ${row.event_id}`, row.attempt]),
        );
        for (const [key, times] of Map.groupBy(came(), (each) => each))
          if (times.length > (stored.get(key) ?? 0)) mayRepeat.add(key);
        await nodes.forget(victim);
      } else {
        await nodes.happen(`zon_${pick(3)}`);
        events += 1;
      }
      await nodes.second();
    }
    await nodes.until(
      async () => (await states()).filter((state) => state.endsWith("succeeded")).length === events * 6,
    );
    expect(most).toBe(1);
    const attempts = new Map(
      (await nodes.deliveries()).map((row) => [`/${row.webhook_id} ${row.event_id}`, row.attempt]),
    );
    for (const [key, times] of Map.groupBy(came(), (each) => each))
      if (!mayRepeat.has(key)) expect(times.length, key).toBe(attempts.get(key));
  },
);
