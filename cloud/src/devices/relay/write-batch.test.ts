/** When the writes of a batch are asked for: together, and never waiting for one that does not come. */
import { settle } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { type Asked, type BatchMember, type NodeAsk, WriteBatch } from "./write-batch.ts";

const ask = (commandId: string): NodeAsk => ({ commandId, deviceId: "dev_1", selector: "Switch:0.on", value: true });

function world(size: number) {
  const sent: string[] = [];
  const together = (asked: readonly Asked<NodeAsk, unknown>[]) => {
    sent.push(asked.map((each) => each.ask.commandId).join("+"));
    for (const each of asked) each.resolve(each.ask.commandId);
  };
  const members = WriteBatch.of(size);
  const member = (at: number): BatchMember => members[at] ?? raise();
  return { sent, member, askNode: (at: number, node: string) => member(at).askNode(node, ask(`${at}`), together) };
}

function raise(): never {
  throw new Error("there is no such member");
}

it("they wait for each other to assemble, and then to ask", async () => {
  const { sent, member, askNode } = world(2);
  let isAssembled = false;
  void member(0)
    .assembled()
    .then(() => {
      isAssembled = true;
    });
  await settle();
  expect(isAssembled).toBe(false);
  await member(1).assembled();
  await settle();
  expect(isAssembled).toBe(true);
  const first = askNode(0, "a");
  await settle();
  expect(sent).toEqual([]);
  expect([await askNode(1, "a"), await first]).toEqual(["1", "0"]);
  expect(sent).toEqual(["0+1"]);
});

it("one that ends without asking, before or after the others have assembled, is waited for no more", async () => {
  const { sent, member, askNode } = world(3);
  member(0).leave();
  const assembled = member(1).assembled();
  await member(2).assembled();
  await assembled;
  const asked = askNode(1, "a");
  member(2).leave();
  member(2).leave();
  expect(await asked).toBe("1");
  expect(sent).toEqual(["1"]);
});

it("those that ask another node are asked for apart, at the same moment", async () => {
  const { sent, askNode } = world(3);
  await Promise.all([askNode(0, "a"), askNode(1, "b"), askNode(2, "a")]);
  expect(sent).toEqual(["0+2", "1"]);
});

it("a member that asks again, once all have asked, is by itself", async () => {
  const { sent, askNode } = world(2);
  await Promise.all([askNode(0, "a"), askNode(1, "a")]);
  expect(await askNode(1, "b")).toBe("1");
  expect(sent).toEqual(["0+1", "1"]);
});

it("what fails for all fails for each", async () => {
  const [one, other] = WriteBatch.of(2);
  const fail = (asked: readonly Asked<NodeAsk, unknown>[]) => {
    for (const each of asked) each.reject(new Error("the line is cut"));
  };
  const asks = [one, other].map((member) => member?.askNode("a", ask("1"), fail));
  for (const asked of asks) await expect(asked).rejects.toThrow("the line is cut");
});
