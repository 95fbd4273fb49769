import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Log, silentLog, systemClock, VirtualClock } from "@porchlight/shared/kernel";
import { expect, onTestFinished, test } from "vitest";
import { openPty } from "./pty.fixture.ts";
import { openSerialPort } from "./serial-driver.ts";

function plugged() {
  const pty = openPty();
  onTestFinished(() => pty.unplug());
  return pty;
}

const open = (path: string, log: Log = silentLog) =>
  openSerialPort({ path, baudRate: 115_200, clock: systemClock, log });

/** The first bytes that come. */
function bytesOf(link: Awaited<ReturnType<typeof open>>): Promise<number[]> {
  return new Promise((resolve) =>
    link.listen(
      (bytes) => resolve([...bytes]),
      () => undefined,
    ),
  );
}

test("every byte goes through a port as it is, both ways", async () => {
  const pty = plugged();
  const port = await open(pty.path);
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const there = bytesOf(pty.link);
  const back = bytesOf(port);
  await port.write(bytes);
  expect(await there).toEqual([...bytes]);
  await pty.link.write(bytes);
  expect(await back).toEqual([...bytes]);
  port.close();
});

test("a port is raw, 8N1, without echo, at its baud rate, and closing it does not drop DTR", async () => {
  const pty = plugged();
  execFileSync("stty", ["-F", pty.path, "hupcl", "echo", "icanon"]);
  const warnings: string[] = [];
  const port = await open(pty.path, { ...silentLog, warn: (_fields, message) => void warnings.push(message) });
  const modes = execFileSync("stty", ["-F", pty.path, "-a"]).toString();
  for (const mode of ["-hupcl", "-echo", "-icanon", "-isig", "-opost", "-ixon", "-icrnl", "cs8", "-parenb", "-cstopb"])
    expect(modes).toMatch(new RegExp(`(^|\\s)${mode}\\b`));
  expect(modes).toContain("speed 115200 baud");
  expect(warnings).toEqual([]);
  port.close();
});

test("a port that vanishes is down at once, and what is written to it fails", async () => {
  const pty = plugged();
  const port = await open(pty.path);
  const closed = new Promise<string>((resolve) => port.listen(() => undefined, resolve));
  pty.unplug();
  expect(await closed).toMatch(/gone/);
  await expect(port.write(Uint8Array.of(1))).rejects.toThrow(/gone/);
});

test("what a vanished port has not let go of fails, instead of waiting for ever", async () => {
  const pty = plugged();
  const port = await open(pty.path);
  port.listen(
    () => undefined,
    () => undefined,
  );
  const stuck = port.write(new Uint8Array(1_000_000));
  pty.unplug();
  await expect(stuck).rejects.toThrow();
});

test("a port that is closed here is reported as closed, once", async () => {
  const port = await open(plugged().path);
  const reported: string[] = [];
  port.listen(
    () => undefined,
    (reason) => void reported.push(reason),
  );
  port.close();
  port.close();
  expect(reported).toEqual(["closed"]);
});

test("a symbolic link is followed at each opening", async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const name = join(folder, "port");
  for (const pty of [plugged(), plugged()]) {
    rmSync(name, { force: true });
    symlinkSync(pty.path, name);
    const port = await open(name);
    const there = bytesOf(pty.link);
    await port.write(Uint8Array.of(7));
    expect(await there).toEqual([7]);
    port.close();
  }
});

test("a missing port is reported", async () => {
  await expect(open("/dev/no-such-port")).rejects.toThrow(/no such file/i);
});

test("a port that another program has locked is not shared", async () => {
  const pty = plugged();
  const port = await open(pty.path);
  await expect(open(pty.path)).rejects.toThrow(/lock/i);
  port.close();
});

test("a port that another has replaced under its name is down although no read has failed", async () => {
  const clock = new VirtualClock();
  let identity = "first";
  const identityOf = async () => identity;
  const port = await openSerialPort({ path: plugged().path, baudRate: 9600, clock, log: silentLog, identityOf });
  const reported: string[] = [];
  port.listen(
    () => undefined,
    (reason) => void reported.push(reason),
  );
  await clock.advance(5000);
  expect(reported).toEqual([]);
  identity = "second";
  await clock.advance(1000);
  expect(reported).toEqual(["the port is gone"]);
  expect(clock.pending()).toEqual([]);
});
