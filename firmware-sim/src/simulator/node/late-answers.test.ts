/** Devices that answer late with what was so before, and devices that forget what they have carried out: what a hub must bear (B7, B9). */
import type { Value } from "@porchlight/shared/model";
import type { Message } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { readFault } from "../fault-words.ts";
import { LIGHT, live } from "./test-node.fixture.ts";

const LEVEL = { device: 0, service: "LightLevel", index: 0, property: "level" };
const read = (seq: number): Message => ({ type: "READ", seq, ...LEVEL });
const write = (seq: number, value: Value): Message => ({ type: "WRITE", seq, ...LEVEL, value });

/** A live node whose light has the fault. */
async function broken(words: string) {
  const found = readFault(words);
  if (found.kind !== "ok" || found.fault.of !== "device") throw new Error(`${words} is no fault of a device`);
  const all = await live();
  all.node.fail(all.node.device(LIGHT), found.fault.fault);
  return all;
}

const kinds = (messages: readonly Message[]) =>
  messages.map((message) => (message.type === "ERROR" ? message.code : message.type));

test("stale: a VALUE is what the property was when the READ came, after a report of what it is by then", async () => {
  const { clock, hub, node } = await broken("stale 300");
  expect(await hub.say(read(1))).toEqual([]);
  node.device(LIGHT).turn("LightLevel.level", 70);
  await clock.advance(299);
  expect(hub.heard.map(({ message }) => message.type)).toEqual(["REPORT"]);
  await clock.advance(1);
  expect(hub.last("VALUE")).toEqual({ type: "VALUE", seq: 1, value: 40 });
});

test("stale: a WRITE is carried out at once, and its WRITTEN comes 250 ms later", async () => {
  const { clock, hub, node } = await broken("stale");
  await hub.say(write(1, 80));
  expect(node.device(LIGHT).read("LightLevel.level")).toBe(80);
  node.device(LIGHT).turn("LightLevel.level", 20);
  await clock.advance(250);
  expect(hub.heard.map(({ message }) => ("value" in message ? message.value : undefined))).toEqual([20, 80]);
  expect(node.device(LIGHT).writes).toHaveLength(1);
});

test("stale: it answers at once what waits when the fault ends, with what was so before", async () => {
  const { clock, hub, node } = await broken("stale 60000");
  await hub.say(read(1));
  node.device(LIGHT).turn("LightLevel.level", 70);
  node.fail(node.device(LIGHT), { mode: "none" });
  await clock.advance(0);
  expect(hub.all("VALUE")).toEqual([{ type: "VALUE", seq: 1, value: 40 }]);
  await clock.advance(60_000);
  expect(hub.all("VALUE")).toHaveLength(1);
});

test("forget: a WRITE is carried out without an answer, and its repetition finds the node at HELLO, which answers ERROR 9", async () => {
  const { hub, node } = await broken("forget 1");
  const { boot } = node;
  expect(await hub.say(write(1, 80))).toEqual([]);
  expect([node.state, node.device(LIGHT).fault.mode]).toEqual(["live", "none"]);
  hub.forget();
  expect(kinds(await hub.say(write(1, 80)))).toEqual([9]);
  expect(hub.heard.map(({ message }) => message.type)).toEqual(["HELLO", "ERROR"]);
  expect([node.state, node.boot]).toEqual(["greeting", boot]);
  await hub.acknowledge();
  expect(kinds(await hub.say(write(2, 80)))).toEqual(["WRITTEN"]);
  expect(node.device(LIGHT).writes).toHaveLength(2);
});

test("forget: an IDENTIFY too, and a READ is answered as ever", async () => {
  const { hub } = await broken("forget");
  const identify: Message = { type: "IDENTIFY", seq: 1, device: 0, seconds: 10 };
  expect(kinds(await hub.say(read(2)))).toEqual(["VALUE"]);
  expect(await hub.say(identify)).toEqual([]);
  expect(kinds(await hub.say(identify))).toEqual([9]);
});

test("forget: a node whose hub was silent for eight seconds is at HELLO by itself", async () => {
  const { clock, hub, node } = await broken("forget 1");
  await hub.say(write(1, 80));
  await clock.advance(9000);
  expect(node.state).toBe("greeting");
  expect(kinds(await hub.say(write(1, 80)))).toEqual([9]);
  expect(node.device(LIGHT).writes).toHaveLength(1);
});
