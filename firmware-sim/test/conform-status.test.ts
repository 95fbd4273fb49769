/** How `conform` ends when there is nothing to prove, by case for a build server: by its status and one line. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { seededRandom, systemClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programFile } from "../../test/parts/program-file.ts";
import { openNetworkPort } from "../src/simulator/links/network-port.ts";
import { openPty } from "../src/simulator/links/pty-link.ts";
import { openSerial } from "../src/simulator/links/serial-link.ts";
import { SimulatedNode } from "../src/simulator/node/simulated-node.ts";
import { DEFINITION } from "../src/simulator/node/test-node.fixture.ts";

const MAIN = programFile("firmware-sim/src/main.ts");
const KEY = { identity: DEFINITION.edgeId, key: new Uint8Array(32).fill(7) };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "porchlight-statuses-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function conform(...words: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, "conform", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { status, out, errors };
}

test("a missing port, and a file that is no serial port: status 4", async () => {
  const none = join(folder, "none");
  expect(await conform("--serial", none)).toEqual({
    ...{ status: 4, out: "", errors: `${none} cannot be opened: there is no such port.\n` },
  });
  const file = join(folder, "file");
  await writeFile(file, "text");
  expect(await conform("--serial", file)).toEqual({
    ...{ status: 4, out: "", errors: `${file} cannot be opened: it is no serial port.\n` },
  });
});

test("a port that another program has open: status 5", async () => {
  const pty = openPty();
  const other = await openSerial({ path: pty.path, baudRate: 115_200 });
  expect(await conform("--serial", pty.path)).toEqual({
    ...{ status: 5, out: "", errors: `${pty.path} cannot be opened: another program has it open.\n` },
  });
  other.close();
  pty.close();
});

test("an address without a listener: status 6", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  expect(await conform("--tcp", `127.0.0.1:${port}`)).toEqual({
    ...{ status: 6, out: "", errors: `127.0.0.1:${port} cannot be reached: nothing listens there.\n` },
  });
});

test("a board with another key: status 7", async () => {
  await using node = SimulatedNode.start({ clock: systemClock, random: seededRandom(1), definition: DEFINITION });
  const opened = await openNetworkPort({ address: "127.0.0.1", port: 0, psk: KEY }, (link) => node.attach(link));
  const { status, out, errors } = await conform(
    ...["--tcp", `127.0.0.1:${opened.port}`, "--psk", "08".repeat(32), "--id", DEFINITION.edgeId],
  );
  opened.close();
  expect([status, out]).toEqual([7, ""]);
  expect(errors).toBe(`127.0.0.1:${opened.port} does not take this key for this edgeId.\n`);
});

test("a board that no requested rule can be judged on: status 3, and an error for a build server", async () => {
  await using node = SimulatedNode.start({ clock: systemClock, random: seededRandom(1), definition: DEFINITION });
  const opened = await openNetworkPort({ address: "127.0.0.1", port: 0, psk: undefined }, (link) => node.attach(link));
  const place = ["--tcp", `127.0.0.1:${opened.port}`];
  // Nothing is given to reset it by.
  const junit = join(folder, "report.xml");
  const { status, out } = await conform(...place, "--only", "S7", "--junit", junit);
  expect(status).toBe(3);
  expect(out).toContain("0 passed, 0 failed, 1 not applicable, 0 not run. Nothing is proved: no rule could be judged.");
  expect(await readFile(junit, "utf8")).toContain('errors="1"');
  expect((await conform(...place, "--only", "F5")).status).toBe(0);
  opened.close();
});
