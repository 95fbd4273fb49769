/** The bus over a real NATS: what is told and asked arrives, nobody there is told from no answer, and it comes back by itself. */
import { silentLog } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bus, NatsBus, NoAnswer, NoResponder } from "../../cloud/src/bus/index.ts";
import { eventually } from "../parts/eventually.ts";
import { type Nats, startNats } from "../parts/nats-server.ts";

const stack = new AsyncDisposableStack();
let nats: Nats;
let one: Bus;
let other: Bus;
const connected = (bus: Bus) => eventually("it is connected", async () => (bus.connected ? true : undefined));
beforeAll(async () => {
  nats = stack.use(await startNats());
  one = stack.use(NatsBus.start(`nats://127.0.0.1:${nats.port}`, silentLog));
  other = stack.use(NatsBus.start(`nats://127.0.0.1:${nats.port}`, silentLog));
  await Promise.all([connected(one), connected(other)]);
});
afterAll(() => stack.disposeAsync());

/** Settles with the first that is heard under the subject, told again and again until then. */
async function heard(subject: string, told: string, message: unknown): Promise<unknown> {
  const heard: unknown[] = [];
  const stop = one.subscribe(subject, (given) => heard.push(given));
  try {
    await eventually("it is heard", async () => {
      other.publish(told, message);
      return heard.length > 0 ? true : undefined;
    });
  } finally {
    stop();
  }
  return heard[0];
}

test("what is told is heard by whoever listens, also under a star", async () => {
  expect(await heard("news.*", "news.eco_1", { version: 7 })).toEqual({ version: 7 });
});

test("a question is answered by whoever serves its subject", async () => {
  const stop = one.answer("node.a.ask", async (question) => ({ echo: question }));
  const answer = await eventually("it is served", () =>
    other.ask("node.a.ask", { id: 1 }, 2_000).catch((error: unknown) => {
      if (!(error instanceof NoResponder)) throw error;
      return undefined;
    }),
  );
  expect(answer).toEqual({ echo: { id: 1 } });
  stop();
});

test("where nobody serves, it is known at once that nobody has heard", async () => {
  await expect(other.ask("node.nobody.ask", {}, 30_000)).rejects.toBeInstanceOf(NoResponder);
});

test("an answer that does not come leaves open what was done", async () => {
  const asked: unknown[] = [];
  const stop = one.answer("node.b.ask", (question) => {
    asked.push(question);
    return new Promise(() => undefined);
  });
  await eventually("it is served", async () => {
    const failure = await other.ask("node.b.ask", {}, 100).catch((error: unknown) => error);
    return failure instanceof NoAnswer ? true : undefined;
  });
  expect(asked).toHaveLength(1);
  stop();
});

test("while there is no server nobody can be asked, and after it all goes on by itself", async () => {
  const changes: boolean[] = [];
  const stop = other.onChange((isConnected) => changes.push(isConnected));
  await nats.kill();
  await eventually("it is known", async () => (other.connected ? undefined : true));
  await expect(other.ask("node.a.ask", {}, 1_000)).rejects.toBeInstanceOf(NoResponder);
  await nats.restart();
  await Promise.all([connected(one), connected(other)]);
  expect(await heard("news.*", "news.eco_2", "again")).toBe("again");
  expect(changes).toEqual([false, true]);
  stop();
});
