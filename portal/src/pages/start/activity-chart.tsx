/** A small bar chart of commands over time: one bar per step, nothing for steps without data, and the same data as a table. */
import look from "../../kit/display/rows.module.css";
import { momentOf, useNow } from "../../kit/text/age.tsx";
import { counted } from "../../kit/text/quantity.ts";
import classes from "./activity.module.css";
import { BAR_KINDS, type Kind, type Series, type Slot, sumOf } from "./activity-series.ts";

interface ActivityChartProps {
  readonly series: Series;
  /** Length of a step, in ms. */
  readonly step: number;
  /** "the last hour". */
  readonly time: string;
}

const WORDS: Readonly<Record<Kind, string>> = {
  confirmed: "confirmed",
  failed: "not confirmed",
  unknown: "outcome unknown",
  open: "not ended yet",
};

export function ActivityChart({ series, step, time }: ActivityChartProps) {
  const { slots, most } = series;
  const [first, last] = [slots[0], slots.at(-1)];
  const now = useNow();
  const each = step === 60_000 ? "a minute" : `in ${step / 60_000} minutes`;
  const isUnknown = slots.some(({ counts }) => !counts);
  const present = BAR_KINDS.filter(
    (kind) => kind === "confirmed" || slots.some(({ counts }) => (counts?.[kind] ?? 0) > 0),
  );
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.legend}>
        <span>Commands {each}</span>
        {present.map((kind) => (
          <span key={kind} className={classes.key}>
            <span className={classes.swatch} data-kind={kind} aria-hidden="true" />
            {WORDS[kind]}
          </span>
        ))}
        {slots.some(({ isPartial }) => isPartial) && (
          <span className={classes.key}>
            <span className={classes.swatch} data-kind="partial" aria-hidden="true" />
            paler: incomplete
          </span>
        )}
        {isUnknown && (
          <span className={classes.key}>
            <span className={classes.swatch} data-kind="gap" aria-hidden="true" />
            nothing known
          </span>
        )}
      </figcaption>
      <div className={classes.drawing}>
        <div className={classes.levels} aria-hidden="true">
          <span>{most.toLocaleString("en")}</span>
          <span>0</span>
        </div>
        <svg
          className={classes.plot}
          viewBox={`0 0 ${slots.length} 100`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Commands ${each} in ${time}, at most ${most.toLocaleString("en")}; as a table below`}
        >
          {slots.map((slot, place) => (
            <Bar key={slot.at} slot={slot} place={place} most={most} />
          ))}
        </svg>
        <div className={classes.times} aria-hidden="true">
          <span>{first && momentOf(first.at, now)}</span>
          <span>{last && momentOf(last.at + step, now)}</span>
        </div>
      </div>
      <SlotTable slots={slots} now={now} each={each} />
    </figure>
  );
}

function Bar({ slot, place, most }: { readonly slot: Slot; readonly place: number; readonly most: number }) {
  const { counts, isPartial } = slot;
  if (!counts) return <rect className={classes.gap} x={place} y={0} width={1} height={100} />;
  let below = 0;
  return BAR_KINDS.map((kind) => {
    const height = (counts[kind] / most) * 100;
    below += height;
    if (height === 0) return null;
    return (
      <rect
        key={kind}
        className={classes.bar}
        data-kind={kind}
        data-partial={isPartial}
        x={place + 0.1}
        y={100 - below}
        width={0.8}
        height={height}
      />
    );
  });
}

interface SlotTableProps {
  readonly slots: readonly Slot[];
  readonly now: number;
  readonly each: string;
}

/** Steps with commands and steps without data; the other steps had no commands. */
function SlotTable({ slots, now, each }: SlotTableProps) {
  const rows = slots.filter(({ counts }) => !counts || sumOf(counts) > 0).toReversed();
  const quiet = slots.length - rows.length;
  return (
    <details className={classes.details}>
      <summary>As a table</summary>
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <section className={classes.scroll} aria-label={`Commands ${each}`} tabIndex={0}>
          <table className={look.rows}>
            <thead>
              <tr>
                <th>From</th>
                {BAR_KINDS.map((kind) => (
                  <th key={kind} data-number={true}>
                    {WORDS[kind]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ at, counts, isPartial }) => (
                <tr key={at}>
                  <td>
                    {momentOf(at, now)}
                    {isPartial && " (incomplete)"}
                  </td>
                  {counts ? (
                    BAR_KINDS.map((kind) => (
                      <td key={kind} data-number={true}>
                        {counts[kind].toLocaleString("en")}
                      </td>
                    ))
                  ) : (
                    <td colSpan={BAR_KINDS.length}>nothing known</td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {quiet > 0 && <p className={classes.note}>{counted(quiet, "step")} had no commands.</p>}
    </details>
  );
}
