/** What a hub keeps of the frames on its lines: the exchange of a command, a report, a read; and within which bounds. */
import { attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { VirtualClock } from "@porchlight/shared/kernel";
import { type KeptExchange, keptFrames, MOST_EXCHANGES } from "@porchlight/shared/model";
import { encodeFrame, encodeMessage, type Message } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { ACTIVE, HubAndNode, LEVEL, SWITCH } from "../hub-and-node.fixture.ts";
import { LAMP, OTHER, silentTo } from "../scripted-node.fixture.ts";
import { FrameLog } from "./frame-log.ts";

const MOST = 1024 * 1024;

/** A hub that keeps frames, with its lamp. */
async function keeping(mostBytes = MOST) {
  const clock = new VirtualClock();
  const frames = new FrameLog(clock, mostBytes);
  const both = new HubAndNode({}, { frames }, { clock, host: new FakeHost() });
  await clock.advance(0);
  const command = (id: string) =>
    attemptOf(both.clock, { deadline: both.clock.monotonic() + 10_000, mayTouch: () => true, command: id });
  const of = (device: string, address: typeof SWITCH): KeptExchange[] => {
    const kept = frames.of({ device, ...address }, both.clock.now());
    // As it goes through the tunnel.
    expect(keptFrames.parse(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
    return kept.kind === "kept" ? kept.exchanges : [];
  };
  return { both, frames, command, of };
}

const says = (exchange: KeptExchange | undefined) => exchange?.frames.map(({ direction, says }) => [direction, says]);
const hexOf = (message: Message) => Buffer.from(encodeFrame(encodeMessage(message))).toString("hex");

test("of a command: its frame and the answer, to the byte, with their times", async () => {
  const { both, command, of } = await keeping();
  await using _ = both;
  await both.clock.advance(60_000);
  await both.clock.until(both.driver.write(LAMP, SWITCH, true, command("cmd_1")));
  const [exchange] = of(LAMP, SWITCH);
  const write = both.node.got("WRITE")[0];
  if (!write) throw new Error("nothing was written");
  const { seq } = write;
  expect(exchange).toEqual({
    ...{ kind: "write", command: "cmd_1", value: true },
    frames: [
      {
        ...{ at: both.clock.now(), direction: "to_device", bytes: expect.any(Number), hex: hexOf(write) },
        says: `WRITE ${seq}: device 0, Switch:0.on = true`,
      },
      {
        ...{ at: both.clock.now(), direction: "from_device", bytes: expect.any(Number) },
        hex: hexOf({ type: "WRITTEN", seq, value: true }),
        says: `WRITTEN ${seq}: true`,
      },
    ],
  });
});

test("each try and what was damaged meanwhile belong to the command", async () => {
  const { both, command, of } = await keeping();
  await using _ = both;
  both.node.script = silentTo("WRITE");
  const written = both.driver.write(LAMP, SWITCH, true, command("cmd_1"));
  await both.clock.advance(100);
  const damaged = encodeFrame(encodeMessage({ type: "WRITTEN", seq: 1, value: true }));
  both.node.raw(damaged.map((byte, at) => (at === 3 ? byte ^ 1 : byte)));
  await both.clock.until(written);
  const exchange = of(LAMP, SWITCH).find(({ command: id }) => id === "cmd_1");
  expect(exchange?.value).toBeUndefined();
  expect(says(exchange)?.map(([, text]) => text?.replace(/\d+/, "N"))).toEqual([
    "WRITE N: device 0, Switch:0.on = true",
    "a damaged frame (bad crc), which was dropped",
    "WRITE N: device 0, Switch:0.on = true",
    "WRITE N: device 0, Switch:0.on = true",
  ]);
});

test("a refusal is reported with the device's words", async () => {
  const { both, command, of } = await keeping();
  await using _ = both;
  both.node.script = (message) =>
    message.type === "WRITE" ? { type: "ERROR", seq: message.seq, code: 7, text: "too hot" } : undefined;
  await both.clock.until(both.driver.write(LAMP, SWITCH, true, command("cmd_1")));
  expect(says(of(LAMP, SWITCH)[0])?.[1]?.[1]).toMatch(/^ERROR \d+: 7 \(.+\): too hot$/);
});

test("a report is notified once it is acknowledged, with its acknowledgement", async () => {
  const { both, of } = await keeping();
  await using _ = both;
  both.node.report("LightLevel.level", 55);
  await both.clock.advance(10);
  const [exchange] = of(LAMP, LEVEL);
  expect(exchange).toMatchObject({ kind: "report", value: 55 });
  expect(exchange?.command).toBeUndefined();
  expect(says(exchange)).toEqual([
    ["from_device", expect.stringMatching(/^REPORT \d+: device 0, LightLevel:0\.level = 55$/)],
    ["to_device", expect.stringMatching(/^ACK \d+$/)],
  ]);
  both.host.commit = async () => "busy";
  both.node.report("LightLevel.level", 56);
  await both.clock.advance(10);
  expect(of(LAMP, LEVEL)[0]).toMatchObject({ value: 55 });
});

test("reads are distinguished, identifying too; handshakes, descriptions and signs of life are not kept", async () => {
  const { both, frames, command, of } = await keeping();
  await using _ = both;
  // The hub has read both by itself when the lamp came.
  expect(of(LAMP, SWITCH)).toMatchObject([{ kind: "read", value: false }]);
  await both.clock.until(both.driver.write(LAMP, ACTIVE, true, command("cmd_1")));
  expect(of(LAMP, ACTIVE)).toMatchObject([{ kind: "write", command: "cmd_1", frames: [{}, {}] }]);
  const { bytes } = frames;
  await both.clock.advance(120_000);
  expect(frames.bytes).toBe(bytes);
});

test("of a property the newest are kept, and what others do pushes none of them out", async () => {
  const { both, command, of } = await keeping();
  await using _ = both;
  await both.clock.until(both.driver.write(LAMP, SWITCH, true, command("cmd_lamp")));
  for (let level = 0; level < 300; level++)
    await both.clock.until(both.driver.write(LAMP, LEVEL, level % 100, command(`cmd_${level}`)));
  expect(of(LAMP, LEVEL).map((exchange) => exchange.command)).toEqual(
    Array.from({ length: MOST_EXCHANGES }, (_none, back) => `cmd_${299 - back}`),
  );
  expect(of(LAMP, SWITCH)[0]).toMatchObject({ command: "cmd_lamp", frames: [{}, {}] });
});

test("never takes more than it may: the oldest of all go first", async () => {
  const most = 6000;
  const { both, frames, command, of } = await keeping(most);
  await using _ = both;
  await both.clock.until(both.driver.write(LAMP, SWITCH, true, command("cmd_old")));
  for (let level = 0; level < 100; level++) {
    await both.clock.until(both.driver.write(LAMP, LEVEL, level, command(`cmd_${level}`)));
    expect(frames.bytes).toBeLessThanOrEqual(most);
  }
  expect(of(LAMP, SWITCH)).toEqual([]);
  expect(of(LAMP, LEVEL)[0]).toMatchObject({ command: "cmd_99", frames: [{}, {}] });
});

test("a device that another place has by now keeps its own frames, also when it is away", async () => {
  const { both, command, of } = await keeping();
  await using _ = both;
  await both.clock.until(both.driver.write(LAMP, SWITCH, true, command("cmd_1")));
  both.node.info = { ...both.node.info, boot: 8, devices: [OTHER, LAMP] };
  both.node.hello();
  await both.clock.advance(10_000);
  await both.clock.until(both.driver.write(LAMP, SWITCH, false, command("cmd_2")));
  expect(of(LAMP, SWITCH).flatMap((exchange) => exchange.command ?? [])).toEqual(["cmd_2", "cmd_1"]);
  expect(of(OTHER, SWITCH).flatMap((exchange) => exchange.command ?? [])).toEqual([]);
});

test("nothing is known of a device that was never on a line", async () => {
  const { both, frames } = await keeping();
  await using _ = both;
  expect(frames.of({ device: OTHER, ...SWITCH }, both.clock.now())).toEqual({
    kind: "kept",
    since: both.clock.now(),
    exchanges: [],
  });
});
