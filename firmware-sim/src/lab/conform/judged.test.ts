/** What the kit says of boards that are nearly good: one that never answers PING, one that loses its last value, slow ones on the network. */
import { readFileSync } from "node:fs";
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import {
  type ByteLink,
  decodeBody,
  encodeFrame,
  encodeMessage,
  FrameReader,
  HUB_FRAME_LIMIT,
  type Message,
} from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { memoryLinks } from "../../simulator/links/memory-link.ts";
import { SimulatedNode } from "../../simulator/node/simulated-node.ts";
import { DEFINITION, LIGHT } from "../../simulator/node/test-node.fixture.ts";
import { junitReport } from "./html-report.ts";
import { type ProveNodeOptions, proveNode } from "./prove-node.ts";
import { isProof, type RuleReport, ruleTexts, sumOf } from "./rule.ts";

const texts = ruleTexts(readFileSync(new URL("../../../../docs/contract/device-protocol.md", import.meta.url), "utf8"));

/** What a board says instead of a message; nothing when undefined. `hear` hands the board a message of no hub. */
type Change = (message: Message, hear: (message: Message) => void) => Message | undefined;

/** A line to a board whose messages go through a change. */
function changed(node: SimulatedNode, change: Change): ByteLink {
  const [board, between] = memoryLinks();
  const [away, hub] = memoryLinks();
  const reader = new FrameReader(HUB_FRAME_LIMIT);
  const hear = (message: Message) => void between.write(encodeFrame(encodeMessage(message)));
  between.listen(
    (bytes) => {
      for (const event of reader.push(bytes)) {
        const body = event.kind === "frame" ? decodeBody(event.body) : undefined;
        const stated = body?.kind === "message" ? change(body.message, hear) : undefined;
        if (stated) void away.write(encodeFrame(encodeMessage(stated))).catch(() => undefined);
      }
    },
    () => away.close(),
  );
  away.listen(
    (bytes) => void between.write(bytes).catch(() => undefined),
    () => between.close(),
  );
  node.attach(board);
  return hub;
}

type Asked = Partial<ProveNodeOptions> & { readonly change?: Change };

async function prove({ change = (message) => message, ...asked }: Asked): Promise<RuleReport> {
  const clock = new VirtualClock();
  const node = SimulatedNode.start({ clock, random: seededRandom(7), definition: DEFINITION });
  const turn = async () => node.device(LIGHT).turn("Switch.on", node.device(LIGHT).read("Switch.on") !== true);
  const proof = proveNode({
    ...{ clock, random: seededRandom(3), jitter: 0, where: "memory", texts },
    ...{ link: changed(node, change), stimuli: [{ name: "turn", run: turn }], ...asked },
  });
  return clock.until(proof, 3_600_000);
}

const broken = ({ results }: RuleReport) =>
  results.flatMap(({ id, verdict }) => (verdict.kind === "fail" ? [[id, verdict.violations[0]?.what]] : []));

test("a board that never answers PING breaks A2", async () => {
  const report = await prove({ change: (message) => (message.type === "PONG" ? undefined : message) });
  expect(broken(report)).toEqual([["A2", "Three PINGs were not answered."]]);
  expect(sumOf(report).pass).toBe(0);
});

test("a board that answers PING under another seq breaks M2", async () => {
  const report = await prove({
    change: (message) => (message.type === "PONG" ? { ...message, seq: message.seq ^ 1 } : message),
  });
  expect(broken(report)).toEqual([["M2", "PINGs were answered with a PONG of another seq."]]);
});

test("a run that judges nothing is no proof, and no green suite on a build server", async () => {
  const only = ["F5", "F8"];
  const report = await prove({ only, change: (message) => (message.type === "PONG" ? undefined : message) });
  expect(sumOf(report)).toEqual({ pass: 0, fail: 0, not_applicable: 0, not_run: 2 });
  expect(isProof(report)).toBe(false);
  expect(junitReport([report])).toContain('tests="3" failures="0" errors="1" skipped="2"');
  expect(junitReport([report])).toContain('<error message="Nothing is proved: Three PINGs were not answered."/>');
  expect(isProof(await prove({ only }))).toBe(true);
  expect(isProof(await prove({ only: ["S7"] }))).toBe(false);
});

test("a board that sends only noise is reported with a hint at the baud rate", async () => {
  const clock = new VirtualClock();
  const [link, far] = memoryLinks();
  far.listen(
    () => void far.write(seededRandom(5).bytes(40)),
    () => undefined,
  );
  const options = { clock, random: seededRandom(3), link, jitter: 0, where: "memory", texts };
  const report = await clock.until(proveNode(options), 3_600_000);
  expect(broken(report).find(([id]) => id === "S3")?.[1]).toBe(
    "No HELLO came within 12 s, although the hub sent WHO every second. 480 bytes came, without a valid frame: check the baud rate.",
  );
});

test("a board that loses the last of many values breaks P8", async () => {
  let reports = 0;
  // All but the first are acknowledged on the way, and lost.
  const change: Change = (message, hear) => {
    if (message.type !== "REPORT" || reports++ === 0) return message;
    hear({ type: "ACK", seq: message.seq });
    return undefined;
  };
  const report = await prove({ only: ["P8"], change });
  expect(broken(report)).toEqual([["P8", "The last value of on must always be reported."]]);
});

test("a board that keeps an older connection breaks L5, and no line is left open", async () => {
  const clock = new VirtualClock();
  const node = SimulatedNode.start({ clock, random: seededRandom(7), definition: DEFINITION });
  const open = new Set<ByteLink>();
  const connect = () => {
    // Each is a board of its own, so that none closes another's.
    const [board, hub] = memoryLinks();
    SimulatedNode.start({ clock, random: seededRandom(7), definition: DEFINITION }).attach(board);
    open.add(hub);
    const close = () => {
      open.delete(hub);
      hub.close();
    };
    return { ...hub, listen: hub.listen.bind(hub), write: hub.write.bind(hub), close };
  };
  const options = { clock, random: seededRandom(3), jitter: 0, where: "memory", texts, only: ["L5"] };
  const proof = proveNode({ ...options, link: connect(), connect: async () => connect() });
  const report = await clock.until(proof, 3_600_000);
  expect(broken(report).map(([id]) => id)).toEqual(["L5"]);
  expect(open.size).toBe(0);
  await node[Symbol.asyncDispose]();
});

test("a board that serves a connection from its first bytes on keeps L6", async () => {
  const clock = new VirtualClock();
  const node = SimulatedNode.start({ clock, random: seededRandom(7), definition: DEFINITION });
  const connect = (): ByteLink => {
    const [near, hub] = memoryLinks();
    let isServed = false;
    return {
      ...{ listen: hub.listen.bind(hub), close: hub.close.bind(hub) },
      write: async (bytes) => {
        if (!isServed) node.attach(near);
        isServed = true;
        await hub.write(bytes);
      },
    };
  };
  const options = { clock, random: seededRandom(3), jitter: 0, where: "memory", texts, only: ["L6"] };
  const proof = proveNode({ ...options, link: connect(), connect: async () => connect() });
  const report = await clock.until(proof, 3_600_000);
  expect(report.results.map(({ id, verdict }) => [id, verdict.kind])).toEqual([["L6", "pass"]]);
  await node[Symbol.asyncDispose]();
});
