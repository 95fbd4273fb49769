/** A node that has lost its hub says HELLO, and has forgotten what it carried out (R5): S5, B7 and B2 keep a WRITE from being carried out twice. */
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { memoryLinkPair } from "@porchlight/driver-kit/links/memory-link.fixture.ts";
import { settle, VirtualClock } from "@porchlight/shared/kernel";
import type { ByteLink, Message, MessageOf } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { ACTIVE, HubAndNode, SWITCH } from "./hub-and-node.fixture.ts";
import { LAMP } from "./scripted-node.fixture.ts";
import { StandingProcess } from "./standing-hub.fixture.ts";

const busy = ({ seq }: Message): Message => ({ type: "ERROR", seq, code: 9, text: "" });

/** A node that carries out WRITEs and IDENTIFYs while it is live, and loses the first of its answers. */
function forgetful(both: HubAndNode) {
  const acted: (MessageOf<"WRITE"> | MessageOf<"IDENTIFY">)[] = [];
  const answers = new Map<number, Message>();
  let isLive = true;
  let isLost = false;
  both.node.script = (message) => {
    if (message.type === "HELLO_ACK") isLive = true;
    if (message.type !== "WRITE" && message.type !== "IDENTIFY") return undefined;
    const known = answers.get(message.seq);
    if (known) return known;
    if (!isLive) return busy(message);
    acted.push(message);
    const { seq } = message;
    const answer: Message =
      message.type === "WRITE" ? { type: "WRITTEN", seq, value: message.value } : { type: "ACK", seq };
    answers.set(seq, answer);
    if (message.type === "WRITE") both.node.values.set("Switch.on", message.value);
    if (isLost) return answer;
    isLost = true;
    return [];
  };
  const hello = () => {
    isLive = false;
    answers.clear();
    both.node.hello();
  };
  return { acted, hello };
}

/** A hub that can stand still, with a live node. */
async function standing(line: (link: ByteLink) => ByteLink = (link) => link) {
  const clock = new VirtualClock();
  const process = new StandingProcess(clock);
  const connect = async () => {
    const [hub, node] = memoryLinkPair();
    await settle();
    both.node.attach(node);
    return line(process.link(hub));
  };
  const both: HubAndNode = new HubAndNode({}, { clock: process, connect }, { clock, host: new FakeHost() });
  await clock.advance(0);
  return { both, process };
}

test.each([
  ["a WRITE", SWITCH],
  ["an IDENTIFY", ACTIVE],
])(
  "%s whose answer was lost before the hub stood still is carried out once, and its outcome is unknown",
  async (_, address) => {
    const { both, process } = await standing();
    await using _both = both;
    const { acted, hello } = forgetful(both);
    const result = both.driver.write(LAMP, address, true, both.attempt(60_000));
    await both.clock.advance(100);
    process.stop();
    await both.clock.advance(9000);
    hello();
    await settle();
    process.goOn();
    expect(await both.clock.until(result)).toMatchObject({ kind: "failed", outcome: "unknown" });
    await both.clock.advance(5000);
    expect(acted).toHaveLength(1);
    if (address === SWITCH) expect(both.host.story.at(-1)).toBe("learned Switch.on true");
  },
);

test("the answer that waits unread while the hub stands still completes the WRITE: no second copy leaves", async () => {
  const { both, process } = await standing();
  await using _ = both;
  both.node.script = (message) => (message.type === "WRITE" ? [] : undefined);
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt(60_000));
  await both.clock.advance(100);
  process.stop();
  await both.clock.advance(9000);
  const [write] = both.node.got("WRITE");
  both.node.say({ type: "WRITTEN", seq: write?.seq ?? 0, value: true });
  await settle();
  process.goOn();
  expect(await both.clock.until(result)).toEqual({ kind: "value", value: true });
  expect(both.node.got("WRITE")).toHaveLength(1);
});

test("a PONG that waits unread while the hub stands still keeps the line up", async () => {
  const { both, process } = await standing();
  await using _ = both;
  both.node.script = ({ type }) => (type === "PING" ? [] : undefined);
  await both.clock.advance(7500);
  process.stop();
  await both.clock.advance(2000);
  const ping = both.node.got("PING").at(-1);
  both.node.say({ type: "PONG", seq: ping?.seq ?? 0 });
  await both.clock.advance(5000);
  both.node.script = () => undefined;
  process.goOn();
  await both.clock.advance(10_000);
  expect(both.counters.downs).toBe(0);
});

test("ERROR 9 to a copy that left before the HELLO was read does not have the WRITE sent again under a new seq", async () => {
  await using both = await HubAndNode.live();
  const { acted, hello } = forgetful(both);
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt(60_000));
  await both.clock.advance(499);
  // The HELLO and the second copy pass each other on the line.
  const answers = both.node.script;
  const crossed: Message[] = [];
  both.node.script = (message, node) => {
    if (message.type !== "WRITE") return answers(message, node);
    crossed.push(busy(message));
    return [];
  };
  await both.clock.advance(1);
  both.node.script = answers;
  hello();
  for (const error of crossed) both.node.say(error);
  expect(crossed).toHaveLength(1);
  expect(await both.clock.until(result)).toMatchObject({ kind: "failed", outcome: "unknown", code: 9 });
  await both.clock.advance(5000);
  expect(acted).toHaveLength(1);
  expect(new Set(both.node.got("WRITE").map(({ seq }) => seq)).size).toBe(1);
  expect(both.host.story.at(-1)).toBe("learned Switch.on true");
});

test("a HELLO that comes in the pause after ERROR 9, while a copy is unanswered, ends the request as unknown", async () => {
  await using both = await HubAndNode.live();
  both.node.script = (message) => (message.type === "WRITE" ? [] : undefined);
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt(60_000));
  await both.clock.advance(500);
  const [first] = both.node.got("WRITE");
  if (first) both.node.say(busy(first));
  await both.clock.advance(550);
  both.node.hello();
  expect(await both.clock.until(result)).toMatchObject({ kind: "failed", outcome: "unknown", code: 9 });
  expect(both.node.got("WRITE").map(({ seq }) => seq)).toEqual([first?.seq, first?.seq]);
});

test("a second copy that waits for the line while the hub stands still leaves only after the HELLO is read: not at all", async () => {
  let gate = Promise.resolve();
  const { both, process } = await standing((link) => ({
    ...link,
    write: (bytes) => link.write(bytes).then(() => gate),
  }));
  await using _ = both;
  const { acted, hello } = forgetful(both);
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt(60_000));
  await both.clock.advance(400);
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  both.node.say({ type: "PING", seq: 900 });
  await both.clock.advance(1200);
  process.stop();
  await both.clock.advance(9000);
  hello();
  await settle();
  resolve();
  await settle();
  process.goOn();
  expect(await both.clock.until(result)).toMatchObject({ kind: "failed", outcome: "unknown" });
  expect(acted).toHaveLength(1);
  expect(both.node.got("WRITE")).toHaveLength(1);
});

test("ERROR 9 to the only copy of a WRITE has it sent again, also after a HELLO: it was not carried out", async () => {
  await using both = await HubAndNode.live();
  const held: Message[] = [];
  both.node.script = (message) => {
    if (message.type !== "WRITE") return undefined;
    held.push(busy(message));
    return [];
  };
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt(60_000));
  await both.clock.advance(100);
  both.node.hello();
  await settle();
  both.node.script = () => undefined;
  for (const error of held) both.node.say(error);
  expect(await both.clock.until(result)).toEqual({ kind: "value", value: true });
  expect(both.node.got("WRITE")).toHaveLength(2);
});

test("a WRITE of which no copy had left before a HELLO is sent, and sent again, as any other", async () => {
  await using both = await HubAndNode.live();
  let reads = 0;
  let writes = 0;
  both.node.script = ({ type }) => {
    if (type === "READ") return reads++ === 0 ? [] : undefined;
    return type === "WRITE" && writes++ === 0 ? [] : undefined;
  };
  void both.driver.read(LAMP, SWITCH, both.attempt());
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt(60_000));
  await settle();
  both.node.hello();
  expect(await both.clock.until(result)).toEqual({ kind: "value", value: true });
  expect(both.node.got("WRITE")).toHaveLength(2);
});
