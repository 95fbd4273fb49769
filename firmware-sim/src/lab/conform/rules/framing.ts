/** Section 2: delimiters, CRC, escapes and limits, as the party under test sends and accepts them. */
import { randomInteger } from "@porchlight/shared/kernel";
import { crc16, encodeFrame } from "@porchlight/shared/wire";
import { badCrc, bytes, END, ESC, escaped, frameOf, pingOfSize, pingWith, withCrc } from "../bytes.ts";
import type { NodeBench } from "../node-bench.ts";
import type { Partner } from "../partner.ts";
import { Broken, type Rule, Unreachable } from "../rule.ts";

/** All received frames are checked until the end of the proof; this only makes sure that there are some. */
const heardFrames = async (bench: Partner) => {
  await bench.live();
  return undefined;
};

/** A seq whose PONG contains a given byte in its body or CRC. */
function seqWith(isWanted: (pong: Uint8Array, crc: number) => boolean): number {
  for (let seq = 0; seq < 0x10000; seq++) {
    const pong = bytes("82 0C", seq < 24 ? seq : seq < 256 ? bytes(0x18, seq) : bytes(0x19, seq >> 8, seq & 255));
    if (isWanted(pong, crc16(pong))) return seq;
  }
  return 0;
}

/** Interval between two bytes that must not be read together, ms. */
const PACE_MS = 3;

const hasByte = (word: number, byte: number) => word >> 8 === byte || (word & 0xff) === byte;

/** Checks that both PINGs of one transmission are answered. @throws Broken */
async function answersBoth(bench: Partner, join: (one: Uint8Array, two: Uint8Array) => Uint8Array, what: string) {
  const seqs = [bench.newSeq(), bench.newSeq()];
  const [one = bytes(), two = bytes()] = seqs.map((seq) => encodeFrame(pingWith(seq)));
  const from = bench.log.end;
  const mark = bench.mark;
  await bench.send(join(one, two));
  for (const seq of seqs) {
    const pong = await bench.next(mark, 2500, ({ message }) => message.type === "PONG" && message.seq === seq);
    if (!pong) throw new Broken(`${what}: PING ${seq} was not answered.`, bench.log.since(from));
  }
}

/** @throws Broken when a good frame is lost because it shares an END with one beyond the limit */
async function afterTooLong(bench: Partner): Promise<void> {
  const seq = bench.newSeq();
  const tooLong = encodeFrame(pingOfSize(bench.newSeq(), bench.limit + 1)).subarray(0, -1);
  const what = "The frame that shares an END with a frame beyond the limit was not answered.";
  await bench.pongs(bytes(tooLong, encodeFrame(pingWith(seq))), seq, what, 4000);
}

/** Sends a frame byte by byte, which a receiver that expects whole frames never accepts. @throws Broken */
async function answersBytes(bench: Partner, seq: number): Promise<void> {
  const frame = encodeFrame(pingWith(seq));
  for (const byte of frame.subarray(0, -1)) {
    await bench.send(Uint8Array.of(byte));
    await bench.pass(PACE_MS);
  }
  await bench.pongs(frame.subarray(-1), seq, "A frame that was sent byte by byte was not answered.");
}

const WHO = 16;

const inner = (frame: Uint8Array) => frame.subarray(1, -1);

/** Rules for both sides. */
export const FRAMING: readonly Rule<Partner>[] = [
  {
    id: "F1",
    looksAt: "every received frame: one complete CBOR item, and its CRC, high byte first",
    run: heardFrames,
  },
  { id: "F2", looksAt: "the CRC of every received frame", run: heardFrames },
  {
    id: "F3",
    looksAt: "answers with C0 and DB in the body and in the CRC",
    async run(bench) {
      await bench.live();
      const seqs = [192, 219, seqWith((_, crc) => hasByte(crc, END)), seqWith((_, crc) => hasByte(crc, ESC))];
      for (const seq of seqs)
        await bench.pongs(encodeFrame(pingWith(seq)), seq, `PING ${seq} must be answered with PONG; nothing came.`);
      return undefined;
    },
  },
  { id: "F4", looksAt: "the ENDs before and after every received frame", run: heardFrames },
  {
    id: "F5",
    looksAt: "two frames that share an END, consecutive ENDs, frames that are sent byte by byte",
    async run(bench) {
      await bench.live();
      await answersBoth(bench, (one, two) => bytes(one.subarray(0, -1), two), "Two frames share one END");
      await answersBoth(
        bench,
        (one, two) => bytes("C0 C0 C0", one, "C0 C0", two, "C0"),
        "Empty frames are between two frames",
      );
      await afterTooLong(bench);
      // The second contains an escape, which is split too.
      for (const seq of [bench.newSeq(), END]) await answersBytes(bench, seq);
      return undefined;
    },
  },
  {
    id: "F6",
    looksAt: "ESC before other bytes and before END, and the frame that follows",
    async run(bench) {
      await bench.live();
      const plain = () => [...inner(encodeFrame(pingWith(bench.newSeq())))];
      const [first = 0, ...rest] = plain();
      await bench.ignores(bytes(END, ESC, first, Uint8Array.from(rest), END), "A frame with ESC before another byte");
      await bench.ignores(bytes(END, ESC, ESC, Uint8Array.from(plain()), END), "A frame with ESC before ESC");
      // A lenient reader accepts any byte after ESC as one of the two: for such a reader these would be good PINGs.
      for (const seq of [END, ESC]) {
        const crc = withCrc(bytes("82 0B 18", seq)).slice(-2);
        const frame = bytes("C0 82 0B 18", ESC, 0x41, escaped(crc), END);
        await bench.ignores(frame, "A frame with ESC before 41");
      }
      await bench.ignores(bytes(END, Uint8Array.from(plain()), ESC, END), "A frame that ends with ESC before END");
      const seq = bench.newSeq();
      const joined = bytes("C0 82 DB", encodeFrame(pingWith(seq)));
      await bench.pongs(joined, seq, "An END after ESC must begin the next frame; the next frame was not answered.");
      return undefined;
    },
  },
  {
    id: "F7",
    looksAt: "a frame of exactly the limit, with many escaped bytes",
    async run(bench) {
      await bench.live();
      await bench.takesFurtherFields();
      const max = bench.limit;
      const seq = bench.newSeq();
      const frame = encodeFrame(pingOfSize(seq, max));
      await bench.pongs(frame, seq, `A frame of ${max} bytes, exactly the limit, was not answered.`, 4000);
      return undefined;
    },
  },
  {
    id: "F8",
    looksAt: "damaged frames of every kind, each followed by a valid frame",
    async run(bench) {
      await bench.live();
      const body = () => pingWith(bench.newSeq());
      for (const wrong of [0x0101, 0x8000, 0x0100, 0x0080, 0x0001])
        await bench.ignores(badCrc(body(), wrong), "A frame with a bad CRC");
      const swapped = withCrc(body());
      const [high = 0, low = 0] = swapped.slice(-2);
      if (high !== low)
        await bench.ignores(
          bytes(END, escaped(bytes(swapped.slice(0, -2), low, high)), END),
          "A frame whose CRC bytes are swapped",
        );
      await bench.ignores(bytes("C0 82 C0"), "A frame of one byte");
      await bench.ignores(bytes("C0 FF FF C0"), "A frame of two bytes");
      await bench.ignores(encodeFrame(body().subarray(0, -1)), "A frame with incomplete CBOR");
      await bench.ignores(frameOf(body(), "05"), "A frame with a byte after its CBOR item");
      await bench.ignores(inner(encodeFrame(body())).slice(0, -1), "Half a frame");
      const max = bench.limit;
      await bench.ignores(
        encodeFrame(pingOfSize(bench.newSeq(), max + 1)),
        `A frame of ${max + 1} bytes, one more than the limit`,
      );
      return undefined;
    },
  },
  {
    id: "F9",
    looksAt: "zeros after a valid frame, which leave its CRC valid",
    async run(bench) {
      await bench.live();
      for (const zeros of [1, 2, 5]) {
        const plain = bytes(withCrc(pingWith(bench.newSeq())), new Uint8Array(zeros));
        await bench.ignores(bytes(END, escaped(plain), END), `A frame with ${zeros} zeros after its CRC`);
      }
      return undefined;
    },
  },
];

export const NODE_NOISE: Rule<NodeBench> = {
  id: "F10",
  looksAt:
    "5,000 valid frames, and a million random bytes (100 and 50,000 in a quick run), some in frames with a valid CRC",
  runsBeside: true,
  async run(bench) {
    await bench.live();
    const boot = bench.hello?.boot;
    const total = bench.quick ? 50_000 : 1_000_000;
    await manyFrames(bench, bench.quick ? 100 : 5_000);
    const mark = bench.mark;
    await noise(bench, total);
    const boots = bench.all("HELLO", mark).map(({ message }) => message.info.boot);
    if (boot !== 0 && boots.some((each) => each !== boot))
      throw new Broken(`The node has rebooted after ${total} random bytes.`);
    return `${total} bytes`;
  },
};

/** Sends as many good frames as in years of use. @throws Broken when one is not answered */
async function manyFrames(bench: NodeBench, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    const seq = bench.newSeq();
    const what = `PING was no longer answered after ${sent} valid frames.`;
    await bench.pongs(encodeFrame(pingWith(seq)), seq, what);
  }
}

/** Sends random bytes and checks that the party still answers. @throws Broken */
export async function noise(bench: Partner, total: number): Promise<void> {
  bench.expectLosses();
  for (let sent = 0, chunk = 0; sent < total; sent += 1000, chunk++) {
    const bytes = bench.random.bytes(1000);
    // Every fourth chunk passes a CRC check. A WHO must be answered, and would disturb a rule that waits for silence.
    const length = randomInteger(bench.random, 100);
    if (bytes[0] === WHO) bytes[0] = 0;
    await bench.send(chunk % 4 === 0 ? frameOf("84", bytes.slice(0, length)) : bytes);
    if (chunk % 16 === 15) await bench.next(bench.mark, 20, () => false);
  }
  await bench.send(Uint8Array.of(END));
  bench.expectLosses();
  try {
    await bench.live();
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure;
    throw new Broken(`Any input must be survived; after ${total} random bytes: ${failure.message}`);
  }
}
