import { describe, expect, test } from "vitest";
import { encodeCbor } from "./cbor.ts";
import { nextSeq } from "./limits.ts";
import {
  addressOf,
  decodeBody,
  encodeMessage,
  errorVerdict,
  isRequest,
  MESSAGES,
  mayCome,
  wireAddress,
} from "./messages.ts";

describe("the message table", () => {
  test("numbers the sixteen messages without a gap", () => {
    expect(Object.values(MESSAGES).map(({ type }) => type)).toEqual(Array.from({ length: 16 }, (_, at) => at + 1));
  });
  test.each([
    ["READ", "hub", true],
    ["READ", "node", false],
    ["REPORT", "hub", false],
    ["REPORT", "node", true],
    ["PING", "hub", true],
    ["PING", "node", true],
  ] as const)("a %s may come from the %s: %s", (name, side, may) => expect(mayCome(name, side)).toBe(may));
  test("knows what asks for an answer", () => {
    const requests = ["HELLO", "DESCRIBE", "READ", "WRITE", "REPORT", "PING", "CHANGED", "IDENTIFY", "WHO"];
    expect(Object.keys(MESSAGES).filter((name) => isRequest(name as keyof typeof MESSAGES))).toEqual(requests);
  });
});

describe("messages", () => {
  test("a seq counts up to 65535 and then from 0", () =>
    expect([nextSeq(0), nextSeq(65534), nextSeq(65535)]).toEqual([1, 65535, 0]));
  test("an index is a number on the wire and text in the model", () => {
    const address = { service: "Switch", index: "12", property: "on" };
    expect(wireAddress(3, address)).toEqual({ device: 3, service: "Switch", index: 12, property: "on" });
    expect(addressOf(wireAddress(3, address))).toEqual(address);
  });
  test("an ERROR's text is cut to 128 characters, sent or received", () => {
    const text = "🏠".repeat(200);
    const sent = decodeBody(encodeMessage({ type: "ERROR", seq: 1, code: 8, text }));
    const received = decodeBody(encodeCbor([13, 1, 8, text]));
    const cut = { kind: "message", message: { type: "ERROR", seq: 1, code: 8, text: "🏠".repeat(128) } };
    expect([sent, received]).toEqual([cut, cut]);
  });
  test("a text of HELLO that is longer than 64 characters is left out", () => {
    const info = { v: 1, id: "00-1B-44-11-3A-B7", devices: [], boot: 1, max: 128, win: 1 };
    const message = { type: "HELLO", seq: 1, info: { ...info, mf: "m".repeat(65), mo: "o".repeat(64) } } as const;
    expect(decodeBody(encodeMessage(message))).toEqual({
      kind: "message",
      message: { type: "HELLO", seq: 1, info: { ...info, mo: "o".repeat(64) } },
    });
  });
});

describe("a message that cannot be encoded is refused before anything is sent", () => {
  const deep = (levels: number): [] => (levels === 0 ? [] : ([deep(levels - 1)] as unknown as []));
  test.each([
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["a lone surrogate", "\ud800"],
    ["a value of more than seven levels in a message", deep(7)],
  ])("%s", (_, value) => {
    const write = { type: "WRITE", seq: 1, device: 0, service: "A", index: 0, property: "b", value } as const;
    expect(() => encodeMessage(write)).toThrow(
      expect.objectContaining({ name: "Device Rejected", outcome: "rejected" }),
    );
  });
  test("seven levels of a value, the message's array being the eighth, are fine", () => {
    expect(encodeMessage({ type: "WRITTEN", seq: 1, value: deep(6) }).length).toBe(10);
  });
});

describe("what the API says of a command that ends with ERROR", () => {
  test.each([
    [1, "Device Unreachable", "not_applied", false],
    [2, "Device Unreachable", "not_applied", true],
    [3, "Device Unreachable", "not_applied", true],
    [4, "Device Unreachable", "not_applied", true],
    [5, "Device Unreachable", "not_applied", true],
    [6, "Device Rejected", "rejected", false],
    [7, "Device Rejected", "rejected", false],
    [8, "Device Rejected", "rejected", false],
    [9, "Device Unreachable", "not_applied", false],
    [10, "Device Unreachable", "unknown", false],
    [11, "Device Unreachable", "unknown", false],
    [12, "Device Unreachable", "unknown", false],
    [13, "Device Unreachable", "unknown", false],
    [0, "Device Unreachable", "unknown", false],
  ])("%i: %s, %s, described afresh: %s", (code, name, outcome, describeAfresh) => {
    expect(errorVerdict(code)).toMatchObject({ name, outcome, describeAfresh });
  });
});
