import { Duplex, PassThrough } from "node:stream";
import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { lineChannel, MAX_IPC_BYTES } from "./line-channel.ts";
import { answerByPipe } from "./permission-pipe.ts";

/** A pipe whose two directions a test has in its hands. */
function pipe() {
  const [incoming, outgoing] = [new PassThrough(), new PassThrough()];
  return { incoming, outgoing, pipe: Duplex.from({ readable: incoming, writable: outgoing }) };
}

function listening() {
  const heard: unknown[] = [];
  const ends: string[] = [];
  const { incoming, outgoing, pipe: both } = pipe();
  const channel = lineChannel(both);
  channel.listen({ received: (message) => void heard.push(message), closed: (why) => void ends.push(why) });
  return { heard, ends, incoming, outgoing, channel };
}

test("messages come whole and in order, however the pipe cuts them", async () => {
  const { heard, incoming } = listening();
  const text = `${JSON.stringify({ a: "\u00e9\u20ac" })}\n${JSON.stringify({ b: 2 })}\n`;
  for (const byte of Buffer.from(text)) incoming.write(Buffer.of(byte));
  incoming.write(`${JSON.stringify({ c: 3 })}\n${JSON.stringify({ d: 4 })}\n`);
  await settle();
  expect(heard).toEqual([{ a: "\u00e9\u20ac" }, { b: 2 }, { c: 3 }, { d: 4 }]);
});

test.for([
  ["what is no JSON", "hello\n", "it sent something that is not JSON"],
  ["a line without an end", "x".repeat(MAX_IPC_BYTES + 1), "a message is too large"],
] as const)("%s closes it, by name", async ([_, text, why]) => {
  const { heard, ends, incoming } = listening();
  incoming.write(text);
  await settle();
  expect([heard, ends]).toEqual([[], [why]]);
});

test("it is closed once, and says nothing after that", async () => {
  const { ends, incoming, channel } = listening();
  channel.close("enough");
  channel.close("again");
  incoming.end();
  channel.send({ late: true });
  await settle();
  expect(ends).toEqual(["enough"]);
});

test("an end of the pipe closes it", async () => {
  const { ends, incoming } = listening();
  incoming.end();
  await settle();
  expect(ends).toEqual(["it has gone"]);
});

test("what the other end does not read does not fill the memory", () => {
  const { ends, channel } = listening();
  for (let n = 0; n < 20; n++) channel.send({ text: "x".repeat(900_000) });
  expect(ends).toEqual(["it does not read"]);
  const other = listening();
  other.channel.send({ text: "x".repeat(MAX_IPC_BYTES) });
  expect(other.ends).toEqual(["a message is too large"]);
});

test("each question for permission is answered by one byte, also of several at once and in parts", async () => {
  const { incoming, outgoing, pipe: both } = pipe();
  const asked: number[] = [];
  answerByPipe(both, (attempt) => {
    asked.push(attempt);
    return attempt % 2 === 1;
  });
  incoming.write(Buffer.of(0, 0));
  incoming.write(Buffer.of(0, 1, 0, 0, 0, 2, 0xff, 0xff, 0xff));
  incoming.write(Buffer.of(0xff));
  await settle();
  expect([asked, outgoing.read()]).toEqual([[1, 2, 0xffffffff], Buffer.of(1, 0, 1)]);
});
