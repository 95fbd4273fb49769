/** A capture is played again: what is the same in meaning is the same, and what differs is reported. */
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { encodeFrame, encodeMessage, type Message } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { memoryLinks } from "../../simulator/links/memory-link.ts";
import { SimulatedNode } from "../../simulator/node/simulated-node.ts";
import { DEFINITION, LIGHT } from "../../simulator/node/test-node.fixture.ts";
import type { Passed, Sender } from "./capture.ts";
import { decodeAll } from "./decode.ts";
import { Replay, type ReplayEvent } from "./replay.ts";
import { meaningOf, scriptOf } from "./script.ts";

const SWITCH = { device: 0, service: "Switch", index: 0, property: "on" };
const HUB = { v: 1, hub: "02-50-4C-00-00-01" };

const frame = (message: Message) => encodeFrame(encodeMessage(message));

/** A node with a hub that greets it, reads, writes, and acknowledges what its owner does. */
async function captured(): Promise<readonly Passed[]> {
  const clock = new VirtualClock();
  const passed: Passed[] = [];
  const node = SimulatedNode.start({ clock, random: seededRandom(1), definition: DEFINITION });
  const [near, far] = memoryLinks();
  const see = (dir: Sender, bytes: Uint8Array) => passed.push({ t: clock.monotonic(), dir, bytes });
  node.attach({
    listen: (onBytes, onClosed) =>
      near.listen((bytes) => {
        see("hub", bytes);
        onBytes(bytes);
      }, onClosed),
    write: (bytes) => {
      see("node", bytes);
      return near.write(bytes);
    },
    close: () => near.close(),
  });
  let hello = 0;
  let report = 0;
  far.listen(
    (bytes) => {
      for (const { message } of decodeAll([{ t: 0, dir: "node", bytes }])) {
        if (message?.type === "HELLO") hello = message.seq;
        if (message?.type === "REPORT") report = message.seq;
      }
    },
    () => undefined,
  );
  const say = async (message: Message) => {
    await far.write(frame(message));
    await clock.advance(20);
  };
  await say({ type: "WHO", seq: 0 });
  await clock.advance(1500);
  await say({ type: "HELLO_ACK", seq: hello, info: { ...HUB, now: 1_767_225_600 } });
  await say({ type: "DESCRIBE", seq: 1, device: 0, part: 0 });
  await say({ type: "READ", seq: 2, ...SWITCH });
  await say({ type: "WRITE", seq: 3, ...SWITCH, value: true });
  await say({ type: "WRITE", seq: 3, ...SWITCH, value: true });
  await say({ type: "WRITE", seq: 4, ...SWITCH, value: "no" });
  await clock.advance(1000);
  node.device(LIGHT).turn("Switch.on", false);
  await clock.advance(700);
  await say({ type: "ACK", seq: report });
  await clock.advance(6000);
  await node[Symbol.asyncDispose]();
  return passed;
}

/** Plays the hub against a node made now; `change` does to it what a person or a fault does. */
async function againstNode(passed: readonly Passed[], change: (node: SimulatedNode, clock: VirtualClock) => void) {
  const clock = new VirtualClock();
  const node = SimulatedNode.start({ clock, random: seededRandom(77), definition: DEFINITION });
  const [near, far] = memoryLinks();
  node.attach(near);
  const events: ReplayEvent[] = [];
  const script = scriptOf(decodeAll(passed), "hub");
  const replay = new Replay({
    ...{ clock, random: seededRandom(5), link: far, me: "hub", script, patience: 10_000, speed: 1 },
    onEvent: (event) => events.push(event),
  });
  change(node, clock);
  const outcome = await clock.until(replay.run());
  await node[Symbol.asyncDispose]();
  return { ...outcome, events };
}

/** Turns the light off at the wall, when the capture's owner did. */
const owner = (node: SimulatedNode, clock: VirtualClock) =>
  void clock.timer("owner", 3000, () => node.device(LIGHT).turn("Switch.on", false));

test("another boot with other seqs of the same device is no difference", async () => {
  const { differences, never, events } = await againstNode(await captured(), owner);
  expect([differences, never]).toEqual([0, undefined]);
  const heard = events.flatMap((event) => (event.kind === "heard" ? [event.message?.type] : []));
  expect(heard).toEqual(["HELLO", "DESCRIPTION", "VALUE", "WRITTEN", "WRITTEN", "ERROR", "REPORT"]);
});

test("another value is a difference, and so is an error where a value was", async () => {
  const { differences, never, events } = await againstNode(await captured(), (node, clock) => {
    node.device(LIGHT).fail({ mode: "refuse" });
    clock.timer("owner", 3000, () => node.device(LIGHT).turn("Switch.on", true));
  });
  const differing = events.flatMap((event) => (event.kind === "differs" ? [[event.expected, event.came]] : []));
  const refused = [
    { type: "WRITTEN", value: true },
    { type: "ERROR", code: 8 },
  ];
  expect(differing).toMatchObject([
    refused,
    // The hub of the capture asked twice.
    refused,
    [
      { type: "REPORT", value: false },
      { type: "REPORT", value: true },
    ],
  ]);
  expect([differences, never]).toEqual([3, undefined]);
});

test("a report without a cause never comes; that it is awaited is shown", async () => {
  const { differences, never, events } = await againstNode(await captured(), () => undefined);
  expect([differences, never]).toMatchObject([0, { type: "REPORT", value: false }]);
  expect(events.slice(-2).map(({ kind }) => kind)).toEqual(["waits", "never"]);
});

test("a node that lost a request is asked again", async () => {
  const { differences, never } = await againstNode(await captured(), (node, clock) => {
    node.device(LIGHT).fail({ mode: "silent" });
    clock.timer("it is well again", 3500, () => node.device(LIGHT).fail({ mode: "none" }));
    clock.timer("owner", 8000, () => node.device(LIGHT).turn("Switch.on", false));
  });
  expect([differences, never]).toEqual([0, undefined]);
});

test("another code of an ERROR is another meaning, other wording is not", () => {
  const error = (code: number, text: string) => meaningOf({ type: "ERROR", seq: code, code, text });
  expect(error(8, "Too much.")).toBe(error(8, "At most 100."));
  expect(error(8, "Too much.")).not.toBe(error(9, "Too much."));
});

test("a node that does not answer is waited for as long as stated", async () => {
  const { never, events } = await againstNode(await captured(), (node) => node.device(LIGHT).fail({ mode: "silent" }));
  expect(never).toMatchObject({ type: "DESCRIPTION" });
  expect(events.at(-1)).toMatchObject({ kind: "never", reason: undefined });
});

test("what comes besides is reported and acknowledged", async () => {
  const { differences, events } = await againstNode(await captured(), (node, clock) => {
    owner(node, clock);
    clock.timer("owner", 2500, () => node.device(LIGHT).turn("LightLevel.level", 12));
  });
  expect(differences).toBe(1);
  expect(events).toContainEqual({
    kind: "besides",
    came: expect.objectContaining({ type: "REPORT", property: "level", value: 12 }),
  });
});

test("a capture that begins in the middle, or is only what brought a fault about, wants no HELLO", async () => {
  const passed: readonly Passed[] = [
    { t: 0, dir: "hub", bytes: Uint8Array.of(0xc0, 1, 2, 3, 0xc0) },
    { t: 10, dir: "hub", bytes: frame({ type: "PING", seq: 7 }) },
    { t: 12, dir: "node", bytes: frame({ type: "PONG", seq: 7 }) },
  ];
  const { differences, never, events } = await againstNode(passed, () => undefined);
  expect([differences, never, events.map(({ kind }) => kind)]).toEqual([0, undefined, ["said", "said", "heard"]]);
});

test("a HELLO_ACK of a capture without HELLO makes the node live all the same", async () => {
  const passed: readonly Passed[] = [
    { t: 0, dir: "hub", bytes: frame({ type: "WHO", seq: 0 }) },
    { t: 100, dir: "hub", bytes: frame({ type: "HELLO_ACK", seq: 1, info: HUB }) },
    { t: 200, dir: "hub", bytes: frame({ type: "WRITE", seq: 2, ...SWITCH, value: true }) },
    { t: 210, dir: "node", bytes: frame({ type: "WRITTEN", seq: 2, value: true }) },
  ];
  const { differences, never } = await againstNode(passed, () => undefined);
  expect([differences, never]).toEqual([0, undefined]);
});

test("the two sides of a capture get on with each other", async () => {
  const passed = await captured();
  const clock = new VirtualClock();
  const [near, far] = memoryLinks();
  const play = (me: Sender, link: typeof near) => {
    const script = scriptOf(decodeAll(passed), me);
    return new Replay({ clock, random: seededRandom(9), link, me, script, patience: 10_000, speed: 1 }).run();
  };
  const both = await clock.until(Promise.all([play("hub", near), play("node", far)]));
  expect(both).toEqual([
    { differences: 0, never: undefined },
    { differences: 0, never: undefined },
  ]);
});

test.each([
  ["another boot than the captured one", 9, (boot: number) => boot !== 9 && boot !== 0],
  ["boot 0 when it has none", 0, (boot: number) => boot === 0],
])("a node is played under %s, since its hub remembers what it has heard of that", async (_, boot, isGood) => {
  const info = { v: 1, id: LIGHT, devices: [LIGHT], boot, max: 128, win: 1 };
  const script = scriptOf(decodeAll([{ t: 0, dir: "node", bytes: frame({ type: "HELLO", seq: 4, info }) }]), "node");
  const clock = new VirtualClock();
  const [near, far] = memoryLinks();
  const stated: (Message | undefined)[] = [];
  far.listen(
    (bytes) => stated.push(...decodeAll([{ t: 0, dir: "node", bytes }]).map(({ message }) => message)),
    () => undefined,
  );
  await clock.until(
    new Replay({ clock, random: seededRandom(9), link: near, me: "node", script, patience: 1000, speed: 1 }).run(),
  );
  expect(stated.map((message) => message?.type === "HELLO" && isGood(message.info.boot))).toEqual([true]);
});

test("damage is replayed to the byte", () => {
  const noise = Uint8Array.of(0xc0, 1, 2, 3, 0xc0);
  const script = scriptOf(decodeAll([{ t: 5, dir: "hub", bytes: noise }]), "hub");
  expect(script).toEqual([{ kind: "say", t: 5, bytes: noise, message: undefined }]);
});

test("repetitions, WHO, PING and late answers are no steps of the waiting side", async () => {
  const steps = scriptOf(decodeAll(await captured()), "node").map(({ kind, message }) => `${kind} ${message?.type}`);
  expect(steps).toEqual([
    ...["say HELLO", "hear HELLO_ACK", "hear DESCRIBE", "say DESCRIPTION", "hear READ", "say VALUE"],
    ...["hear WRITE", "say WRITTEN", "hear WRITE", "say ERROR", "say REPORT", "hear ACK", "say PING", "say PING"],
  ]);
});
