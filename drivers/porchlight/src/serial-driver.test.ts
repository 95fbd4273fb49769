import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { memoryLinkPair } from "@porchlight/driver-kit/links/memory-link.fixture.ts";
import { seededRandom, silentLog, systemClock } from "@porchlight/shared/kernel";
import { expect, onTestFinished, test } from "vitest";
import { SWITCH } from "./hub-and-node.fixture.ts";
import { LINE_EXCUSES, lineWorld } from "./line-world.fixture.ts";
import { openPty } from "./pty.fixture.ts";
import { HUB, LAMP, ScriptedNode } from "./scripted-node.fixture.ts";
import { type SerialPortSettings, serialDriver } from "./serial-driver.ts";

const attempt = () => attemptOf(systemClock, { deadline: systemClock.monotonic() + 5000, mayTouch: () => true });

everyDriver(
  "a serial port",
  (stage) => {
    const { clock, random, log } = stage;
    const settings = { path: "/dev/ttyX", clock, random, log, hubEdgeId: HUB };
    return lineWorld(stage, (openPort) => (host) => serialDriver({ ...settings, host, openPort }));
  },
  { without: LINE_EXCUSES },
);

test("a lamp on a real pseudo-terminal is found, set, unplugged, plugged in elsewhere under its name, and found again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "lamp");
  const host = new FakeHost();
  const node = new ScriptedNode(systemClock);
  await using driver = serialDriver({
    path,
    clock: systemClock,
    random: seededRandom(1),
    log: silentLog,
    host,
    hubEdgeId: HUB,
    retryMs: 10,
  });
  for (const [round, value] of [true, false].entries()) {
    const pty = openPty();
    onTestFinished(() => pty.unplug());
    node.attach(pty.link);
    rmSync(path, { force: true });
    symlinkSync(pty.path, path);
    await host.recorded(`arrived ${LAMP}`, round + 1);
    expect(host.arrivals.at(-1)?.transport).toBe(`serial ${path}`);
    expect(await driver.write(LAMP, SWITCH, value, attempt())).toEqual({ kind: "value", value });
    expect(node.values.get("Switch.on")).toBe(value);
    node.report("LightLevel.level", 10 + round);
    await host.recorded(`reported LightLevel.level ${10 + round}`);
    pty.unplug();
    await host.recorded(`left ${LAMP}`, round + 1);
    expect(driver.has(LAMP)).toBe(false);
  }
});

test("a port is opened at 115200 baud unless configured otherwise", async () => {
  const opened: SerialPortSettings[] = [];
  const deps = { path: "/dev/ttyX", clock: systemClock, random: seededRandom(1), log: silentLog, hubEdgeId: HUB };
  const openPort = async (settings: SerialPortSettings) => {
    opened.push(settings);
    return memoryLinkPair()[0];
  };
  await using _usual = serialDriver({ ...deps, host: new FakeHost(), openPort });
  await using _slow = serialDriver({ ...deps, host: new FakeHost(), openPort, baudRate: 9600 });
  expect(opened.map(({ path, baudRate }) => [path, baudRate])).toEqual([
    ["/dev/ttyX", 115_200],
    ["/dev/ttyX", 9600],
  ]);
});
