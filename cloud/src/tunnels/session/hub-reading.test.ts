/** What becomes of a hub that sends more than its budget: it is slowed, notified, and no other hub feels it. */
import { settle } from "@porchlight/shared/kernel";
import { frames } from "@porchlight/shared/tunnel";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ClientPrincipal } from "../../access/index.ts";
import { newKey, ScriptedHub, TestNode } from "../tunnels.fixture.ts";
import type { BudgetRule } from "./hub-budgets.ts";

const RATES = { messages: 100, bytes: 1e9, records: 1_000 };
const BUDGET: BudgetRule = { perSecond: RATES, burstSeconds: 1, perEcosystem: 4 };

let testNode: TestNode;
let client: ClientPrincipal;
let answers: number[];

const open = async (budget: BudgetRule) => {
  testNode = await TestNode.open({ settings: { budget } });
  client = await testNode.client();
};
beforeEach(() => {
  answers = [];
});
afterEach(() => testNode[Symbol.asyncDispose]());

const quiet = { beats: false, key: newKey() };

/** Says so many heartbeats at once; notes of each answer for how long it says that the hub was slowed. */
function beat(hub: ScriptedHub, times: number): void {
  for (let n = 0; n < times; n++)
    hub.ask("heartbeat", { queued: 0, now: 0 }).then(
      (answer) => answers.push(frames.heartbeatAnswer.parse(answer).slowedMs ?? 0),
      () => undefined,
    );
}

const reports = (first: number, count: number) => ({
  records: Array.from({ length: count }, (_, at) => {
    const device = "00-00-00-00-00-01";
    return { kind: "presence", n: first + at, device, online: true, observedAt: 0 };
  }),
});

it("past its messages it is read at the pace of its budget, loses nothing, and is notified for how long", async () => {
  await open(BUDGET);
  const hub = await ScriptedHub.connect(testNode, client, quiet);
  beat(hub, 300);
  await settle(20);
  // Its hello was one of the hundred; one more overdraws.
  expect(answers).toHaveLength(100);
  await testNode.advance(1_000);
  expect(answers.length).toBeGreaterThan(190);
  expect(answers.length).toBeLessThan(210);
  await testNode.advance(1_100);
  expect(answers).toHaveLength(300);
  const slowedMs = answers.reduce((sum, ms) => sum + ms, 0);
  expect(slowedMs).toBeGreaterThan(1_900);
  expect(slowedMs).toBeLessThan(2_100);
  expect(hub.down).toBeUndefined();
  expect(testNode.warnings).toEqual(["a hub sends more than its budget and is slowed"]);
  expect(testNode.tunnels.counts.get("hub slowed")).toBeGreaterThan(10);
  // Within its budget it is not notified.
  await testNode.advance(1_000);
  beat(hub, 2);
  await settle(20);
  expect(answers.at(-1)).toBe(0);
});

it("past its records it is read later, and each is stored and acknowledged in order", async () => {
  await open(BUDGET);
  const hub = await ScriptedHub.connect(testNode, client, quiet);
  const stored = [0, 1, 2, 3, 4, 5].map((part) => hub.ask("records", reports(part * 500 + 1, 500)));
  await settle(20);
  const taken = () => testNode.fake.batches.flatMap(({ records }) => records).length;
  expect(taken()).toBe(1_500);
  await testNode.advance(2_000);
  expect(await Promise.all(stored)).toEqual([1, 2, 3, 4, 5, 6].map((part) => ({ acknowledged: part * 500 })));
  expect(taken()).toBe(3_000);
});

it("its lease does not run out while it is slowed, however long", async () => {
  await open({ ...BUDGET, perSecond: { ...RATES, messages: 0.1 }, burstSeconds: 20 });
  const hub = await ScriptedHub.connect(testNode, client, quiet);
  // Two at once, then one in ten seconds.
  beat(hub, 5);
  await testNode.advance(39_000);
  expect(hub.down).toBeUndefined();
  expect(answers).toHaveLength(5);
});

it("another ecosystem's hub is answered at once; a hub that comes again has no other budget", async () => {
  await open(BUDGET);
  const hub = await ScriptedHub.connect(testNode, client, quiet);
  beat(hub, 300);
  await settle(20);
  const other = await ScriptedHub.connect(testNode, await testNode.client(), quiet);
  await expect(other.ask("heartbeat", { queued: 0, now: 0 })).resolves.toMatchObject({ at: 0 });
  hub.cut();
  const before = answers.length;
  const again = await ScriptedHub.connect(testNode, client, quiet);
  beat(again, 50);
  await settle(20);
  expect(answers.length - before).toBeLessThan(5);
});

it("when it is gone nothing of it is waited for", async () => {
  await open(BUDGET);
  const hub = await ScriptedHub.connect(testNode, client, quiet);
  beat(hub, 300);
  await settle(20);
  testNode.tunnels.revoke({ kind: "subject", subjectId: client.clientId });
  await testNode.advance(5_000);
  expect(hub.down).toBe("token_revoked");
  expect(answers).toHaveLength(100);
});
