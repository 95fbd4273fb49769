/** A node that stands still with several copies of one WRITE in its buffer, and then turns the first away (B7): never carried out twice, never called not applied. */
import { every } from "@porchlight/shared/kernel";
import type { Message, MessageOf } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { HubAndNode, SWITCH } from "./hub-and-node.fixture.ts";
import { LAMP } from "./scripted-node.fixture.ts";

const busy = ({ seq }: Message): Message => ({ type: "ERROR", seq, code: 9, text: "" });

/** A hub whose node has three copies of a WRITE in its buffer. */
async function standingStill() {
  const both = await HubAndNode.live();
  const copies: MessageOf<"WRITE">[] = [];
  both.node.script = (message) => {
    if (message.type !== "WRITE") return undefined;
    copies.push(message);
    return [];
  };
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt());
  await both.clock.advance(1100);
  expect(copies).toHaveLength(3);
  const [copy] = copies;
  if (!copy) throw new Error("no WRITE has come");
  return { both, result, copy };
}

/** Carries a WRITE out, once more each time, as a node does that has forgotten its ERROR 9. */
function carryOut(both: HubAndNode, { seq, value }: MessageOf<"WRITE">): void {
  both.node.values.set("Switch.on", value);
  both.node.say({ type: "WRITTEN", seq, value });
}

test("a node that forgets its ERROR 9 carries the second copy out, and is not asked again", async () => {
  const { both, result, copy } = await standingStill();
  await using _ = both;
  both.node.say(busy(copy));
  carryOut(both, copy);
  expect(await both.clock.until(result)).toEqual({ kind: "value", value: true });
  await both.clock.advance(5000);
  expect(both.node.got("WRITE")).toHaveLength(3);
});

test("a node that answers each copy with ERROR 9 is asked again under a new seq, at once after the last", async () => {
  const { both, result, copy } = await standingStill();
  await using _ = both;
  both.node.script = () => undefined;
  for (let each = 0; each < 3; each++) both.node.say(busy(copy));
  expect(await both.clock.until(result)).toEqual({ kind: "value", value: true });
  expect(both.node.got("WRITE").map(({ seq }) => seq - copy.seq)).toEqual([0, 0, 0, 1]);
  expect(both.clock.monotonic() - (both.node.times("WRITE")[2] ?? 0)).toBe(200);
});

test("a node that leaves copies unanswered and stays busy leaves the outcome unknown, and the property is read", async () => {
  const { both, result, copy } = await standingStill();
  await using _ = both;
  both.node.script = (message) => (message.type === "WRITE" ? busy(message) : undefined);
  both.node.say(busy(copy));
  expect(await both.clock.until(result)).toMatchObject({ kind: "failed", outcome: "unknown", code: 9 });
  await both.clock.advance(1000);
  expect(both.node.heard.at(-1)?.message).toMatchObject({ type: "READ", property: "on" });
});

test.each([3, 8])(
  "a node that leaves copies unanswered and then sends ERROR %i leaves the outcome unknown",
  async (code) => {
    const { both, result, copy } = await standingStill();
    await using _ = both;
    both.node.script = (message) =>
      message.type === "WRITE" ? { type: "ERROR", seq: message.seq, code, text: "" } : undefined;
    both.node.say(busy(copy));
    expect(await both.clock.until(result)).toMatchObject({ kind: "failed", outcome: "unknown", code });
  },
);

test("a repeated WRITE that is answered from memory is followed by a reading: the property may have changed since", async () => {
  await using both = await HubAndNode.live();
  let first: Message | undefined;
  both.node.script = (message) => {
    if (message.type !== "WRITE") return undefined;
    const known = first;
    first = { type: "WRITTEN", seq: message.seq, value: message.value };
    if (known) return known;
    both.node.values.set("Switch.on", message.value);
    return [];
  };
  const result = both.driver.write(LAMP, SWITCH, true, both.attempt());
  await both.clock.advance(100);
  both.node.values.set("Switch.on", false);
  both.node.report("Switch.on", false);
  expect(await both.clock.until(result)).toEqual({ kind: "value", value: true });
  await both.clock.advance(100);
  expect(both.host.story.at(-1)).toBe("learned Switch.on false");
});

test("a WRITE that is answered at its first try is not", async () => {
  await using both = await HubAndNode.live();
  await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()));
  await both.clock.advance(1000);
  expect(both.node.heard.at(-1)?.message.type).toBe("WRITE");
});

test("a request that is lost on a serial line on which reports keep coming is sent again within 2.5 s", async () => {
  const both = await HubAndNode.live({}, { baudRate: 115_200 });
  await using _ = both;
  let lost = 0;
  both.node.script = (message) => (message.type === "WRITE" && lost++ === 0 ? [] : undefined);
  const talk = every(both.clock, "reports of the node", 100, () => void both.node.report("Switch.on", false));
  expect(await both.clock.until(both.driver.write(LAMP, SWITCH, true, both.attempt()))).toEqual({
    kind: "value",
    value: true,
  });
  talk.cancel();
  const [first = 0, second = 0] = both.node.times("WRITE");
  expect(second - first).toBeLessThan(2500);
});
