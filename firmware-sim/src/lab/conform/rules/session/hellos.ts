/** How the rules of the start look at HELLOs: how often they come, and what ends them. */
import type { NodeBench } from "../../node-bench.ts";
import { Broken, NotApplicable } from "../../rule.ts";
import { anyPlace } from "../../targets.ts";

/** How early and how late a repetition may come, ms: clocks of boards drift, and lines take their time. */
export const EARLY_HELLO = 200;
export const LATE_HELLO = 400;

/** @throws Broken when HELLOs do not come every `ms` with the same seq */
export async function hellosEvery(bench: NodeBench, ms: number, count: number, when: string): Promise<void> {
  const from = bench.log.end;
  const times = bench.all("HELLO", 0).slice(-1);
  const mark = bench.mark;
  await bench.next(mark, (ms + LATE_HELLO) * count, () => bench.all("HELLO", mark).length >= count);
  const hellos = [...times, ...bench.all("HELLO", mark)];
  if (hellos.length <= count)
    throw new Broken(
      `${when} HELLO must come every ${ms / 1000} s; only ${hellos.length - 1} of ${count} came.`,
      bench.log.since(from),
    );
  hellos.slice(1).forEach((hello, at) => {
    const gap = hello.at - (hellos[at]?.at ?? 0);
    if (gap < ms - EARLY_HELLO - bench.jitter || gap > ms + LATE_HELLO + bench.jitter)
      throw new Broken(
        `${when} HELLO must come every ${ms / 1000} s; one came after ${Math.round(gap)} ms.`,
        bench.log.since(from),
      );
    if (hello.message.seq !== hellos[at]?.message.seq)
      throw new Broken("HELLO must be repeated with the same seq.", bench.log.since(from));
  });
}

/** @throws Broken when a HELLO_ACK does not end the HELLOs */
export async function endsWithAck(bench: NodeBench): Promise<void> {
  const hello = bench.all("HELLO", 0).at(-1);
  if (!hello) throw new NotApplicable("No HELLO came.");
  const from = bench.log.end;
  await bench.acknowledge(hello.message.seq);
  await bench.fence();
  const mark = bench.mark;
  await bench.pass(1300);
  if (bench.all("HELLO", mark).length > 0)
    throw new Broken("The node must stop sending HELLO after HELLO_ACK.", bench.log.since(from));
  if (!(await bench.isLive(anyPlace(bench))))
    throw new Broken("The node must be live after HELLO_ACK.", bench.log.since(from));
}
