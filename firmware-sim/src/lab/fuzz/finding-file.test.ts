/** A finding's capture is one like any other, and holds what must be sent again. */
import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { readCapture } from "../capture/capture.ts";
import { inputsOf, Recorder } from "./finding-file.ts";

const bytes = (...each: number[]) => Uint8Array.from(each);

async function recorded() {
  const clock = new VirtualClock();
  const recorder = new Recorder(clock, "hub");
  recorder.add("us", bytes(9), true);
  recorder.begin();
  await clock.advance(1500);
  recorder.add("us", bytes(1), false);
  recorder.add("them", bytes(2), false);
  recorder.add("us", bytes(3), true);
  return recorder;
}

test("all traffic while inputs were sent is in the capture, and the inputs are marked", async () => {
  const text = (await recorded()).capture([bytes(3)], "It no longer answers");
  const read = readCapture(text);
  expect(read.kind === "ok" && read.capture.of).toBe("It no longer answers");
  expect(read.kind === "ok" && read.capture.passed.map(({ t, dir, input }) => [t, dir, input])).toEqual([
    [1500, "hub", undefined],
    [1500, "node", undefined],
    [1500, "hub", true],
  ]);
  expect(inputsOf(text, "hub")).toEqual({ kind: "ok", inputs: [Buffer.of(3)] });
});

test("inputs that are not what passed last are written down alone", async () => {
  const text = (await recorded()).capture([bytes(7), bytes(8)], "x");
  expect(inputsOf(text, "hub")).toEqual({ kind: "ok", inputs: [Buffer.of(7), Buffer.of(8)] });
});

test("of a capture without inputs everything of the side is sent again", () => {
  const text = '{"capture":1,"of":"x"}\n{"t":0,"dir":"hub","bytes":"01"}\n{"t":1,"dir":"node","bytes":"02"}\n';
  expect(inputsOf(text, "hub")).toEqual({ kind: "ok", inputs: [Buffer.of(1)] });
  expect(inputsOf('{"capture":1,"of":"x"}\n', "hub")).toEqual({
    kind: "problems",
    problems: ["it contains no frames of the hub"],
  });
});
