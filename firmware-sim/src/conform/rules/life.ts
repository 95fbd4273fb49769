/** Section 5, Life: PING after silence, what counts as heard, and back to HELLO. */
import { encodeFrame, encodeMessage } from "@porchlight/shared/wire";
import { badCrc, pingWith } from "../bytes.ts";
import type { Heard } from "../line-endpoint.ts";
import type { NodeBench } from "../node-bench.ts";
import { Broken, type Rule } from "../rule.ts";

const SILENCE = 5000;
const PINGS = 3;
const PONG_WITHIN = 1000;
/** How early and how late a PING may come, ms. */
const EARLY = 200;
const LATE = 500;

/** A live node that hears nothing from now on. */
async function silent(
  bench: NodeBench,
): Promise<{ readonly mark: number; readonly since: number; readonly from: number }> {
  await bench.live();
  bench.manners.pongs = false;
  bench.manners.acknowledges = false;
  return { mark: bench.mark, since: bench.clock.monotonic(), from: bench.log.end };
}

/** @throws Broken when the node is not back at HELLO after three PINGs */
async function goesBack(bench: NodeBench, mark: number, from: number, why: string): Promise<void> {
  await bench.next(
    mark,
    SILENCE + PINGS * 1000 + LATE + 1000 + bench.jitter,
    ({ message }) => message.type === "HELLO",
  );
  const pings = bench.all("PING", mark);
  if (bench.all("HELLO", mark).length === 0)
    throw new Broken(`${why} the node must return to HELLO after three PINGs.`, bench.log.since(from));
  if (pings.length !== PINGS)
    throw new Broken(`${why} there must be three PINGs before HELLO; ${pings.length} came.`, bench.log.since(from));
}

const isPing = ({ message }: Heard) => message.type === "PING";

export const LIFE: readonly Rule<NodeBench>[] = [
  {
    id: "A1",
    looksAt: "a node that receives only damaged frames and its own echo",
    takes: "8 s",
    async run(bench) {
      const { mark, since, from } = await silent(bench);
      for (let second = 0; second < 4; second++) {
        await bench.pass(1000);
        await bench.send(badCrc(pingWith(bench.newSeq())));
      }
      await bench.next(mark, since + SILENCE + LATE + bench.jitter - bench.clock.monotonic(), isPing);
      if (bench.all("PING", mark).length === 0)
        throw new Broken(
          "A damaged frame does not count as received: PING must come 5 s after the last valid frame.",
          bench.log.since(from),
        );
      let echoed = 0;
      while (bench.all("HELLO", mark).length === 0 && echoed < 6) {
        const ping = await bench.next(
          mark,
          3000,
          ({ message, at }) => message.type === "PING" && at > (bench.all("PING", mark)[echoed - 1]?.at ?? -1),
        );
        if (!ping) break;
        echoed += 1;
        await bench.send(encodeFrame(encodeMessage(ping.message)));
      }
      if (bench.since(mark).some(({ message }) => message.type === "PONG"))
        bench.blame("W4", "The echo of the node's own PING must be ignored; PONG came.", bench.log.since(from));
      await goesBack(bench, mark, from, "While it receives only damaged frames and its own echo,");
      return undefined;
    },
  },
  {
    id: "A2",
    looksAt: "how soon a PING is answered, and the PINGs of a node that receives nothing",
    takes: "8 s",
    async run(bench) {
      await bench.live();
      await pongsInTime(bench);
      const { mark, since, from } = await silent(bench);
      await goesBack(bench, mark, from, "In silence");
      const pings = bench.all("PING", mark);
      if (new Set(pings.map(({ message }) => message.seq)).size < PINGS)
        throw new Broken("Every PING must have a new seq.", bench.log.since(from));
      pings.forEach(({ at }, which) => {
        const due = which === 0 ? since + SILENCE : (pings[which - 1]?.at ?? 0) + 1000;
        if (at < due - EARLY - bench.jitter || at > due + LATE + bench.jitter)
          throw new Broken(
            `PING ${which + 1} must come ${which === 0 ? "after 5 s of silence" : "a second after the previous one"}; it was off by ${Math.round(at - due)} ms.`,
            bench.log.since(from),
          );
      });
      await contentWithPong(bench);
      return undefined;
    },
  },
  {
    id: "A3",
    looksAt: "the HELLO of a node that has lost its hub",
    takes: "8 s",
    async run(bench) {
      const { mark, from } = await silent(bench);
      const boot = bench.hello?.boot;
      await bench.next(mark, 10_000, ({ message }) => message.type === "HELLO");
      const [hello] = bench.all("HELLO", mark);
      if (!hello) throw new Broken("A node that has lost its hub must return to HELLO.", bench.log.since(from));
      if (hello.message.info.boot !== boot)
        throw new Broken("The loss of the hub is not a reboot: HELLO must have the same boot.", [hello.frame]);
      return undefined;
    },
  },
];

/** The quickest of three PONGs. @throws Broken when it is late */
async function pongsInTime(bench: NodeBench): Promise<void> {
  const from = bench.log.end;
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3; time++) {
    const began = bench.clock.monotonic();
    await bench.expect({ type: "PING", seq: bench.newSeq() }, "PONG");
    best = Math.min(best, bench.clock.monotonic() - began);
  }
  if (best > PONG_WITHIN + bench.jitter)
    throw new Broken(`A PING must be answered within 1 s; it took ${Math.round(best)} ms.`, bench.log.since(from));
}

/** @throws Broken when a PONG does not end the PINGs */
async function contentWithPong(bench: NodeBench): Promise<void> {
  const { mark, from } = await silent(bench);
  const ping = await bench.next(mark, SILENCE + LATE + bench.jitter, ({ message }) => message.type === "PING");
  if (!ping) throw new Broken("No PING came after 5 s of silence.", bench.log.since(from));
  await bench.say({ type: "PONG", seq: ping.message.seq });
  const again = bench.mark;
  await bench.pass(3500);
  if (bench.since(again).some(({ message }) => message.type === "PING" || message.type === "HELLO"))
    throw new Broken("After a PONG the node must not send PING or HELLO for another 5 s.", bench.log.since(from));
}
