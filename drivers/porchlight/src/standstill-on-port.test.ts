/** B2 in a real process on a real pseudo-terminal: after a standstill, what has come is read before a request is sent again. */
import { attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { seededRandom, silentLog, systemClock } from "@porchlight/shared/kernel";
import { expect, onTestFinished, test } from "vitest";
import { SWITCH } from "./hub-and-node.fixture.ts";
import { linkDriver } from "./link-driver.ts";
import { openPty } from "./pty.fixture.ts";
import { HUB, LAMP, ScriptedNode } from "./scripted-node.fixture.ts";
import { openSerialPort } from "./serial-driver.ts";

const BAUD_RATE = 115_200;
/** Longer than a try, which lasts 856 ms at this speed. */
const STANDSTILL_MS = 1500;

/** Blocks the thread, and with it the event loop, as a slow disk does. */
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL_MS);
}

test("a HELLO that came while the hub stood still is read before its timers, and the WRITE is not sent again", async () => {
  const pty = openPty();
  onTestFinished(() => pty.unplug());
  const clock = systemClock;
  const node = new ScriptedNode(clock);
  const host = new FakeHost();
  let isLive = true;
  let acted = 0;
  let stands = 0;
  node.script = (message) => {
    if (message.type === "HELLO_ACK") isLive = true;
    // PONG leaves after the WRITE has left: the try is timed from then on.
    if (message.type === "PONG" && stands++ === 0) {
      isLive = false;
      node.hello();
      standStill();
    }
    if (message.type !== "WRITE") return undefined;
    if (!isLive) return { type: "ERROR", seq: message.seq, code: 9, text: "" };
    acted += 1;
    node.values.set("Switch.on", message.value);
    return { type: "PING", seq: node.nextSeq() };
  };
  node.attach(pty.link);
  await using driver = linkDriver({
    ...{ name: "serial", clock, host, random: seededRandom(1), log: silentLog, hubEdgeId: HUB, baudRate: BAUD_RATE },
    connect: () => openSerialPort({ path: pty.path, baudRate: BAUD_RATE, clock, log: silentLog }),
  });
  await host.recorded("learned LightLevel.level 40");
  const attempt = attemptOf(clock, { deadline: clock.monotonic() + 60_000, mayTouch: () => true });
  const result = await driver.write(LAMP, SWITCH, true, attempt);
  expect(result).toMatchObject({ kind: "failed", outcome: "unknown" });
  await host.recorded("learned Switch.on true");
  expect({ acted, stands, copies: node.got("WRITE").length }).toEqual({ acted: 1, stands: 1, copies: 1 });
});
