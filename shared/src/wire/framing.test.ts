import { describe, expect, test } from "vitest";
import { crc16, encodeFrame, FrameReader, frameSize } from "./framing.ts";

const PING = Uint8Array.of(0x82, 0x0b, 0x07);

describe("the CRC", () => {
  test("of the digits 123456789 is 29B1", () => expect(crc16(Buffer.from("123456789"))).toBe(0x29b1));
  test("of nothing is its initial value", () => expect(crc16(new Uint8Array())).toBe(0xffff));
  test("of the first bytes only, when asked", () => expect(crc16(Buffer.from("123456789abc"), 9)).toBe(0x29b1));
});

describe("a sender", () => {
  test("begins and ends each frame with END", () => {
    expect(Buffer.from(encodeFrame(PING)).toString("hex")).toBe("c0820b0735bbc0");
  });
  test("counts body and CRC against a receiver's limit, not the escapes", () => {
    expect(frameSize(Uint8Array.of(0xc0, 0xdb))).toBe(4);
    expect(new FrameReader(4).push(encodeFrame(Uint8Array.of(0xc0, 0xdb)))).toMatchObject([{ kind: "frame" }]);
    expect(new FrameReader(3).push(encodeFrame(Uint8Array.of(0xc0, 0xdb)))).toEqual([
      { kind: "damage", reason: "too_long" },
    ]);
  });
});

describe("a receiver", () => {
  test("reports a frame that is too long before it has ended", () => {
    expect(new FrameReader(128).push(new Uint8Array(129))).toEqual([{ kind: "damage", reason: "too_long" }]);
  });
  test("hands out bodies that later bytes do not change", () => {
    const reader = new FrameReader(128);
    const [first] = reader.push(encodeFrame(PING));
    reader.push(encodeFrame(Uint8Array.of(1, 2, 3)));
    expect(first).toEqual({ kind: "frame", body: PING });
  });
});
