/** A hub's requests count up by one (M2), no matter what becomes of those that were never sent. */
import { memoryLinkPair } from "@porchlight/driver-kit/links/memory-link.fixture.ts";
import { settle } from "@porchlight/shared/kernel";
import { type ByteLink, isRequest, type MessageName, mayCome } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { HubAndNode, LEVEL, SWITCH } from "../hub-and-node.fixture.ts";
import { type ScriptedNode, silentTo } from "../scripted-node.fixture.ts";
import { Seqs } from "./seqs.ts";

/** By how much each request of the hub counts up from the one before it, repetitions left out. */
function steps(node: ScriptedNode): number[] {
  const isOwn = (type: MessageName) => isRequest(type) && mayCome(type, "hub");
  const seqs = [...new Set(node.heard.flatMap(({ message }) => (isOwn(message.type) ? [message.seq] : [])))];
  return seqs.slice(1).map((seq, at) => (seq - (seqs[at] ?? 0) + 0x10000) % 0x10000);
}

const onlyOnes = (node: ScriptedNode) => {
  expect(steps(node).length).toBeGreaterThan(0);
  return expect(new Set(steps(node))).toEqual(new Set([1]));
};

/** A hub whose line lets go of nothing while it is held: its bytes arrive, and count as sent, only when it is released. */
function onSlowLine() {
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const connect = async () => {
    const [hub, node] = memoryLinkPair();
    await settle();
    both.node.attach(node);
    const write = async (bytes: Uint8Array) => {
      await hub.write(bytes);
      await gate.promise;
    };
    return { ...bound(hub), write };
  };
  const both: HubAndNode = new HubAndNode({}, { connect });
  const hold = () => {
    gate = Promise.withResolvers<void>();
  };
  return { both, hold, release: () => gate.resolve() };
}

const bound = (link: ByteLink): ByteLink => ({
  listen: (onBytes, onClosed) => link.listen(onBytes, onClosed),
  write: (bytes) => link.write(bytes),
  close: () => link.close(),
});

test("a node that boots before a request to it has left gets the next seq, and none is left out", async () => {
  const { both, hold, release } = onSlowLine();
  await using _ = both;
  both.node.script = silentTo("WHO");
  await both.clock.advance(500);
  hold();
  // The HELLO_ACK leaves, and the DESCRIBE waits behind it.
  both.node.hello();
  await settle();
  expect(both.node.got("DESCRIBE")).toEqual([]);
  both.node.info = { ...both.node.info, boot: 8 };
  both.node.hello();
  await settle();
  release();
  await both.clock.advance(10_000);
  expect(both.node.got("HELLO_ACK")).toHaveLength(2);
  expect(both.node.got("DESCRIBE")).toHaveLength(1);
  onlyOnes(both.node);
});

test("of two boots in one breath only the second is described", async () => {
  await using both = new HubAndNode();
  both.node.script = silentTo("WHO");
  await settle();
  const { info } = both.node;
  const boots = [1, 2].map((boot) => ({ type: "HELLO" as const, seq: both.node.nextSeq(), info: { ...info, boot } }));
  both.node.sayTogether(...boots);
  await both.clock.advance(10_000);
  expect(both.node.times("DESCRIBE")).toEqual([5000]);
  onlyOnes(both.node);
});

test("a command whose permission ends before the line takes it uses no seq", async () => {
  await using both = await HubAndNode.live();
  const [gone] = await Promise.all([
    both.driver.read(
      both.node.info.id,
      SWITCH,
      both.attempt(10_000, () => false),
    ),
    both.driver.read(both.node.info.id, LEVEL, both.attempt()),
  ]);
  expect(gone).toMatchObject({ kind: "failed", outcome: "not_applied" });
  await both.clock.advance(20_000);
  onlyOnes(both.node);
});

test("a request that is too large for the node uses no seq", async () => {
  await using both = await HubAndNode.live({ max: 128 });
  const result = both.driver.write(both.node.info.id, SWITCH, "x".repeat(200), both.attempt());
  expect(await both.clock.until(result)).toMatchObject({ kind: "failed", outcome: "rejected" });
  await both.clock.until(both.driver.read(both.node.info.id, SWITCH, both.attempt()));
  onlyOnes(both.node);
});

test("PING counts with the others, in the order in which they leave", async () => {
  await using both = await HubAndNode.live();
  both.node.script = silentTo("READ");
  void both.driver.read(both.node.info.id, SWITCH, both.attempt());
  await both.clock.advance(20_000);
  expect(both.node.got("PING").length).toBeGreaterThan(1);
  onlyOnes(both.node);
});

test("seqs begin again at 0 after 65535, and one that is looked at is not used", () => {
  const seqs = new Seqs(0xfffe);
  expect([seqs.next, seqs.next, seqs.take(), seqs.take(), seqs.next]).toEqual([0xffff, 0xffff, 0xffff, 0, 1]);
});
