/** The bus over a real NATS: messages and questions arrive, a question without a responder fails at once, and it comes back by itself. */
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

/** Settles with the first message that is received under the subject, published again and again until then. */
async function received(subject: string, publishedTo: string, message: unknown): Promise<unknown> {
  const messages: unknown[] = [];
  const stop = one.subscribe(subject, (given) => messages.push(given));
  try {
    await eventually("it is received", async () => {
      other.publish(publishedTo, message);
      return messages.length > 0 ? true : undefined;
    });
  } finally {
    stop();
  }
  return messages[0];
}

test("a published message is received by each subscriber, also under a star", async () => {
  expect(await received("news.*", "news.eco_1", { version: 7 })).toEqual({ version: 7 });
});

test("a question is answered by the node that serves its subject", async () => {
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

test("a question without a responder fails at once as not received", async () => {
  await expect(other.ask("node.nobody.ask", {}, 30_000)).rejects.toBeInstanceOf(NoResponder);
});

test("a question whose answer is lost has an unknown outcome", async () => {
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

test("without a server a question fails at once, and with one again the bus resumes by itself", async () => {
  const changes: boolean[] = [];
  const stop = other.onChange((isConnected) => changes.push(isConnected));
  await nats.kill();
  await eventually("it is known", async () => (other.connected ? undefined : true));
  await expect(other.ask("node.a.ask", {}, 1_000)).rejects.toBeInstanceOf(NoResponder);
  await nats.restart();
  await Promise.all([connected(one), connected(other)]);
  expect(await received("news.*", "news.eco_2", "again")).toBe("again");
  expect(changes).toEqual([false, true]);
  stop();
});
