/** The hub reads by itself after a description and after a silent WRITE; what it could not read it reports to its host, which has it read again. */
import type { Message } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { HubAndNode, SWITCH } from "./hub-and-node.fixture.ts";
import { LAMP, type Script } from "./scripted-node.fixture.ts";

const unread = (both: HubAndNode) => both.host.story.filter((line) => line.startsWith("unread"));

/** A hub whose node answers each READ of the switch so. */
async function reading(answer: (message: Message) => Message | readonly Message[]): Promise<HubAndNode> {
  const both = new HubAndNode();
  const script: Script = (message) =>
    message.type === "READ" && message.property === "on" ? answer(message) : undefined;
  both.node.script = script;
  await both.clock.advance(5000);
  return both;
}

test("a property that does not answer after the description is reported as unread", async () => {
  await using both = await reading(() => []);
  expect(unread(both)).toEqual(["unread Switch.on"]);
});

test.each([
  ["is busy, as unread", 9, ["unread Switch.on"]],
  ["has a hardware failure, as unread", 10, ["unread Switch.on"]],
  ["cannot be read, as nothing: it would say so again", 6, []],
])("a property that %s", async (_, code, reported) => {
  await using both = await reading(({ seq }) => ({ type: "ERROR", seq, code, text: "" }));
  expect(unread(both)).toEqual(reported);
});

test("a read property is not reported", async () => {
  await using both = await reading(({ seq }) => ({ type: "VALUE", seq, value: true }));
  expect(unread(both)).toEqual([]);
});

test("a property that stays silent after a silent WRITE is reported as unread", async () => {
  await using both = await HubAndNode.live();
  both.node.script = ({ type }) => (type === "WRITE" || type === "READ" ? [] : undefined);
  expect(await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()))).toMatchObject({
    outcome: "unknown",
  });
  await both.clock.advance(2000);
  expect(unread(both)).toEqual(["unread Switch.on"]);
});
