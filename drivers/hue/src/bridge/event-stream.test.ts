import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StreamText } from "./open-bridge.ts";

function heard(chunks: readonly (string | Uint8Array)[]): unknown[] {
  const messages: unknown[] = [];
  const text = new StreamText((message) => messages.push(message));
  for (const chunk of chunks) text.feed(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return messages;
}

const TWO = 'id: 1700:0\ndata: [{"type":"update","é":1}]\n\n: hi\n\nid: 1700:1\ndata: [2]\n\n';

describe("the event stream of a bridge", () => {
  it("is read message by message, in any pieces", () => {
    const bytes = Buffer.from(TWO);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 8 }), (cuts) => {
        const ends = [...cuts].sort((a, b) => a - b);
        const pieces = [0, ...ends].map((from, at) => bytes.subarray(from, ends[at] ?? bytes.length));
        expect(heard(pieces)).toEqual([[{ type: "update", é: 1 }], [2]]);
      }),
    );
  });

  it("may end its lines as HTTP does, and a message may have several", () => {
    expect(heard(["data: [1,\r\ndata: 2]\r\n\r\n"])).toEqual([[1, 2]]);
  });

  it("reports that a message is of no use, and goes on", () => {
    expect(heard(["data: {\n\ndata: [1]\n\n"])).toEqual([undefined, [1]]);
    expect(heard([`data: "${"x".repeat(1_100_000)}"\n\ndata: [1]\n\n`])).toEqual([undefined, [1]]);
    const endless = Array.from({ length: 20 }, () => "x".repeat(100_000));
    expect(heard(["data: ", ...endless, "\n\ndata: [1]\n\n"])).toEqual([undefined, [1]]);
  });

  it("reads a member that is no number as none, and every other one", () => {
    const taken: unknown[] = [];
    const stream = new StreamText((message) => taken.push(message));
    stream.feed(new TextEncoder().encode('data: [{"a":NaN,"b":-Infinity,"c":21.5,"d":"NaN"}]\n\n'));
    expect(taken).toEqual([[{ a: null, b: null, c: 21.5, d: "NaN" }]]);
  });
});
