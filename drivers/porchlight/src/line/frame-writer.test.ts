import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { FrameWriter } from "./frame-writer.ts";
import { newLineCounters } from "./line-counters.ts";

/** A line that lets bytes go when the test says so. */
function slowLine() {
  const writes: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const link = {
    listen: () => undefined,
    close: () => undefined,
    write: (bytes: Uint8Array) => {
      writes.push([...bytes]);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      return gate.promise;
    },
  };
  const counters = newLineCounters();
  return { writes, gates, counters, writer: new FrameWriter(link, counters) };
}

test("frames that come while the line is busy leave together, in order", async () => {
  const { writes, gates, writer } = slowLine();
  for (const byte of [1, 2, 3]) writer.sendFrame(Uint8Array.of(byte));
  expect(writes).toEqual([[1]]);
  gates[0]?.resolve();
  await settle();
  expect(writes).toEqual([[1], [2, 3]]);
});

test("a frame can be withdrawn until the very moment at which the line takes it", async () => {
  const { writes, gates, writer } = slowLine();
  let wanted = true;
  writer.sendFrame(Uint8Array.of(1));
  writer.send({ take: () => (wanted ? Uint8Array.of(2) : undefined) });
  wanted = false;
  gates[0]?.resolve();
  await settle();
  expect(writes).toEqual([[1]]);
});

test("a frame has left when the line confirms it, not before", async () => {
  const { gates, writer } = slowLine();
  let hasLeft = false;
  const leaves = () => {
    hasLeft = true;
  };
  writer.send({ take: () => Uint8Array.of(1), left: () => leaves() });
  await settle();
  expect(hasLeft).toBe(false);
  gates[0]?.resolve();
  await settle();
  expect(hasLeft).toBe(true);
});

test("a line that takes nothing does not eat the memory, and what was not sent is counted", () => {
  const { writer, counters } = slowLine();
  for (let at = 0; at < 10_000; at++) writer.sendFrame(Uint8Array.of(1));
  expect(counters.notSent).toBeGreaterThan(9000);
});

test("nothing is written to a line that has failed", async () => {
  const { writes, gates, writer } = slowLine();
  writer.sendFrame(Uint8Array.of(1));
  writer.sendFrame(Uint8Array.of(2));
  gates[0]?.reject(new Error("the port is gone"));
  await settle();
  writer.sendFrame(Uint8Array.of(3));
  expect(writes).toEqual([[1]]);
});
