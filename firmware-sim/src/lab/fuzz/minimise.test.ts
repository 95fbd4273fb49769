/** Delta debugging as such, and over the bytes of frames. */
import { decodeBody, encodeCbor, encodeFrame, FrameReader } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { minimise, minimiseBytes } from "./fuzz.ts";

const list = Array.from({ length: 100 }, (_, at) => at);
const always = () => true;

test("what is needed is kept, in its order, and nothing else", async () => {
  const does = async (left: readonly number[]) => left.includes(17) && left.includes(63) && left.includes(64);
  expect(await minimise(list, does, always)).toEqual([17, 63, 64]);
});

test("a list of which all is needed stays as it is", async () => {
  expect(await minimise([1, 2, 3], async (left) => left.length === 3, always)).toEqual([1, 2, 3]);
});

test("with no more tries the smallest so far is the result", async () => {
  let tries = 3;
  const does = async (left: readonly number[]) => left.includes(17);
  const left = await minimise(list, does, () => tries-- > 0);
  expect(left).toContain(17);
  expect(left.length).toBeLessThan(100);
  expect(await minimise(list, does, () => false)).toEqual(list);
});

test("of a good frame bytes of the body are left out, and the frame stays good", async () => {
  const frame = encodeFrame(encodeCbor([11, 7, "x", [1, 2, 3]]));
  const isCut = async ([input]: readonly Uint8Array[]) => {
    const [event] = new FrameReader(4095).push(input ?? new Uint8Array());
    const body = event?.kind === "frame" ? decodeBody(event.body) : undefined;
    return body?.kind === "damage" && body.reason === "bad_cbor";
  };
  const [smallest] = await minimiseBytes(
    [encodeFrame(Uint8Array.of(...frame.slice(1, -5), 0x9f)), frame].slice(0, 1),
    isCut,
    always,
  );
  expect(smallest?.length).toBeLessThanOrEqual(6);
  expect(await isCut([smallest ?? frame])).toBe(true);
});

test("of damage bytes on the line are left out", async () => {
  const noise = Uint8Array.of(1, 2, 0xdb, 3, 0xc0, 4, 5);
  const does = async ([input]: readonly Uint8Array[]) => Buffer.from(input ?? []).includes(0xdb);
  expect(await minimiseBytes([noise], does, always)).toEqual([Uint8Array.of(0xdb)]);
});
