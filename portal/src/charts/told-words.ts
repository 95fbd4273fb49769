/** What a chart tells of a moment in one sentence, for who hears it. Pure. */
import { counted } from "../kit/text/quantity.ts";
import { keyOf } from "../live/target.ts";
import type { SeriesPlan } from "./plan/plan.ts";
import { readAt, rounded, toldWords } from "./plan/read.ts";
import type { Span } from "./plan/span.ts";
import { type Subject, wordsFor } from "./series/subject.ts";

/** A mark is meant from so far away, of the time that is shown. */
const NEAR = 1 / 120;

/** What is told of one series. @param at ms since 1970 */
export function wordsAt(subject: Subject, plan: SeriesPlan, at: number, span: Span): string {
  return toldWords(readAt(plan, at, (span.to - span.from) * NEAR), wordsFor(subject));
}

/** What is told of the whole time that is shown: how often, how much, or what it came to at its end. @param end ms since 1970 */
export function wordsOfAll(subject: Subject, plan: SeriesPlan, end: number, span: Span): string {
  const { drawn } = plan;
  const words = wordsFor(subject);
  const isWithin = ({ from }: { readonly from: number }) => from >= span.from && from < span.to;
  switch (drawn.kind) {
    case "marks": {
      const shown = drawn.marks.filter(({ at }) => at >= span.from && at < span.to);
      const last = shown.at(-1);
      return last ? `${counted(shown.length, "time")}, last: ${words(last.value)}` : "not once, as far as is known";
    }
    case "bars":
    case "counts": {
      const sum = drawn.bars.filter(isWithin).reduce((all, { value }) => all + value, 0);
      return `${drawn.kind === "bars" ? words(rounded(sum)) : counted(sum, "time")} in all`;
    }
    default:
      return wordsAt(subject, plan, end, span);
  }
}

/** Of all of them, with the time. */
export function sentenceAt(
  subjects: readonly Subject[],
  { plans, span }: { readonly plans: readonly SeriesPlan[]; readonly span: Span },
  at: number,
): string {
  const told = subjects.flatMap((subject) => {
    const plan = plans.find(({ key }) => key === keyOf(subject.target));
    return plan ? [`${subject.name}: ${wordsAt(subject, plan, at, span)}`] : [];
  });
  return `${new Date(at).toLocaleString()}. ${told.join(". ")}.`;
}
