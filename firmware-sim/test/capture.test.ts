/** Record, decode, replay and compare: the C lamp with the real agent and cloud, and then each of them against the other's capture. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../test/parts/eventually.ts";
import { Home } from "../../test/parts/home.ts";
import { Program, ROOT } from "../../test/parts/program.ts";
import { Programs } from "./build.ts";
import { Lamp } from "./lamp.ts";

const SIM = "firmware-sim/src/main.ts";
const ID = "02-50-4C-00-0C-01";

const stack = new AsyncDisposableStack();
let program: string;
let capture: string;
/** The port on which the home's hub looks for the lamp. */
let port: string;
let home: Home;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "porchlight-capture-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  program = await stack.use(await Programs.make()).build("lamp", ["examples/lamp.c", "porchlight.c"]);
  capture = join(folder, "lamp.ndjson");
  port = join(folder, "port");
  await record();
});
afterAll(() => stack.disposeAsync());

/** Somebody sets the lamp through the cloud and turns it at its own switch, while a recorder stands in between. */
async function record(): Promise<void> {
  await using lamp = await Lamp.start(program, ["--id", ID, "--boot", "7"]);
  await using recorder = new Program("record", SIM, [
    ...["record", "--serial", lamp.port, "--link", port, "--out", capture],
  ]);
  await recorder.line((line) => (line === port ? line : undefined));
  home = stack.use(await Home.start({ serial: [port] }));
  await owner();
  lamp.press("t");
  await eventually("the cloud has it", async () => (await home.cached(ID, "Switch.on"))?.value === false);
  expect(await recorder.stop()).toEqual({ code: 0, signal: null });
}

async function owner(): Promise<void> {
  expect(await home.put(ID, "Switch.on", true)).toMatchObject({ status: 200 });
  expect(await home.put(ID, "LightColor.hue", 210.5)).toMatchObject({ status: 200, body: { value: 210.5 } });
}

/** A command that ends by itself: its status and what it said on stdout. */
function sim(...words: string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, [join(ROOT, SIM), ...words], (failure, stated) =>
      resolve({ code: Number(failure?.code ?? 0), said: stated }),
    ),
  );
}

/** The hub's side against a lamp; `press` says whether its owner turns it when that is waited for. */
async function againstLamp(file: string, options: readonly string[], press: boolean) {
  await using lamp = await Lamp.start(program, options);
  const words = [
    "replay",
    file,
    "--as",
    "hub",
    "--serial",
    lamp.port,
    "--fast",
    "--json",
    "--patience",
    press ? "30" : "3",
  ];
  await using replay = new Program("replay", SIM, words);
  const events: { event: string; [key: string]: unknown }[] = [];
  let hue = false;
  void replay
    .line((line) => {
      const event = JSON.parse(line);
      events.push(event);
      hue ||= event.event === "said" && event.message?.property === "hue" && event.message.type === "WRITE";
      return event.event === "never" ? event : undefined;
    })
    .catch(() => undefined);
  if (press) {
    await eventually("its owner is waited for", async () => hue && lamp.last?.includes("hue 210.5") === true);
    lamp.press("t");
  }
  const { code } = await replay.ended;
  return { code, events };
}

it("is recorded without damage, in words of the protocol document", async () => {
  const { code, said: stated } = await sim("decode", capture);
  expect(code).toBe(0);
  expect(stated).toMatch(/node {2}HELLO \d+, 02-50-4C-00-0C-01, boot 7,/);
  expect(stated).toMatch(/hub {3}WRITE \d+, device 0, LightColor 0 hue: 210\.5 {2}\[C0 /);
  expect(stated).toMatch(/node {2}REPORT \d+, device 0, Switch 0 on: false {2}\[C0 /);
});

it("is the same lamp at another boot: the hub's side finds no difference", async () => {
  const { code, events } = await againstLamp(capture, ["--id", ID, "--boot", "8"], true);
  expect(events.filter(({ event }) => event !== "said" && event !== "heard" && event !== "waits")).toEqual([]);
  expect(code).toBe(0);
});

it("is the same lamp when the capture has been through pcapng, and back", async () => {
  const [pcapng, back] = [`${capture}.pcapng`, `${capture}.back`];
  expect((await sim("decode", capture, "--out", pcapng)).code).toBe(0);
  const [was, is] = [await sim("decode", capture), await sim("decode", pcapng, "--out", back)];
  const words = (stated: string) => stated.split("\n").map((line) => line.replace(/^ *[\d.]+ {2}/, ""));
  expect([is.code, words(is.said)]).toEqual([0, words(was.said)]);
  expect((await sim("decode", back)).said).toBe(is.said);
  const { code, events } = await againstLamp(pcapng, ["--id", ID, "--boot", "8"], true);
  expect(events.filter(({ event }) => event !== "said" && event !== "heard" && event !== "waits")).toEqual([]);
  expect(code).toBe(0);
});

it("differs where the capture has another answer, and a difference is status 1", async () => {
  const other = `${capture}.other`;
  // The value that WRITTEN gave back, in the capture of a lamp that rounds.
  const lines = (await readFile(capture, "utf8")).split("\n");
  const { said: stated } = await sim("decode", "--json", capture);
  const written = stated
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .find(({ message }) => message?.type === "WRITTEN" && message.value === 210.5);
  const { encodeFrame, encodeMessage } = await import("@porchlight/shared/wire");
  const rounded = Buffer.from(encodeFrame(encodeMessage({ ...written.message, value: 210 }))).toString("hex");
  const replaced = lines.map((line) => line.replace(written.hex, rounded));
  expect(replaced).not.toEqual(lines);
  await writeFile(other, replaced.join("\n"));
  const { code, events } = await againstLamp(other, ["--id", ID], true);
  expect(events.filter(({ event }) => event === "differs")).toMatchObject([
    { expected: { type: "WRITTEN", value: 210 }, came: { type: "WRITTEN", value: 210.5 } },
  ]);
  expect(code).toBe(1);
});

it("is waited for, and a report that never comes is status 42", async () => {
  const { code, events } = await againstLamp(capture, ["--id", ID], false);
  expect(events.at(-1)).toMatchObject({ event: "never", expected: { type: "REPORT", property: "on", value: false } });
  expect(code).toBe(42);
});

it("is played to the real agent, which asks and writes as it did when its owner does", async () => {
  await eventually("the lamp is gone", async () => (await home.connection(ID)) === "offline");
  const words = ["replay", capture, "--as", "node", "--link", port, "--fast", "--json", "--patience", "60"];
  await using replay = new Program("replay", SIM, words);
  const events: { event?: string }[] = [];
  void replay.line((line) => void events.push(JSON.parse(line))).catch(() => undefined);
  await home.online();
  await owner();
  expect([await replay.ended, events.filter(({ event }) => event !== "said" && event !== "heard")]).toEqual([
    { code: 0, signal: null },
    [{ path: port }],
  ]);
});
