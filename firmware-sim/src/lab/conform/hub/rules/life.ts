/** Section 5, Life, of a hub: PING after silence, which frames count as received, and the return to WHO. */
import { Broken, type Rule } from "../../rule.ts";
import { silenceOf } from "../../rules/life.ts";
import type { HubBench } from "../hub-bench.ts";

const silence = silenceOf<HubBench>({
  who: "hub",
  back: "WHO",
  async quiet(bench) {
    await bench.live();
    bench.manners.pongs = false;
    bench.manners.greets = false;
    bench.forgetKnown();
  },
  async returned(bench, mark) {
    const from = bench.log.end;
    if (!(await bench.greet()))
      throw new Broken(
        "After the link is back, a HELLO with the same boot must be acknowledged.",
        bench.log.since(from),
      );
    if (!(await bench.asks(mark, ["DESCRIBE 0 part 0"], 8000)))
      throw new Broken("Devices that were offline must be described again after they are back.", bench.log.since(from));
    bench.forgetKnown();
  },
});

function rule(id: string, looksAt: string): Rule<HubBench> {
  return {
    id,
    looksAt,
    takes: "24 s, for A1 to A3 together",
    async run(bench) {
      await silence.verdict(bench, id);
      return undefined;
    },
  };
}

export const HUB_LIFE: readonly Rule<HubBench>[] = [
  rule("A1", "a hub that receives only damaged frames and its own echo"),
  rule("A2", "the PINGs of a hub that receives nothing"),
  rule("A3", "WHO after the link went down, and the same boot again"),
];
