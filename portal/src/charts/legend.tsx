/** The legend: each series with its value at the cursor, or else at the end of the displayed time, and the meaning of the hatching. */
import { momentOf } from "../kit/text/age.tsx";
import { cut } from "../kit/text/names.ts";
import { counted } from "../kit/text/quantity.ts";
import { keyOf } from "../live/target.ts";
import { dashOf, HUES } from "./draw-timelines.ts";
import classes from "./history-chart.module.css";
import type { SeriesPlan } from "./plan.ts";
import { readAt, readingWords, rounded } from "./read-history.ts";
import { keysOf, type Subject, wordsFor } from "./series-subject.ts";
import type { Span } from "./span.ts";
import type { ChartSeries } from "./use-series.ts";

interface LegendProps {
  readonly subjects: readonly Subject[];
  readonly series: ChartSeries;
  /** In ms since 1970. */
  readonly at: number | undefined;
}

export function Legend({ subjects, series, at }: LegendProps) {
  const { plans, span, now } = series;
  // The last moment before the end, because nothing is known after the end.
  const end = Math.min(span.to, now) - 1;
  const hasGaps = plans.some(({ gaps }) => gaps.some(({ from, to }) => from < span.to && to > span.from));
  const reading = (subject: Subject, plan: SeriesPlan) =>
    at === undefined ? wordsOfAll(subject, plan, end, span) : wordsAt(subject, plan, at, span);
  return (
    <div className={classes.legend}>
      <span className={classes.moment}>{momentOf(at ?? end, now)}</span>
      <ul className={classes.keys}>
        {subjects.map((subject, index) => {
          const plan = plans.find(({ key }) => key === keyOf(subject.target));
          return (
            <li key={keyOf(subject.target)}>
              <span
                className={classes.swatch}
                data-hue={index % HUES}
                data-dashed={dashOf(index).length > 0}
                aria-hidden="true"
              />
              <bdi title={subject.name}>{cut(subject.name, 60)}</bdi>{" "}
              <bdi className={classes.reading}>
                {plan ? reading(subject, plan) : series.isPending ? "" : "no history"}
              </bdi>
              {plan && <ValueKeys subject={subject} plan={plan} index={index} />}
            </li>
          );
        })}
      </ul>
      {series.isFetching && !series.isPending && <span className={classes.hatched}>loading…</span>}
      {hasGaps && <span className={classes.hatched}>hatched: unknown</span>}
    </div>
  );
}

/** The colours of a timeline's values, because a short band has no room for its label. */
function ValueKeys(props: { readonly subject: Subject; readonly plan: SeriesPlan; readonly index: number }) {
  const keys = keysOf(props.subject, props.plan, props.index);
  if (keys.length === 0) return null;
  return (
    <span className={classes.values}>
      {keys.map(({ words, hue }) => (
        <span key={words}>
          <span className={classes.swatch} data-hue={hue} data-value="true" aria-hidden="true" />
          <bdi>{cut(words, 24)}</bdi>
        </span>
      ))}
    </span>
  );
}

/** Maximum distance at which the cursor selects a mark, as a share of the displayed time. */
const NEAR = 1 / 120;

/** The reading of one series. @param at ms since 1970 */
function wordsAt(subject: Subject, plan: SeriesPlan, at: number, span: Span): string {
  return readingWords(readAt(plan, at, (span.to - span.from) * NEAR), wordsFor(subject));
}

/** The summary of one series over the displayed time: number of occurrences, total, or last value. @param end ms since 1970 */
function wordsOfAll(subject: Subject, plan: SeriesPlan, end: number, span: Span): string {
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

/** One sentence with the readings of all series and the time, for screen readers. Pure. */
export function sentenceAt(
  subjects: readonly Subject[],
  { plans, span }: { readonly plans: readonly SeriesPlan[]; readonly span: Span },
  at: number,
): string {
  const readings = subjects.flatMap((subject) => {
    const plan = plans.find(({ key }) => key === keyOf(subject.target));
    return plan ? [`${subject.name}: ${wordsAt(subject, plan, at, span)}`] : [];
  });
  return `${new Date(at).toLocaleString()}. ${readings.join(". ")}.`;
}
