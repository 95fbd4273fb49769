import { randomInteger, seededRandom, settle } from "@porchlight/shared/kernel";
import { decodeBody, encodeCbor, encodeFrame, encodeMessage, FrameReader, type Message } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { HubAndNode, LEVEL, SWITCH } from "./hub-and-node.fixture.ts";
import { LAMP } from "./scripted-node.fixture.ts";

/** Every message that a node or a hub may send, with numbers at random. */
function anyMessage(random: ReturnType<typeof seededRandom>): Message {
  const seq = randomInteger(random, 0x10000);
  const device = randomInteger(random, 4);
  const address = { device, service: "Switch", index: randomInteger(random, 3), property: "on" };
  const value = [true, 3, "x", null, [1], { a: 1 }][randomInteger(random, 6)] ?? null;
  const messages: Message[] = [
    { type: "DESCRIPTION", seq, device, part: 0, parts: randomInteger(random, 70), services: [value] },
    { type: "VALUE", seq, value },
    { type: "WRITTEN", seq, value },
    { type: "REPORT", seq, ...address, value },
    { type: "ACK", seq },
    { type: "PING", seq },
    { type: "PONG", seq },
    { type: "ERROR", seq, code: randomInteger(random, 20), text: "x" },
    { type: "CHANGED", seq, devices: [LAMP, null] },
    { type: "WRITE", seq, ...address, value },
    { type: "WHO", seq },
    { type: "HELLO", seq, info: { v: 1, id: LAMP, devices: [LAMP], boot: randomInteger(random, 3), max: 128, win: 8 } },
  ];
  return messages[randomInteger(random, messages.length)] ?? { type: "PING", seq };
}

test.each([1, 2, 3, 4])("the hub survives any bytes and serves the node afterwards (seed %i)", async (seed) => {
  const random = seededRandom(seed);
  await using both = await HubAndNode.live();
  for (let round = 0; round < 300; round++) {
    const frame = encodeFrame(encodeMessage(anyMessage(random)));
    const at = randomInteger(random, frame.length);
    switch (randomInteger(random, 4)) {
      case 0:
        both.node.raw(random.bytes(randomInteger(random, 200)));
        break;
      case 1:
        both.node.raw(frame.slice(0, at));
        break;
      case 2:
        both.node.raw(frame.map((byte, index) => (index === at ? byte ^ (1 << randomInteger(random, 8)) : byte)));
        break;
      default:
        both.node.raw(frame);
    }
    if (randomInteger(random, 5) === 0) void both.driver.write(LAMP, SWITCH, true, both.attempt(500));
    if (randomInteger(random, 20) === 0) await both.clock.advance(randomInteger(random, 700));
  }
  both.node.raw(Uint8Array.of(0xc0));
  await both.clock.advance(30_000);
  expect(both.driver.has(LAMP)).toBe(true);
  both.node.info = { ...both.node.info, boot: 99 };
  both.node.hello();
  await both.clock.advance(6000);
  expect(await both.clock.until(both.driver.read(LAMP, LEVEL, both.attempt()))).toEqual({ kind: "value", value: 40 });
});

test("a frame that comes byte by byte is a frame", async () => {
  await using both = await HubAndNode.live();
  for (const byte of [0xc0, 0x82, 0x0b, 0x07, 0x35, 0xbb, 0xc0]) {
    both.node.raw(Uint8Array.of(byte));
    await settle();
  }
  expect(both.node.got("PONG")).toEqual([{ type: "PONG", seq: 7 }]);
});

test("half a frame before a vanished line does not spoil the first frame of the next", async () => {
  await using both = await HubAndNode.live();
  both.node.raw(Uint8Array.of(0xc0, 0x82, 0x0b));
  await settle();
  both.node.detach();
  await both.clock.advance(250);
  expect(both.driver.has(LAMP)).toBe(true);
  expect(both.counters.badCrc).toBe(0);
});

test("each kind of damage is counted by its name and answered by nothing", async () => {
  await using both = await HubAndNode.live();
  const heard = both.node.heard.length;
  // A wrong checksum; a bad escape; fewer bytes than a checksum and a body; a PING with a zero behind it (its CRC stays good).
  both.node.raw(Uint8Array.of(0xc0, 0x82, 0x0b, 0x07, 0x35, 0xbc, 0xc0));
  both.node.raw(Uint8Array.of(0xc0, 0x82, 0xdb, 0x07, 0x35, 0xbb, 0xc0));
  both.node.raw(Uint8Array.of(0xc0, 0x35, 0xbb, 0xc0));
  both.node.raw(encodeFrame(Uint8Array.of(0x82, 0x0b, 0x07, 0x00)));
  both.node.raw(encodeFrame(Uint8Array.of(0x82, 0x0b, 0x5f)));
  both.node.raw(encodeFrame(Uint8Array.of(0xa0)));
  both.node.raw(encodeFrame(new Uint8Array(5000).fill(1)));
  await settle();
  const { badCrc, badEscape, tooShort, trailingBytes, badCbor, badMessage, tooLong } = both.counters;
  expect({ badCrc, badEscape, tooShort, trailingBytes, badCbor, badMessage, tooLong }).toEqual({
    badCrc: 1,
    badEscape: 1,
    tooShort: 1,
    trailingBytes: 1,
    badCbor: 1,
    badMessage: 1,
    tooLong: 1,
  });
  expect(both.node.heard).toHaveLength(heard);
});

test("a node that asks and asks and never reads does not eat the hub's memory", async () => {
  await using both = new HubAndNode(
    {},
    {
      connect: async () => ({
        listen: (onBytes) => {
          for (let at = 0; at < 5000; at++) onBytes(Uint8Array.of(0xc0, 0x82, 0x0b, 0x07, 0x35, 0xbb, 0xc0));
        },
        write: () => new Promise(() => undefined),
        close: () => undefined,
      }),
    },
  );
  await settle();
  expect(both.counters.notSent).toBeGreaterThan(4000);
});

test("a line on which bytes are stuck is opened anew when it is down, so that they never reach the hardware late", async () => {
  let closed = 0;
  let swallow: ((bytes: Uint8Array) => void) | undefined;
  await using stuck = new HubAndNode(
    {},
    {
      connect: async () => ({
        listen: (onBytes) => {
          swallow = onBytes;
        },
        write: () => new Promise(() => undefined),
        close: () => {
          closed += 1;
        },
      }),
    },
  );
  await settle();
  const info = { v: 1, id: LAMP, devices: [LAMP], boot: 3, max: 1024, win: 1 };
  swallow?.(encodeFrame(encodeMessage({ type: "HELLO", seq: 1, info })));
  await stuck.clock.advance(8000);
  expect(stuck.counters.downs).toBe(1);
  expect(closed).toBe(1);
});

test("a node that is turned away while a frame is leaving is notified, and the line stays open", async () => {
  let closed = 0;
  let swallow: ((bytes: Uint8Array) => void) | undefined;
  const sent: Uint8Array[] = [];
  await using slow: HubAndNode = new HubAndNode(
    {},
    {
      connect: async () => ({
        listen: (onBytes) => {
          swallow = onBytes;
        },
        write: (bytes) => {
          sent.push(bytes);
          return new Promise((resolve) => slow.clock.timer("bytes leave", 50, resolve));
        },
        close: () => {
          closed += 1;
        },
      }),
    },
  );
  await settle();
  const info = { v: 1, id: LAMP, devices: [LAMP], boot: 3, max: 1024, win: 1 };
  swallow?.(encodeFrame(encodeMessage({ type: "HELLO", seq: 1, info })));
  await slow.clock.advance(20);
  swallow?.(encodeFrame(encodeCbor([1, 2, { ...info, v: 2 }])));
  await slow.clock.advance(1000);
  expect(closed).toBe(0);
  const stated = new FrameReader(4095).push(Buffer.concat(sent)).flatMap((event) => {
    const body = event.kind === "frame" ? decodeBody(event.body) : undefined;
    return body?.kind === "message" ? [body.message] : [];
  });
  expect(stated).toContainEqual(expect.objectContaining({ type: "ERROR", seq: 2, code: 11 }));
});
