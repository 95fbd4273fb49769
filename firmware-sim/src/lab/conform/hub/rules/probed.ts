/** READs of one property of a node that has just booted, answered as a rule wants it: what several rules of requests begin with. */
import type { Message } from "@porchlight/shared/wire";
import type { Heard } from "../../line-endpoint.ts";
import { NotApplicable } from "../../rule.ts";
import type { HubBench } from "../hub-bench.ts";
import { PLAIN } from "../persona.ts";

/** The largest frame's time at 115200 baud, ms: what lengthens a try on a serial line. */
export const LARGEST_FRAME = ((4095 + 2) * 10 * 1000) / 115_200;
/** How late what is due may come, ms. */
export const MOST_LATE = 250;
/** Longer than the last wait after ERROR 9 (B4), late, and shorter than the second after which a hub asks anew (B3), ms. */
const ANEW_AFTER = 950;
/** A link is described at most once in 5 s (X1). */
export const BEGINS_WITHIN = 8000;

export const isProbe = (message: Message) => message.type === "READ" && message.property === "probe";

interface Probed {
  readonly from: number;
  /** Every READ of the probe. */
  readonly reads: readonly Heard[];
}

/** Boots, answers the READ of one property as the rule wants it, and gives what came of it. @throws NotApplicable */
export async function probed(
  bench: HubBench,
  ms: number,
  answer: (message: Message) => readonly Message[],
): Promise<Probed> {
  await bench.live();
  const from = bench.log.end;
  bench.script = (message) => (isProbe(message) ? answer(message) : undefined);
  await bench.reboot(PLAIN);
  // What it asked the boot before is not looked at.
  const mark = bench.mark;
  const first = await bench.next(mark, BEGINS_WITHIN, ({ message }) => isProbe(message));
  if (!first) {
    bench.blame("S4", "A readable property was not read.", bench.log.since(from));
    throw new NotApplicable("The hub sent no READ by which this rule could be judged.");
  }
  await bench.pass(ms);
  bench.forgetKnown();
  return { from, reads: bench.since(mark).filter(({ message }) => isProbe(message)) };
}

/** Those of one request: what comes a second after the last is asked anew (B3). */
export function beforeAnew(probes: readonly Heard[]): readonly Heard[] {
  const end = probes.findIndex(({ at }, which) => which > 0 && at - (probes[which - 1]?.at ?? at) >= ANEW_AFTER);
  return end < 0 ? probes : probes.slice(0, end);
}
