/** The shell as a person uses it, with a simulated board at the other end and on a clock that stands still. */
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { type ByteLink, encodeFrame, encodeMessage } from "@porchlight/shared/wire";
import { describe, expect, test } from "vitest";
import { memoryLinks } from "../../simulator/links/memory-link.ts";
import { SimulatedNode } from "../../simulator/node/simulated-node.ts";
import { DEFINITION, LIGHT, TEST_BUTTON } from "../../simulator/node/test-node.fixture.ts";
import { ShellBoard } from "./board.ts";
import { Shell } from "./shell.ts";
import { eventShown, type Shown } from "./wording.ts";

interface Session {
  readonly clock: VirtualClock;
  readonly node: SimulatedNode;
  readonly board: ShellBoard;
  /** The board's end of the line. */
  readonly near: ByteLink;
  /** What was shown since the last call. */
  taken(): readonly string[];
  /** How the line ended, and what it showed. */
  run(line: string): Promise<readonly string[]>;
  /** So many frames of the shell do not arrive. */
  loseNext(frames: number): void;
}

async function begun(): Promise<Session> {
  const clock = new VirtualClock();
  const node = SimulatedNode.start({ clock, random: seededRandom(7), definition: DEFINITION });
  const [near, far] = memoryLinks();
  let lost = 0;
  const link: ByteLink = {
    listen: (onBytes, onClosed) => far.listen(onBytes, onClosed),
    write: async (bytes) => {
      if (lost > 0) lost -= 1;
      else await far.write(bytes);
    },
    close: () => far.close(),
  };
  node.attach(near);
  let texts: string[] = [];
  const show = ({ text }: Shown) => void texts.push(...text.split("\n"));
  const board = new ShellBoard({
    ...{ clock, random: seededRandom(3), link, jitter: 0 },
    onEvent: (event) => show(eventShown(event)),
  });
  const shell = new Shell({ board, where: "memory", show });
  await clock.until(shell.begin());
  const taken = () => {
    const all = texts;
    texts = [];
    return all;
  };
  const run = async (line: string) => {
    taken();
    const end = await clock.until(shell.run(line));
    return [end, ...taken()];
  };
  const loseNext = (frames: number) => {
    lost = frames;
  };
  return { clock, node, board, near, taken, run, loseNext };
}

describe("the shell", () => {
  test("shows what the board is, and what it describes", async () => {
    const { taken } = await begun();
    expect(taken()).toEqual([
      expect.stringMatching(/^02-50-4C-51-00-00 on memory, Porchlight: boot \d+, frames of 1024 bytes, 1 at once$/),
      "device 0  02-50-4C-51-00-01  Porch light",
      "  Switch:0.on                boolean                       read write notify",
      "  LightLevel:0.level         number min 0 max 100 %        read write notify",
      "  LightColor:0.hue           number min 0 max 360 deg      read write notify",
      "  LightColor:0.saturation    number min 0 max 100 %        read write notify",
      "  LightTemperature:0.kelvin  integer min 1000 max 10000 K  read write notify",
      "device 1  02-50-4C-51-00-02",
      '  Button:0.event     string "press"|"release"|"double"|"long"  notify',
      "  Battery:0.percent  number min 0 max 100 %                    read notify",
      "  Battery:0.low      boolean                                   read notify",
    ]);
  });

  test("reads and writes by the property alone when one device has it", async () => {
    const { run, node } = await begun();
    expect(await run("read LightLevel.level")).toEqual(["went on", "0 LightLevel:0.level  40  (0.0 ms)"]);
    expect(await run("write Switch.on true")).toEqual(["went on", "0 Switch:0.on  true  (0.0 ms)"]);
    expect(node.device(LIGHT).read("Switch.on")).toBe(true);
    expect(await run("read 1")).toEqual([
      "went on",
      "1 Battery:0.percent  null  (0.0 ms)",
      "1 Battery:0.low  null  (0.0 ms)",
    ]);
  });

  test("reports a refusal, and a board that does not answer, with how often it was asked", async () => {
    const { run, node } = await begun();
    expect(await run("write LightLevel.level 101")).toEqual([
      "failed",
      '0 LightLevel:0.level  ERROR 8, value rejected: "The value must be at most 100."',
    ]);
    node.device(LIGHT).fail({ mode: "mute" });
    expect(await run("read Switch.on")).toEqual(["failed", "0 Switch:0.on  no answer to 3 tries in 1500 ms"]);
  });

  test("asks again as a hub does, and counts what was lost, by kind", async () => {
    const { run, loseNext } = await begun();
    await run("ping");
    loseNext(1);
    expect(await run("read Switch.on")).toEqual(["went on", "0 Switch:0.on  false  (500.0 ms, 2 tries)"]);
    await run("read Switch.on");
    expect(await run("times")).toEqual([
      "went on",
      "      requests  tries lost  median ms  p99 ms  most ms",
      "PING         1           0        0.0     0.0      0.0",
      "READ         2           1      500.0   500.0    500.0",
    ]);
  });

  test("repeats a command so often or so long, shows what fails, and fails then", async () => {
    const { run, loseNext, board } = await begun();
    expect(await run("repeat 100 read Switch.on")).toEqual(["went on", "100 times read Switch.on: 0 failed"]);
    loseNext(3);
    expect(await run("repeat 5 read Switch.on")).toEqual([
      "failed",
      "0 Switch:0.on  no answer to 3 tries in 1500 ms",
      "5 times read Switch.on: 1 failed",
    ]);
    expect(await run("repeat 3s watch 1s")).toEqual(["went on", "3 times watch 1s: 0 failed"]);
    expect(board.since(0)).toEqual([]);
  });

  test("fails when a figure of the times is not under its limit", async () => {
    const { run, loseNext } = await begun();
    expect(await run("times READ p99 under 20ms")).toEqual(["failed", "no READ was answered"]);
    await run("repeat 10 read Switch.on");
    expect(await run("times read most under 20ms")).toEqual(["went on", "READ  most 0.0 ms"]);
    loseNext(1);
    await run("read Switch.on");
    expect(await run("times READ median under 20ms")).toEqual(["went on", "READ  median 0.0 ms"]);
    expect(await run("times READ most under 20ms")).toEqual(["failed", "READ  most 500.0 ms, not under 20 ms"]);
  });

  test("expects a value, now or in a report that comes in time", async () => {
    const { run, node, clock } = await begun();
    expect(await run("expect LightLevel.level 40")).toEqual(["went on", "0 LightLevel:0.level  40  (0.0 ms)"]);
    expect(await run("expect LightLevel.level 41")).toEqual(["failed", "0 LightLevel:0.level  40, expected 41"]);
    clock.timer("a hand", 300, () => node.device(LIGHT).turn("LightLevel.level", 41));
    expect(await run("expect LightLevel.level 41 within 1s")).toEqual([
      "went on",
      "report  0 LightLevel:0.level  41",
      "0 LightLevel:0.level  41  (reported after 300.0 ms)",
    ]);
    expect(await run("expect LightLevel.level 42 within 1s")).toEqual([
      "failed",
      "0 LightLevel:0.level  no report of 42 came in 1000 ms",
    ]);
  });

  test("reports events as they come, acknowledged, and every frame while it watches", async () => {
    const { run, node, clock, taken } = await begun();
    taken();
    node.device(TEST_BUTTON).press("Button.event", "press");
    await clock.advance(100);
    expect(taken()).toEqual(['report  1 Button:0.event  "press"']);
    expect(node.untold).toBe(0);
    clock.timer("a hand", 300, () => node.device(LIGHT).turn("Switch.on", true));
    expect(await run("watch 1s")).toEqual([
      "went on",
      expect.stringMatching(/^node {2}REPORT \d+, device 0, Switch 0 on: true$/),
      expect.stringMatching(/^hub {3}ACK \d+$/),
      "1 frame came in 1 s",
    ]);
  });

  test("goes on with a board that has booted: acknowledges it and describes it anew", async () => {
    const { run, node, clock, taken } = await begun();
    taken();
    node.reboot();
    await clock.advance(100);
    expect(taken()).toEqual([expect.stringMatching(/^hello {2}HELLO /)]);
    expect(await run("write Switch.on true")).toEqual(["went on", "0 Switch:0.on  true  (0.0 ms)"]);
  });

  test("sends bytes as they are, and bodies as frames", async () => {
    const { run } = await begun();
    expect(await run("raw C0 82 0B 07 35 BB C0")).toEqual(["went on", "PONG 7"]);
    expect(await run("raw C0 82 0B 07 35 BC C0")).toEqual(["went on", "nothing came in 500 ms"]);
    expect(await run("frame 82 0B 08")).toEqual(["went on", "PONG 8"]);
  });

  test("identifies a device", async () => {
    const { run } = await begun();
    expect(await run("identify 0 12")).toEqual(["went on", "0  identifies for 12 s  (0.0 ms)"]);
  });

  test.each([
    ["raed Switch.on", 'command "raed" is not known: did you mean "read"?'],
    ["read Swich.on", "say which device: 0 (02-50-4C-51-00-01), 1 (02-50-4C-51-00-02)"],
    ["read 0 Swich.on", 'property "Swich.on" is not known: did you mean "Switch.on"?'],
    ["write Switch.on", "a value is missing"],
    ["write", "a property is missing: SERVICE[:INDEX].PROPERTY"],
    ["identify", "say which device: 0 (02-50-4C-51-00-01), 1 (02-50-4C-51-00-02)"],
    ["identify 0 soon", '"soon" is no number of seconds from 0 to 65535'],
    ["watch 5", '"5" is no time: say 300ms, 5s, 2min or 1h'],
    ["raw C0 8", 'line 1: "8" has an odd number of digits'],
    ["ping 3", "ping takes no words"],
    ["repeat 3", "repeat COUNT|TIME COMMAND: as repeat 1000 ping, repeat 8h read"],
    ["repeat often ping", '"often" is no time: say 300ms, 5s, 2min or 1h'],
    ["repeat 3 quit", "quit cannot be repeated"],
    ["repeat 3 pong", 'command "pong" is not known: did you mean "ping"?'],
    ["times READ", "say times KIND median|p90|p99|p99.9|most under TIME, as times READ p99 under 50ms"],
    ["times READ p98 under 5ms", 'figure "p98" is not known: did you mean "p90"?'],
  ])("states what is wrong with %j", async (line, sentence) => {
    const { run } = await begun();
    expect(await run(line)).toEqual(["failed", sentence]);
  });

  test("passes over empty lines and comments, and ends at quit", async () => {
    const { run } = await begun();
    expect(await run("")).toEqual(["went on"]);
    expect(await run("# the lamp")).toEqual(["went on"]);
    expect(await run("quit")).toEqual(["quit"]);
  });

  test("reports the rule that the board breaks, after any request", async () => {
    const { near, run } = await begun();
    const [end = 0, type = 0, ping = 0, seq = 0, high = 0, low = 0] = encodeFrame(
      encodeMessage({ type: "PING", seq: 7 }),
    );
    await near.write(Uint8Array.of(end, type, ping, seq, low, high, end));
    expect(await run("ping")).toEqual([
      "went on",
      "answered  (0.0 ms)",
      "! F1: The CRC is sent with its low byte first.",
    ]);
  });

  test("keeps nothing that a board sent hours ago", async () => {
    const { run, board } = await begun();
    for (let count = 0; count < 50; count += 1) await run("ping");
    expect(board.since(0)).toEqual([]);
  });
});
