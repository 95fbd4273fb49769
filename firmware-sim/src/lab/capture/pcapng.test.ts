/** Captures as pcapng: the bytes of the format by hand, nothing lost between the two formats, and files that are damaged or foreign. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "@porchlight/shared/kernel";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Passed } from "./capture.ts";
import { CaptureFile } from "./capture-file.ts";
import { decodeAll } from "./decode.ts";
import { cutBlocks, INTERFACE, looksLikePcapng, PACKET, pcapngOf, readPcapng, SECTION } from "./pcapng.ts";

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replace(/\s/g, ""), "hex"));
const PING = bytes("C0 82 0B 07 35 BB C0");
const PONG = bytes("C0 82 0C 07 AC 2C C0");
const ping: Passed = { t: 1.5, dir: "hub", bytes: PING };

/** By hand from the format's document: a section, an interface, a packet. */
const BY_HAND = `
  0A0D0D0A 3C000000 4D3C2B1A 0100 0000 FFFFFFFFFFFFFFFF
    0100 0300 616C6C00  0400 0E00 706F7263686C696768742D73696D 0000  00000000
  3C000000
  01000000 30000000 9300 0000 00000000
    0200 0400 6C696E65  0300 0300 616C6C00  0900 0100 06000000  00000000
  30000000
  06000000 34000000 00000000 00000000 DC050000 07000000 07000000 C0820B0735BBC0 00
    0200 0400 02000000  00000000
  34000000`;

function passedIn(file: Uint8Array): readonly Passed[] {
  const read = readPcapng(file);
  if (read.kind === "problems") throw new Error(read.problems.join("\n"));
  return read.capture.passed;
}

const problems = (file: Uint8Array) => {
  const read = readPcapng(file);
  return read.kind === "problems" ? read.problems : [];
};

test("a frame is written to the byte as the format wants it", () => {
  expect(Buffer.from(pcapngOf("all", 0, [ping])).toString("hex")).toBe(Buffer.from(bytes(BY_HAND)).toString("hex"));
});

test("a big-endian file with nanoseconds and blocks of other kinds is read too", () => {
  const file = bytes(`
    0A0D0D0A 0000001C 1A2B3C4D 0001 0000 FFFFFFFFFFFFFFFF 0000001C
    00000BAD 00000010 00000000 00000010
    00000001 00000020 0093 0000 00000000 0009 0001 09000000 0000 0000 00000020
    00000006 00000034 00000000 00000000 000F4240 00000007 00000007 C0820B0735BBC0 00 0002 0004 00000001 00000000 00000034
    00000006 00000034 00000000 00000000 001E8480 00000007 00000007 C0820C07AC2CC0 00 0002 0004 00000002 00000000 00000034`);
  expect(passedIn(file)).toEqual([
    { t: 0, dir: "node", bytes: PING },
    { t: 1, dir: "hub", bytes: PONG },
  ]);
  expect(readPcapng(file)).toMatchObject({ capture: { of: "", at: 1 } });
});

test("what passed in pieces, damaged or unfinished is decoded the same from either format", () => {
  const piece = fc.record({
    t: fc.nat(10_000),
    dir: fc.constantFrom("hub", "node"),
    node: fc.constantFrom("02-50-4C-00-00-01", "02-50-4C-00-00-02"),
    bytes: fc.oneof(
      fc.constantFrom(PING, PONG, PING.subarray(0, 4), PING.subarray(4), bytes("C0DBC0")),
      fc.uint8Array({ maxLength: 12 }),
    ),
  });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 20 }), (pieces) => {
      const passed = pieces.toSorted((a, b) => a.t - b.t) satisfies readonly Passed[] as readonly Passed[];
      const direct = decodeAll(passed);
      const begin = Math.min(...direct.map(({ t = 0 }) => t));
      // The ENDs that frames share are there twice, so that each packet is whole; what never ended has no order.
      const reported = (all: typeof direct, since: number) =>
        all
          .map(({ t = 0, bytes: raw, ...rest }) => ({
            ...rest,
            t: t - since,
            hex: Buffer.from(raw.filter((b) => b !== 0xc0)).toString("hex"),
          }))
          .map((frame) => JSON.stringify(Object.entries(frame).sort()))
          .sort();
      const back = decodeAll(passedIn(pcapngOf("x", 1_700_000_000_000, passed)));
      expect(reported(back, 0)).toEqual(reported(direct, begin));
    }),
  );
});

test("every line has its interface, damage its rule as a comment, and what fuzz sent its mark", () => {
  const passed: readonly Passed[] = [
    { t: 0, dir: "hub", bytes: PING, node: "02-50-4C-00-00-01", input: true },
    { t: 1, dir: "node", bytes: bytes("C0 82 0C 07 AC 23 C0"), node: "02-50-4C-00-00-02" },
    { t: 2, dir: "node", bytes: PONG, node: "02-50-4C-00-00-01" },
  ];
  const file = pcapngOf("two boards", 0, passed);
  const cut = cutBlocks(file);
  expect(cut.kind === "ok" && cut.blocks.map(({ type }) => type)).toEqual([
    ...[SECTION, INTERFACE, PACKET, INTERFACE, PACKET, PACKET],
  ]);
  expect(Buffer.from(file).toString("latin1")).toContain("F8: Bad CRC: it is AC23, and of this body AC2C.");
  expect(passedIn(file)).toEqual(passed);
});

test("the last block of a writer that was killed is left out, wherever it was cut", () => {
  const file = pcapngOf("x", 0, [ping, { ...ping, t: 3 }]);
  for (let length = file.length - 1; length > file.length - 52; length--) {
    const read = readPcapng(file.subarray(0, length));
    expect([length, read.kind === "ok" && [read.isCut, read.capture.passed.length]]).toEqual([length, [true, 1]]);
  }
});

test.each([
  [
    "a capture of something else",
    bytes(BY_HAND.replace("9300", "0100")),
    "packet 1: its link type is 1; frames of this protocol have 147, as porchlight-sim writes them",
  ],
  [
    "a packet of no interface",
    bytes(BY_HAND.replace("34000000 00000000", "34000000 05000000")),
    "packet 1: interface 5 is not described",
  ],
  [
    "a packet without a direction",
    bytes(BY_HAND.replace("0400 02000000", "0400 00000000")),
    "packet 1: nothing says whether it went in or out",
  ],
  [
    "a packet that is shorter than it says",
    bytes(BY_HAND.replace("07000000 07000000", "FF000000 07000000")),
    "packet 1: it is shorter than the 255 bytes that it says",
  ],
  [
    "lengths that differ",
    bytes(BY_HAND.replace(/34000000$/, "38000000")),
    "byte 108: the block says 52 bytes first, and 56 at its end",
  ],
  ["an impossible length", bytes("0A0D0D0A 03000000 4D3C2B1A 00000000"), "byte 0: a block of 3 bytes cannot be"],
  [
    "no byte order",
    bytes("0A0D0D0A 1C000000 00000000 00000000"),
    "byte 0: a section begins there without the mark of its byte order",
  ],
])("%s is named", (_, file, problem) => {
  expect(looksLikePcapng(file)).toBe(true);
  expect(problems(file)).toEqual([problem]);
});

test("no bytes make the reader throw", () => {
  const whole = pcapngOf("x", 0, [ping]);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, value) => {
      const file = Uint8Array.from(whole);
      file[at] = value;
      readPcapng(file);
    }),
  );
});

test("a capture file whose name ends with .pcapng is pcapng, each frame in it as soon as it is whole", () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-pcapng-"));
  const path = join(folder, "board.pcapng");
  const file = CaptureFile.open(path, "a board", new VirtualClock());
  file.add("hub", PING.subarray(0, 3));
  expect(passedIn(readFileSync(path))).toEqual([]);
  file.add("hub", PING.subarray(3));
  expect(passedIn(readFileSync(path)).map((piece) => piece.bytes)).toEqual([PING]);
  file.add("node", PONG.subarray(0, 4));
  file[Symbol.dispose]();
  expect(passedIn(readFileSync(path)).map(({ dir }) => dir)).toEqual(["hub", "node"]);
  rmSync(folder, { recursive: true });
});
