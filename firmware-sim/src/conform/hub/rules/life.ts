/** Section 5, Life: a hub's PINGs after silence, what counts as heard, and back to WHO. */
import { encodeFrame, encodeMessage } from "@porchlight/shared/wire";
import { badCrc, pingWith } from "../../bytes.ts";
import type { Heard } from "../../line-endpoint.ts";
import { Broken, NotApplicable, type Rule } from "../../rule.ts";
import type { HubBench } from "../hub-bench.ts";

const SILENCE = 5000;
const PINGS = 3;
/** How early and how late a PING may come, ms. */
const EARLY = 200;
const LATE = 500;

const isPing = ({ message }: Heard) => message.type === "PING";
const isWho = ({ message }: Heard) => message.type === "WHO";

/** A hub that hears nothing good from now on. */
async function silent(
  bench: HubBench,
): Promise<{ readonly mark: number; readonly since: number; readonly from: number }> {
  await bench.live();
  bench.manners.pongs = false;
  bench.manners.greets = false;
  bench.forgetKnown();
  return { mark: bench.mark, since: bench.clock.monotonic(), from: bench.log.end };
}

/** @throws Broken when the hub is not back at WHO after three PINGs */
async function goesBack(bench: HubBench, mark: number, from: number, why: string): Promise<void> {
  await bench.next(mark, SILENCE + (PINGS + 1) * 1000 + LATE + bench.jitter, isWho);
  const pings = bench.all("PING", mark).length;
  if (bench.all("WHO", mark).length === 0)
    throw new Broken(`${why} the hub must return to WHO after three PINGs.`, bench.log.since(from));
  if (pings !== PINGS)
    throw new Broken(`${why} there must be three PINGs before WHO; ${pings} came.`, bench.log.since(from));
}

export const HUB_LIFE: readonly Rule<HubBench>[] = [
  {
    id: "A1",
    looksAt: "a hub that receives only damaged frames and its own echo",
    takes: "16 s",
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
      bench.script = (message) => {
        if (message.type === "PING") void bench.send(encodeFrame(encodeMessage(message)));
        return undefined;
      };
      const [first] = bench.all("PING", mark);
      if (first) await bench.send(encodeFrame(encodeMessage(first.message)));
      if (await bench.next(mark, 500, ({ message }) => message.type === "PONG")) {
        bench.blame("W4", "The echo of the hub's own PING must be ignored; PONG came.", bench.log.since(from));
        throw new NotApplicable(
          "The echo was answered, which breaks W4. So this proof cannot tell whether the echo counts as received.",
        );
      }
      await goesBack(bench, mark, from, "While it receives only damaged frames and its own echo,");
      return undefined;
    },
  },
  {
    id: "A2",
    looksAt: "the PINGs of a hub that receives nothing",
    takes: "24 s",
    async run(bench) {
      const { mark, since, from } = await silent(bench);
      await goesBack(bench, mark, from, "In silence");
      bench.all("PING", mark).forEach(({ at }, which, pings) => {
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
    looksAt: "WHO after the link went down, and the same boot again",
    takes: "16 s",
    async run(bench) {
      const { mark, from } = await silent(bench);
      await bench.next(mark, SILENCE + (PINGS + 1) * 1000 + LATE + bench.jitter, isWho);
      if (bench.all("WHO", mark).length === 0)
        throw new Broken("A hub whose link is down must return to WHO.", bench.log.since(from));
      if (!(await bench.greet()))
        throw new Broken(
          "After the link is back, a HELLO with the same boot must be acknowledged.",
          bench.log.since(from),
        );
      if (!(await bench.asks(mark, ["DESCRIBE 0 part 0"], 8000)))
        throw new Broken(
          "Devices that were offline must be described again after they are back.",
          bench.log.since(from),
        );
      bench.forgetKnown();
      return undefined;
    },
  },
];

/** @throws Broken when a PONG does not end the PINGs */
async function contentWithPong(bench: HubBench): Promise<void> {
  const { mark, from } = await silent(bench);
  const ping = await bench.next(mark, SILENCE + LATE + bench.jitter, isPing);
  if (!ping) throw new Broken("No PING came after 5 s of silence.", bench.log.since(from));
  await bench.say({ type: "PONG", seq: ping.message.seq });
  const again = bench.mark;
  await bench.pass(3500);
  if (bench.since(again).some((each) => isPing(each) || isWho(each)))
    throw new Broken("After a PONG the hub must not send PING for another 5 s.", bench.log.since(from));
}
