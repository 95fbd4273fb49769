/** A foreign board: a real port, opened as a hub opens it, and how a command line names it. */
import { mkdtempSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { expect, onTestFinished, test } from "vitest";
import { openPty } from "./pty-link.ts";
import { openSerial, parseSerialPlace } from "./serial-link.ts";
import { parseTcpPlace } from "./socket-link.ts";

function plugged() {
  const pty = openPty();
  onTestFinished(() => pty.close());
  return pty;
}

function first(link: ByteLink): Promise<number[]> {
  return new Promise((resolve) =>
    link.listen(
      (bytes) => resolve([...bytes]),
      () => undefined,
    ),
  );
}

test("every byte goes through a port as it is, both ways", async () => {
  const pty = plugged();
  const board = await openSerial({ path: pty.path, baudRate: 115_200 });
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const [there, back] = [first(pty.link), first(board)];
  await board.write(bytes);
  expect(await there).toEqual([...bytes]);
  await pty.link.write(bytes);
  expect(await back).toEqual([...bytes]);
  board.close();
});

test("a board that is unplugged is gone, and what is written to it fails", async () => {
  const pty = plugged();
  const board = await openSerial({ path: pty.path, baudRate: 115_200 });
  const gone = new Promise<string>((resolve) => board.listen(() => undefined, resolve));
  pty.close();
  expect(await gone).toMatch(/gone/);
  await expect(board.write(Uint8Array.of(1))).rejects.toThrow(/gone/);
});

test("a port is looked for by its name, until it is closed here", async () => {
  const clock = new VirtualClock();
  const board = await openSerial({ path: plugged().path, baudRate: 115_200 }, clock);
  expect(clock.pending()).toEqual(["look for a serial port"]);
  const closed = new Promise<string>((resolve) => board.listen(() => undefined, resolve));
  board.close();
  expect([await closed, clock.pending()]).toEqual(["closed", []]);
});

test("a symbolic link is followed when the port is opened", async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-sim-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const name = join(folder, "board");
  const pty = plugged();
  symlinkSync(pty.path, name);
  const board = await openSerial({ path: name, baudRate: 9600 });
  unlinkSync(name);
  const there = first(pty.link);
  await board.write(Uint8Array.of(7));
  expect(await there).toEqual([7]);
  board.close();
  await expect(openSerial({ path: name, baudRate: 9600 })).rejects.toThrow(/there is no such port/);
});

test.each([
  ["/dev/ttyUSB0", { path: "/dev/ttyUSB0", baudRate: 115_200 }],
  ["/dev/ttyUSB0@9600", { path: "/dev/ttyUSB0", baudRate: 9600 }],
  ["/dev/a@b", { path: "/dev/a@b", baudRate: 115_200 }],
  ["/dev/ttyUSB0@0", undefined],
  ["", undefined],
])("--serial %s is %j", (text, place) => expect(parseSerialPlace(text)).toEqual(place));

test.each([
  ["board.local:7300", { host: "board.local", port: 7300 }],
  ["[fe80::1]:7300", { host: "fe80::1", port: 7300 }],
  ["127.0.0.1", undefined],
  ["127.0.0.1:70000", undefined],
])("--tcp %s is %j", (text, place) => expect(parseTcpPlace(text)).toEqual(place));
