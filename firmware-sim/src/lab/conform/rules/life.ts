/** Section 5, Life, of a node: PING after silence, which frames count as received, and the return to HELLO. */
import type { NodeBench } from "../node-bench.ts";
import { Broken, type Rule } from "../rule.ts";
import { silenceOf } from "./after-silence.ts";

const PONG_WITHIN = 1000;

const silence = silenceOf<NodeBench>({
  who: "node",
  back: "HELLO",
  async quiet(bench, findings) {
    await bench.live();
    await findings.judge("A2", () => pongsInTime(bench));
    await bench.live();
    bench.manners.pongs = false;
    bench.manners.acknowledges = false;
  },
  async returned(bench, mark) {
    const [hello] = bench.all("HELLO", mark);
    if (hello && hello.message.info.boot !== bench.hello?.boot)
      throw new Broken("The loss of the hub is not a reboot: HELLO must have the same boot.", [hello.frame]);
  },
});

/** The fastest of three PONGs. @throws Broken when it is late */
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

function rule(id: string, looksAt: string): Rule<NodeBench> {
  return {
    id,
    looksAt,
    takes: "14 s, for A1 to A3 together",
    async run(bench) {
      await silence.verdict(bench, id);
      return undefined;
    },
  };
}

export const LIFE: readonly Rule<NodeBench>[] = [
  rule("A1", "a node that receives only damaged frames and its own echo"),
  rule("A2", "how soon a PING is answered, and the PINGs of a node that receives nothing"),
  rule("A3", "the HELLO of a node that has lost its hub"),
];
