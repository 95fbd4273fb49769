/** What a person reads of the bytes on a line. */
import { encodeFrame, encodeMessage } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { headerLine, looksLikeCapture, passedLine, readCapture } from "./capture.ts";
import { Decoder, decodeAll, frameJson, frameLine, readHex } from "./decode.ts";

function hex(text: string): Uint8Array {
  const read = readHex(text);
  if (read.kind === "problem") throw new Error(read.problem);
  return read.bytes;
}

const decoded = (text: string, dir?: "hub" | "node") => decodeAll([{ t: undefined, dir, bytes: hex(text) }]);
const lines = (text: string, dir?: "hub" | "node") => decoded(text, dir).map(frameLine);
const rules = (text: string, dir?: "hub" | "node") => decoded(text, dir).map(({ damage }) => damage?.rule);

test.each([
  ["C0 82 0B 07 35 BB C0", "PING 7"],
  ["C0 82 0B 18 DB DC 17 F7 C0", "PING 192"],
  ["C0 84 03 17 00 00 E7 F5 C0", "DESCRIBE 23, device 0, part 0"],
  [
    "C0 86 05 19 01 02 00 6A 4C 69 67 68 74 43 6F 6C 6F 72 00 63 68 75 65 01 0E C0",
    "READ 258, device 0, LightColor 0 hue",
  ],
  ["C0 83 06 19 01 02 FA 43 52 80 00 1E 58 C0", "VALUE 258: 210.5"],
  ["C0 87 07 18 64 00 66 53 77 69 74 63 68 01 62 6F 6E F5 9F 0C C0", "WRITE 100, device 0, Switch 1 on: true"],
  ["C0 83 0E 18 2A 80 ED 33 C0", "CHANGED 42, devices []"],
  ["C0 84 0F 0C 00 18 1E 8F 7F C0", "IDENTIFY 12, device 0, 30 s"],
  [
    "C0 87 04 17 00 00 01 81 A3 61 73 66 53 77 69 74 63 68 61 69 00 61 70 81 62 6F 6E A0 B3 10 C0",
    "DESCRIPTION 23, device 0, part 0 of 1: Switch 0 on",
  ],
])("%s is reported in words", (bytes, words) => expect(lines(bytes)).toEqual([`${words}  [${bytes}]`]));

test("HELLO and ERROR say all that they carry", () => {
  const says = (message: Parameters<typeof encodeMessage>[0]) =>
    frameLine(
      decodeAll([{ t: 1500, dir: "node", bytes: encodeFrame(encodeMessage(message)) }])[0] ?? expect.unreachable(),
    ).replace(/ {2}\[.*/, "");
  const info = { v: 1, id: "02-50-4C-00-00-01", devices: ["02-50-4C-00-00-01", null], boot: 3, max: 256, win: 1 };
  expect(says({ type: "HELLO", seq: 4, info: { ...info, fw: "1.0" } })).toBe(
    '    1.500  node  HELLO 4, 02-50-4C-00-00-01, boot 3, max 256, win 1, devices [02-50-4C-00-00-01, null], fw "1.0"',
  );
  expect(says({ type: "ERROR", seq: 4, code: 8, text: "No." })).toBe(
    '    1.500  node  ERROR 4, code 8 value rejected: "No."',
  );
});

test.each([
  ["a bad CRC", "C0 82 0B 07 35 BC C0", "F8"],
  ["a bad escape", "C0 82 DB 07 35 BB C0", "F6"],
  ["an escape before END", "C0 82 0B DB C0", "F6"],
  ["too few bytes", "C0 82 0B C0", "F8"],
  ["a frame that is not ended", "C0 82 0B 07 35 BB", "F4"],
  ["the beginning of a frame", "C0 82 0B 07", "F4"],
  ["a frame that is not begun", "82 0B 07 35 BB C0", "F4"],
])("%s is damage under its rule", (_, bytes, rule) => expect(rules(bytes)).toEqual([rule]));

const framed = (body: string) => Buffer.from(encodeFrame(hex(body))).toString("hex");

test.each([
  ["bytes after the item", "82 0B 07 00", "F9"],
  ["a byte string", "83 0B 07 41 00", "C4"],
  ["a key twice", "83 02 00 A2 61 76 01 61 76 01", "C7"],
  ["nine levels", `83 0B 07 ${"81 ".repeat(8)}00`, "C6"],
  ["no array", "A0", "W1"],
  ["a seq beyond 65535", "82 0B 1A 00 01 00 00", "W1"],
  ["an unknown type", "82 18 63 07", "W2"],
  ["a READ without a property", "84 05 07 00 61 41", "W3"],
  ["a HELLO without an id", "83 01 00 A1 61 76 01", "M6"],
  ["a READ of a node", "86 05 01 00 61 41 00 61 62", "W4"],
])("a good frame that holds %s is damage under its rule", (_, body, rule) =>
  expect(rules(framed(body), "node")).toEqual([rule]),
);

test("a frame that is longer than the node stated is damage, and one that fits is not", () => {
  const info = { v: 1, id: "02-50-4C-00-00-01", devices: [], boot: 3, max: 128, win: 1 };
  const decoder = new Decoder();
  decoder.push({ t: 0, dir: "node", bytes: encodeFrame(encodeMessage({ type: "HELLO", seq: 1, info })) });
  const write = (length: number) =>
    encodeFrame(
      encodeMessage({
        ...{ type: "WRITE", seq: 1, device: 0, service: "A", index: 0, property: "b" },
        value: "x".repeat(length),
      }),
    );
  const of = (length: number) => decoder.push({ t: 0, dir: "hub", bytes: write(length) }).map((f) => f.damage?.rule);
  expect([of(60), of(128)]).toEqual([[undefined], ["F7"]]);
});

test("damage ends at the next END; what follows is whole", () =>
  expect(rules("C0 01 02 03 C0 C0 82 0B 07 35 BB C0 82 0B 07 35 BB C0")).toEqual(["F8", undefined, undefined]));

test("the two directions of a line do not disturb each other", () => {
  const decoder = new Decoder();
  const half = hex("C0 82 0B");
  decoder.push({ t: 0, dir: "hub", bytes: half });
  expect(decoder.push({ t: 1, dir: "node", bytes: hex("C0 82 0C 07 AC 2C C0") })[0]?.message?.type).toBe("PONG");
  expect(decoder.push({ t: 2, dir: "hub", bytes: hex("07 35 BB C0") })[0]).toMatchObject({ t: 2, dir: "hub" });
  expect(decoder.finish()).toEqual([]);
});

test.each([
  ["without spaces", "c0820b0735bbc0"],
  ["with 0x and commas", "0xC0, 0x82, 0x0B, 0x7, 0x35, 0xBB, 0xC0"],
  [
    "as a C array",
    "/* PING */\nstatic const uint8_t ping[7] = {\n  0xC0, 0x82, 0x0B, 0x07, // type\n  0x35, 0xBB, 0xC0 };",
  ],
  ["as a C string", String.raw`const char *ping = "\xC0\x82\x0B\x07\x35\xBB\xC0";`],
  ["as a string of Python", String.raw`b"\xc0\x82\x0b\x07\x35\xbb\xc0"`],
  ["with colons", "C0:82:0B:07:35:BB:C0"],
  ["out of hexdump -C", "00000000  c0 82 0b 07 35 bb c0                              |....5..|\n00000007"],
  ["out of xxd", "00000000: c082 0b07 35bb c0                        ....5.."],
  ["out of the protocol document", "`C0 82 0B 07 35 BB C0`"],
])("hex is taken %s", (_, text) => expect(lines(text)).toEqual(["PING 7  [C0 82 0B 07 35 BB C0]"]));

test.each([
  ["C0 82\n0B hello", 'line 2: "hello" is no hex'],
  ["C0 821", 'line 1: "821" has an odd number of digits'],
  ["  ", "there are no bytes"],
])("what is no hex is named by its line: %j", (text, problem) =>
  expect(readHex(text)).toEqual({ kind: "problem", problem }),
);

test("a capture comes back as it was written, and its last line may be cut", () => {
  const passed = [
    { t: 0.5, dir: "hub", bytes: hex("C0 82 0B 07 35 BB C0") },
    { t: 3, dir: "node", bytes: hex("C0 82 0C 07 AC 2C C0"), node: "02-50-4C-00-00-01" },
  ] as const;
  const text = headerLine("a lamp", 1_767_225_600_000) + passed.map(passedLine).join("");
  const read = readCapture(text);
  expect(looksLikeCapture(text)).toBe(true);
  expect(read).toMatchObject({
    kind: "ok",
    isCut: false,
    capture: { of: "a lamp", passed: passed.map((p) => ({ t: p.t })) },
  });
  expect(read.kind === "ok" && read.capture.passed.map(passedLine)).toEqual(passed.map(passedLine));
  expect(readCapture(text.slice(0, -20))).toMatchObject({ kind: "ok", isCut: true, capture: { passed: [{ t: 0.5 }] } });
});

test("what is wrong with a capture is named by its line", () => {
  expect(readCapture(`${headerLine("x")}{"t":1,"dir":"hbu","bytes":"C"}\n{}\n`)).toMatchObject({
    kind: "problems",
    problems: [expect.stringMatching(/^line 2: dir: .*bytes: must be hex/), expect.stringMatching(/^line 3: t: /)],
  });
  expect(readCapture('{"t":1,"dir":"hub","bytes":"C0"}\n')).toMatchObject({
    problems: [expect.stringMatching(/^line 1: a capture begins/)],
  });
});

test("NDJSON carries the message, its words and its bytes", () => {
  const [frame] = decodeAll([{ t: 2, dir: "hub", bytes: hex("C0 82 0B 07 35 BB C0") }]);
  expect(JSON.parse(frameJson(frame ?? expect.unreachable()))).toEqual({
    ...{ t: 2, dir: "hub", hex: "C0820B0735BBC0", words: "PING 7" },
    message: { type: "PING", seq: 7 },
  });
});
