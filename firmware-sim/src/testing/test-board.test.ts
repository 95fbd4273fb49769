/** The board for unit tests of others, by its public door alone; and the example of the page, run as it stands. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  encodeFrame,
  encodeMessage,
  type Message,
  settle,
  systemClock,
  TestBoard,
  type TestBoardOptions,
  VirtualClock,
} from "@porchlight/firmware-sim/testing";
import { expect, test } from "vitest";

const LIGHT = "02-50-4C-51-00-01";
const FILE = `nodes: [{edgeId: ${LIGHT}, devices: [{edgeId: ${LIGHT}, kind: colour-light}]}]`;
const BRIDGE = `nodes: [{edgeId: 02-50-4C-52-00-00, devices: [{edgeId: ${LIGHT}, kind: colour-light}, {edgeId: 02-50-4C-52-00-02, kind: button}]}]`;

/** A board that a hub has greeted, and what that hub sends. */
async function greeted(file = FILE, options: TestBoardOptions = {}) {
  const clock = new VirtualClock();
  const board = await TestBoard.start(file, { clock, ...options });
  const send = (message: Message) => board.link.write(encodeFrame(encodeMessage(message)));
  const greet = async () => {
    const { message } = await clock.until(board.frame("HELLO"));
    await send({ type: "HELLO_ACK", seq: message?.seq ?? 0, info: { v: 1, hub: "02-50-4C-00-00-01" } });
    await settle();
  };
  await greet();
  return { board, clock, send, greet };
}

test("is greeted, written and set by hand, and everything that passed can be looked at", async () => {
  const { board, clock, send } = await greeted();
  expect([board.state, board.untold, board.path]).toEqual(["live", 0, "memory"]);
  const lamp = board.device();
  const written = board.frame("WRITTEN");
  await send({ type: "WRITE", seq: 1, device: 0, service: "LightLevel", index: 0, property: "level", value: 40 });
  expect((await clock.until(written)).message).toMatchObject({ seq: 1, value: 40 });
  expect(lamp.writes).toMatchObject([{ property: "LightLevel:0.level", value: 40 }]);
  const report = board.frame(({ message }) => message?.type === "REPORT" && message.property === "on");
  lamp.set("Switch.on", true);
  await clock.until(report);
  expect([lamp.get("Switch.on"), board.untold]).toEqual([true, 1]);
  // The first HELLO had passed before anybody looked.
  expect(board.frames.map(({ message }) => message?.type)).toEqual([
    "HELLO",
    "HELLO",
    "HELLO_ACK",
    "WRITE",
    "WRITTEN",
    "REPORT",
  ]);
  await board[Symbol.asyncDispose]();
});

test("misbehaves, reboots and is pulled as a test wants it", async () => {
  const { board, clock, send, greet } = await greeted();
  const [before, link] = [board.boot, board.link];
  board.device().fault("silent");
  await send({ type: "IDENTIFY", seq: 1, device: 0, seconds: 5 });
  await expect(clock.until(board.frame("ACK", 2000))).rejects.toThrow("No ACK passed in 2000 ms.");
  board.device().fault("none");
  board.reboot();
  await greet();
  expect(board.boot).not.toBe(before);
  board.unplug();
  expect([board.state, board.path]).toEqual(["unplugged", undefined]);
  expect(() => board.link).toThrow("unplugged");
  await board.plug();
  expect(board.link).not.toBe(link);
  await greet();
  board.fault("corrupt 1");
  board.noise(3);
  board.device().set("Switch.on", true);
  await clock.advance(100);
  expect(board.frames.some(({ damage }) => damage?.rule === "F8")).toBe(true);
  await board[Symbol.asyncDispose]();
});

test("a frame that does not come is an error with what came instead", async () => {
  const { board, clock, send } = await greeted();
  const waits = board.frame("WRITTEN", 300);
  await send({ type: "PING", seq: 9 });
  await expect(clock.until(waits)).rejects.toThrow(
    /^No WRITTEN passed in 300 ms\. What passed:\n.*hub {3}PING 9 .*\n.*node {2}PONG 9 /,
  );
  await board[Symbol.asyncDispose]();
});

test("the same seed is the same board, byte for byte", async () => {
  const bytes = async (seed: number) => {
    const { board, clock } = await greeted(FILE.replace("kind: colour-light", "kind: colour-light, lively: true"), {
      seed,
    });
    await clock.advance(60_000);
    await board[Symbol.asyncDispose]();
    return board.frames.map((frame) => Buffer.from(frame.bytes).toString("hex"));
  };
  expect(await bytes(7)).toEqual(await bytes(7));
  expect(await bytes(7)).not.toEqual(await bytes(8));
});

test("a bridge with several devices is reported when the device is ambiguous", async () => {
  const { board } = await greeted(BRIDGE);
  expect(() => board.device()).toThrow(`Say which device: ${LIGHT}, 02-50-4C-52-00-02.`);
  board.device("02-50-4C-52-00-02").press("Button.event", "press");
  expect(board.untold).toBe(1);
  expect(() => board.device(LIGHT).set("Swich.on", true)).toThrow("has no property Swich.on");
  expect(() => board.fault("corupt 0.1")).toThrow('"corupt" is not known: did you mean "corrupt"?');
  await board[Symbol.asyncDispose]();
});

test("is on TCP for programs in any language", async () => {
  const board = await TestBoard.start(FILE.replace("devices", "tcp: 0, announce: false, devices"), {
    on: "port",
    clock: systemClock,
  });
  const hello = board.frame("HELLO");
  const socket = createConnection(board.port ?? 0, "127.0.0.1");
  socket.write(encodeFrame(encodeMessage({ type: "WHO", seq: 1 })));
  expect((await hello).message).toMatchObject({ info: { id: LIGHT } });
  expect(() => board.link).toThrow("on a port");
  socket.destroy();
  await board[Symbol.asyncDispose]();
});

test("a file with mistakes, or with several nodes, is refused in words", async () => {
  await expect(TestBoard.start(FILE.replace("colour-light", "color-light"))).rejects.toThrow("color-light");
  const two = `nodes: [{edgeId: ${LIGHT}, devices: [{edgeId: ${LIGHT}, kind: colour-light}]}, {edgeId: 02-50-4C-52-00-02, devices: [{edgeId: 02-50-4C-52-00-02, kind: button}]}]`;
  await expect(TestBoard.start(two)).rejects.toThrow("A board is one node; the file has 2.");
});

test("the example of the page passes as it stands", async () => {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const page = readFileSync(join(root, "docs/firmware-lab.md"), "utf8");
  const code = /## In unit tests[\s\S]*?^```js\n([\s\S]*?)^```/m.exec(page)?.[1] ?? expect.unreachable();
  const folder = join(root, "node_modules/.cache/porchlight/unit-tests");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `lamp-${process.pid}.test.mjs`);
  writeFileSync(file, code);
  const { stdout } = await promisify(execFile)(process.execPath, ["--test", "--test-reporter=tap", file]);
  rmSync(file);
  expect(stdout).toMatch(/^# pass 1$/m);
});
