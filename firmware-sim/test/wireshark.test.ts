/** The dissector for Wireshark reads captures of `porchlight-sim` and TCP as the protocol document has it, where the machine has tshark. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { encodeFrame, encodeMessage } from "@porchlight/shared/wire";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../test/parts/program.ts";
import { programFile } from "../../test/parts/program-file.ts";

const DISSECTOR = join(ROOT, "firmware/wireshark/porchlight.lua");
const SIM = programFile("firmware-sim/src/main.ts");
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

const HUB = "02-50-4C-00-00-01";
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-wireshark-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

it("has a name for every type, every code and every layout of the protocol document", () => {
  const lua = readFileSync(DISSECTOR, "utf8");
  const page = readFileSync(join(ROOT, "docs/contract/device-protocol.md"), "utf8");
  const types = [...page.matchAll(/^\| (\d+) \| ([A-Z_]+) \| (?:node|hub|either) \|/gm)];
  expect(types).toHaveLength(16);
  for (const [, number, name] of types) expect(lua).toContain(`[${number}] = "${name}"`);
  const codes = [...page.matchAll(/^\| (\d+) \| ([a-z ]+) \| .*(?:502|422)/gm)];
  expect(codes).toHaveLength(12);
  for (const [, number, meaning] of codes) expect(lua).toContain(`[${number}] = "${meaning}"`);
});

// It is not one of this project's packages: the rest is run on the machines that have it.
if (has("tshark")) {
  /** Packets as `fields` of them, one line each. */
  const fieldsOf = (file: string, fields: readonly string[], ...more: readonly string[]) =>
    execFileSync(
      "tshark",
      [
        ...["-X", `lua_script:${DISSECTOR}`, "-r", file, "-T", "fields", "-E", "separator=|", ...more],
        ...fields.flatMap((field) => ["-e", field]),
      ],
      { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, HOME: folder } },
    )
      .trimEnd()
      .split("\n");

  const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  const framed = (body: string) => hexOf(encodeFrame(Buffer.from(body.replaceAll(" ", ""), "hex")));

  /** Frames two ms apart as pcapng, and in the words of `decode`. */
  const captured = (stated: readonly (readonly [dir: string, hex: string])[]) => {
    const [capture, file] = [join(folder, "board.ndjson"), join(folder, "board.pcapng")];
    const lines = stated.map(([dir, hex], at) => ({ t: at * 2, dir, bytes: hex.replaceAll(" ", "") }));
    const header = { capture: 1, of: "a board", at: 1_700_000_000_000 };
    writeFileSync(capture, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
    const words = spawnSync(process.execPath, [SIM, "decode", capture, "--out", file], { encoding: "utf8" }).stdout;
    return { file, words };
  };

  it("reads every frame that the lamp and a hub exchange in the words of `decode`", () => {
    const info = { v: 1, id: HUB, devices: [HUB, null], boot: 3, max: 256, win: 1, mo: 'a "lamp"' };
    const address = { device: 0, service: "LightLevel", index: 0, property: "level" };
    const stated = [
      ["node", { type: "HELLO", seq: 7, info }],
      ["hub", { type: "HELLO_ACK", seq: 7, info: { v: 1, hub: "02-50-4C-00-00-99", now: 1_700_000_000 } }],
      ["hub", { type: "WRITE", seq: 192, ...address, value: 210.5 }],
      ["hub", { type: "WRITE", seq: 192, ...address, value: 210.5 }],
      ["node", { type: "WRITTEN", seq: 192, value: 210.5 }],
      ["hub", { type: "WRITE", seq: 193, ...address, value: { a: [1, -2, 0.1, "ü", true, null] } }],
      ["node", { type: "ERROR", seq: 193, code: 8, text: "No." }],
      ["hub", { type: "IDENTIFY", seq: 194, device: 0, seconds: 30 }],
      ["node", { type: "ACK", seq: 194 }],
      ["node", { type: "CHANGED", seq: 8, devices: [HUB] }],
      ["hub", { type: "DESCRIBE", seq: 195, device: 0, part: 0 }],
      ["hub", { type: "WHO", seq: 196 }],
    ] as const satisfies readonly (readonly ["hub" | "node", Parameters<typeof encodeMessage>[0]])[];
    const { file, words } = captured(stated.map(([dir, message]) => [dir, hexOf(encodeFrame(encodeMessage(message)))]));
    const read = fieldsOf(file, [
      "_ws.col.Source",
      "_ws.col.Info",
      "porchlight.answers",
      "porchlight.time",
      "porchlight.repeats",
    ]);
    expect(read).toEqual([
      `node|HELLO 7, ${HUB}|||`,
      "hub|HELLO_ACK 7, 02-50-4C-00-00-99|1|2|",
      "hub|WRITE 192, device 0, LightLevel 0 level: 210.5|||",
      "hub|WRITE 192, device 0, LightLevel 0 level: 210.5|||3",
      "node|WRITTEN 192: 210.5|3|4|",
      'hub|WRITE 193, device 0, LightLevel 0 level: {"a":[1,-2,0.1,"ü",true,null]}|||',
      'node|ERROR 193, code 8 value rejected: "No."|6|2|',
      "hub|IDENTIFY 194, device 0, 30 s|||",
      "node|ACK 194|8|2|",
      `node|CHANGED 8, devices ["${HUB}"]|||`,
      "hub|DESCRIBE 195, device 0, part 0|||",
      "hub|WHO 196|||",
    ]);
    // The same as our own words, for whatever those say.
    for (const line of read.filter((each) => /WRITE|ERROR|IDENTIFY|ACK 194|WHO/.test(each)))
      expect(words.replaceAll("  [", "|[")).toContain(`${line.split("|")[1]}|[`);
  });

  it("names damage by its rule, as an error", () => {
    const { file } = captured([
      ["node", "C0 82 0B 07 35 BC C0"],
      ["node", "C0 82 DB 07 35 BB C0"],
      ["node", "C0 82 0B C0"],
      ["node", "C0 82 0B 07"],
      ["hub", "82 0B 07 35 BB C0"],
      ["hub", framed("82 0B 07 00")],
      ["hub", framed("83 0B 07 41 00")],
      ["hub", framed("83 02 00 A2 61 76 01 61 76 01")],
      ["hub", framed(`83 0B 07 ${"81 ".repeat(8)}00`)],
      ["hub", framed("A0")],
      ["hub", framed("82 18 63 07")],
      ["hub", framed("84 05 07 00 61 41")],
      ["hub", framed("86 05 07 20 61 41 00 61 42")],
    ]);
    const read = fieldsOf(file, ["porchlight.damage", "_ws.expert.severity"]);
    const rules = read.map((line) => /^\w+(?=:)/.exec(line)?.[0]);
    // What was never ended is the last of a capture.
    expect(rules).toEqual(["F8", "F6", "F8", "F4", "F9", "C4", "C7", "C6", "W1", "W2", "W3", "W3", "F4"]);
    // PI_ERROR, beside the comments that porchlight-sim writes.
    expect(read.filter((line) => !/\b8388608\b/.test(line))).toEqual([]);
  });

  it("recognises frames on TCP, on any port and cut anywhere, and several in one segment", () => {
    const write = framed("87 07 18 64 00 66 53 77 69 74 63 68 01 62 6F 6E F5");
    const written = framed("83 08 18 64 F5");
    const dump = join(folder, "segments.txt");
    const [hub, node] = [[write.slice(0, 18), write.slice(18), written.slice(0, 0)], [written + written]];
    // As text2pcap reads it: O is what the hub sends, I what comes back.
    const lines = [...hub.filter((part) => part !== "").map((part) => ["O", part]), ...node.map((part) => ["I", part])];
    writeFileSync(dump, lines.map(([dir, part = ""]) => `${dir}\n0000 ${part.match(/../g)?.join(" ")}\n`).join("\n"));
    const file = join(folder, "tcp.pcapng");
    execFileSync("text2pcap", ["-q", "-D", "-T", "50001,7301", dump, file], { stdio: "ignore" });
    // The first segment is half of a frame, and nothing by which it could be known: the port is told.
    const reported = fieldsOf(
      file,
      ["_ws.col.Protocol", "_ws.col.Info", "porchlight.answers"],
      "-o",
      "porchlight.ports:7301",
    );
    expect(reported.slice(1)).toEqual([
      "Porchlight|WRITE 100, device 0, Switch 1 on: true|",
      "Porchlight|WRITTEN 100: true; WRITTEN 100: true|2,2",
    ]);
    const whole = join(folder, "whole.txt");
    writeFileSync(whole, `O\n0000 ${write.match(/../g)?.join(" ")}\n`);
    execFileSync("text2pcap", ["-q", "-D", "-T", "50001,7302", whole, file], { stdio: "ignore" });
    expect(fieldsOf(file, ["_ws.col.Protocol", "_ws.col.Info"])).toEqual([
      "Porchlight|WRITE 100, device 0, Switch 1 on: true",
    ]);
  });

  it("survives any bytes", () => {
    const random = seededRandom(1);
    const { file } = captured(
      Array.from({ length: 300 }, () => [
        "node",
        framed(Buffer.from(random.bytes(1 + randomInteger(random, 40))).toString("hex")),
      ]),
    );
    const read = fieldsOf(file, ["porchlight.damage", "_ws.lua.error"]);
    expect(read).toHaveLength(300);
    expect(read.filter((line) => !/^\w+: .*\|$/.test(line) && !line.startsWith("|"))).toEqual([]);
  });
} else it("is not run here, because tshark is not installed", () => expect(has("tshark")).toBe(false));
