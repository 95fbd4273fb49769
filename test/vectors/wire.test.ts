/** Runs every hand-made vector of the device protocol through the codec, both ways. */
import {
  crc16,
  decodeBody,
  decodeCbor,
  encodeCbor,
  encodeFrame,
  encodeMessage,
  type FrameEvent,
  FrameReader,
  MESSAGES,
} from "@porchlight/shared/wire";
import { describe, expect, test } from "vitest";
import { bytes, hex, vectors } from "./vectors.ts";

describe("messages, to the byte", () => {
  for (const { name, message, body, crc, frame, decodeOnly } of vectors("messages")) {
    if (!decodeOnly) {
      test(`${name} is sent as the page specifies`, () => {
        expect(hex(encodeMessage(message))).toBe(body);
        expect(hex(encodeFrame(encodeMessage(message)))).toBe(frame);
      });
    }
    test(`${name} is understood`, () => {
      const [event, ...others] = new FrameReader(4095).push(bytes(frame));
      expect(others).toEqual([]);
      expect(event && shown(event)).toEqual({ frame: body });
      expect(crc16(bytes(body))).toBe(Number.parseInt(crc.replace(" ", ""), 16));
      const decoded = decodeBody(bytes(body));
      expect(decoded).toEqual({ kind: "message", message });
      expect(JSON.stringify("message" in decoded ? sorted(decoded.message) : decoded)).toBe(
        JSON.stringify(sorted(message)),
      );
    });
  }

  test("every message type has at least two vectors", () => {
    const seen = vectors("messages").map(({ message }) => message.type);
    for (const type of Object.keys(MESSAGES))
      expect(seen.filter((one) => one === type).length, type).toBeGreaterThanOrEqual(2);
  });
});

describe("valid frames with invalid content", () => {
  for (const { name, body, expect: expected } of vectors("bodies")) {
    test(name, () => expect(decodeBody(bytes(body))).toEqual(expected));
  }
});

describe("the CBOR profile", () => {
  for (const { name, hex: item, value, damage, canonical } of vectors("cbor")) {
    test(`${name} (${item.slice(0, 40)})`, () => {
      const decoded = decodeCbor(bytes(item));
      if (damage) return void expect(decoded).toEqual({ kind: "damage", reason: damage });
      expect(decoded).toEqual({ kind: "value", value });
      expect(JSON.stringify(decoded)).toBe(JSON.stringify({ kind: "value", value }));
      if (canonical && value !== undefined) expect(hex(encodeCbor(value))).toBe(item);
    });
  }
});

describe("streams of bytes", () => {
  for (const { name, limit, stream, events } of vectors("streams")) {
    test(name, () => expect(new FrameReader(limit).push(bytes(stream)).map(shown)).toEqual(events));
    test(`${name}, byte by byte`, () => {
      const reader = new FrameReader(limit);
      expect([...bytes(stream)].flatMap((byte) => reader.push(Uint8Array.of(byte))).map(shown)).toEqual(events);
    });
  }
});

test("every kind of damage has at least two vectors", () => {
  const seen = [
    ...vectors("streams").flatMap(({ events }) => events.flatMap((event) => ("damage" in event ? [event.damage] : []))),
    ...vectors("bodies").flatMap(({ expect: body }) => (body.kind === "damage" ? [body.reason] : [])),
    ...vectors("cbor").flatMap(({ damage }) => damage ?? []),
  ];
  for (const kind of ["bad_crc", "bad_escape", "too_long", "too_short", "bad_cbor", "trailing_bytes", "bad_message"]) {
    expect(seen.filter((one) => one === kind).length, kind).toBeGreaterThanOrEqual(2);
  }
});

function shown(event: FrameEvent): { frame: string } | { damage: string } {
  return event.kind === "frame" ? { frame: hex(event.body) } : { damage: event.reason };
}

/** Keys of every map in one order: only the values are compared. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}
