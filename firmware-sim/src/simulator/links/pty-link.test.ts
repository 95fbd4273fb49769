/** Real pseudo-terminals: what a hub finds that opens a simulated node's port like any other serial port. */
import { execFileSync, spawnSync } from "node:child_process";
import { constants, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReadStream } from "node:tty";
import { seededRandom, systemClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SimulatedNode } from "../node/simulated-node.ts";
import { DEFINITION, LIGHT, ScriptedHub } from "../node/test-node.fixture.ts";
import { openPty } from "./pty-link.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-pty-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A port opened as a hub opens it: raw, without echo. */
function openPort(path: string): ByteLink {
  execFileSync("stty", ["-F", path, "raw", "-echo"]);
  const port = new ReadStream(openSync(path, constants.O_RDWR | constants.O_NOCTTY));
  return {
    listen: (onBytes, onClosed) => {
      port.on("data", onBytes).on("error", () => undefined);
      port.once("close", () => onClosed("vanished"));
    },
    write: (bytes) => new Promise((resolve) => port.write(bytes, () => resolve())),
    close: () => port.destroy(),
  };
}

test("a node is greeted, read and written through its port, with every byte intact", async () => {
  const port = openPty();
  await using node = SimulatedNode.start({
    clock: systemClock,
    random: seededRandom(1),
    definition: { ...DEFINITION, max: 4095 },
  });
  const hub = new ScriptedHub(openPort(port.path), systemClock);
  node.attach(port.link);
  await expect.poll(() => hub.last("HELLO")).toBeDefined();
  await hub.acknowledge();
  await expect.poll(() => node.state).toBe("live");
  // The seqs hold what a terminal would act upon: end of file, interrupt, carriage return, flow control, END, ESC.
  for (const seq of [0x04, 0x03, 0x0d, 0x0a, 0x11, 0x13, 0x7f, 0xc0, 0xdb, 0x1a]) {
    await hub.say({
      type: "WRITE",
      seq,
      device: 0,
      service: "LightLevel",
      index: 0,
      property: "level",
      value: seq % 100,
    });
    await expect.poll(() => hub.last("WRITTEN")).toEqual({ type: "WRITTEN", seq, value: seq % 100 });
  }
  expect(node.device(LIGHT).writes).toHaveLength(10);
  expect([...node.damage]).toEqual([]);
  hub.close();
  port.close();
});

test("a port comes, goes and comes back under one name", async () => {
  const name = join(folder, "light");
  const first = openPty(name);
  const hub = new ScriptedHub(openPort(name), systemClock);
  first.close();
  await expect.poll(() => hub.closed).toBe("vanished");
  expect(existsSync(name)).toBe(false);
  const second = openPty(name);
  await using node = SimulatedNode.start({ clock: systemClock, random: seededRandom(1), definition: DEFINITION });
  const again = new ScriptedHub(openPort(name), systemClock);
  node.attach(second.link);
  await expect.poll(() => again.last("HELLO")).toBeDefined();
  again.close();
  second.close();
});

test("a hub may close the port and open it again: the line stays", async () => {
  const port = openPty();
  await using node = SimulatedNode.start({ clock: systemClock, random: seededRandom(1), definition: DEFINITION });
  const first = new ScriptedHub(openPort(port.path), systemClock);
  node.attach(port.link);
  await expect.poll(() => first.last("HELLO")).toBeDefined();
  first.close();
  const second = new ScriptedHub(openPort(port.path), systemClock);
  await second.say({ type: "WHO", seq: 1 });
  await expect.poll(() => second.last("HELLO")).toBeDefined();
  second.close();
  port.close();
});

test("what is reported before a hub is there does not come back as an echo", async () => {
  const port = openPty();
  const received: number[] = [];
  port.link.listen(
    (bytes) => received.push(...bytes),
    () => undefined,
  );
  await port.link.write(Uint8Array.of(0xc0, 0x0a, 0x04, 0xc0));
  const hub = openPort(port.path);
  await hub.write(Uint8Array.of(0x55));
  await expect.poll(() => received).toContain(0x55);
  expect(received).toEqual([0x55]);
  hub.close();
  port.close();
});

test("a name that is a file is left alone", () => {
  const name = join(folder, "precious");
  writeFileSync(name, "");
  expect(() => openPty(name)).toThrow("no symbolic link");
});

test("a port without a reader blocks no program, and its buffer waits for the next reader", () => {
  const link = new URL("./pty-link.ts", import.meta.url).href;
  // In a process of its own: one that writes until all is written never comes back.
  const program = `
    import { openSync, readSync } from "node:fs";
    import { openPty } from ${JSON.stringify(link)};
    const port = openPty();
    const lost = [];
    for (let block = 0; block < 400; block += 1) lost.push(port.link.write(new Uint8Array(512).fill(65 + (block % 26))));
    setTimeout(() => {
      const bytes = Buffer.alloc(1024);
      console.log(bytes.toString("latin1", 0, readSync(openSync(port.path, "r+"), bytes)).slice(0, 3));
      process.exit();
    }, 50);
    for (const each of lost) each.catch(() => undefined);`;
  const words = ["--input-type=module", "--eval", program];
  const { stdout, status } = spawnSync(process.execPath, words, {
    encoding: "utf8",
    timeout: 300_000,
    killSignal: "SIGKILL",
  });
  expect({ stdout, status }).toEqual({ stdout: "AAA\n", status: 0 });
});
