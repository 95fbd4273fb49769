/** Which series is which, with what it is at the cursor, or else at the end of what is shown; and what the hatching means. */
import { momentOf } from "../kit/text/age.tsx";
import { cut } from "../kit/text/names.ts";
import { keyOf } from "../live/target.ts";
import { dashOf, HUES } from "./canvas/colours.ts";
import classes from "./history-chart.module.css";
import type { SeriesPlan } from "./plan/plan.ts";
import { keysOf, type Subject } from "./series/subject.ts";
import type { ChartSeries } from "./series/use-series.ts";
import { wordsAt, wordsOfAll } from "./told-words.ts";

export interface LegendProps {
  readonly subjects: readonly Subject[];
  readonly series: ChartSeries;
  /** ms since 1970 */
  readonly at: number | undefined;
}

export function Legend({ subjects, series, at }: LegendProps) {
  const { plans, span, now } = series;
  // What is at the very end is not known of any moment after it.
  const end = Math.min(span.to, now) - 1;
  const hasGaps = plans.some(({ gaps }) => gaps.some(({ from, to }) => from < span.to && to > span.from));
  const told = (subject: Subject, plan: SeriesPlan) =>
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
              <bdi className={classes.told}>{plan ? told(subject, plan) : series.isPending ? "" : "no history"}</bdi>
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

/** The colours of the values of a timeline: where a band is short its word has no room. */
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
