/** Frames that were good until the line had them: cut, run together, turned round, too long (F5 to F9 of the protocol). */
import { pick, type Random, randomInteger } from "@porchlight/shared/kernel";
import { encodeFrame, HUB_FRAME_LIMIT } from "@porchlight/shared/wire";
import { bytes, END, ESC } from "../conform/bytes.ts";

/** Bodies beyond what anybody takes, or just at it. */
const TOO_LONG = [126, 127, 254, 255, 256, 1023, HUB_FRAME_LIMIT - 2, HUB_FRAME_LIMIT - 1, 5000] as const;

/** What has become of a frame on its way. */
export function damaged(random: Random, frame: Uint8Array): Uint8Array {
  const at = 1 + randomInteger(random, Math.max(1, frame.length - 2));
  const [before, after] = [frame.slice(0, at), frame.slice(at)];
  const bit = 1 << randomInteger(random, 8);
  return pick<() => Uint8Array>(random, [
    () => frame.map((byte, each) => (each === at ? byte ^ bit : byte)),
    () => before,
    () => after,
    () => bytes(before, END),
    () => bytes(before, END, after),
    () => bytes(before, ESC, END, after),
    () => bytes(before, ESC, after),
    () => bytes(frame.slice(0, -1), ESC),
    () => bytes(frame, frame.slice(1)),
    () => bytes(new Uint8Array(40).fill(END), frame),
    () => bytes(END, new Uint8Array(40).fill(ESC), END),
    () => encodeFrame(new Uint8Array(pick(random, TOO_LONG)).fill(pick(random, [0, 0x61, 0x81, END]))),
  ])();
}
