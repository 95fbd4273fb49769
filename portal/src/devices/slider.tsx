/** A slider with a number field: it sends while it moves, and marks the last known value. */
import classes from "./control.module.css";
import { type Range, snapped, type Track } from "./control-of.ts";
import { type ControlProps, NumberField } from "./fields.tsx";

type SliderProps = ControlProps & { readonly range: Range; readonly track: Track };

export function Slider(props: SliderProps) {
  const { range } = props;
  return (
    <div className={classes.slider}>
      <RangeInput {...props} />
      <NumberField {...props} isInteger={Number.isInteger(range.step) && Number.isInteger(range.min)} range={range} />
    </div>
  );
}

/** The slider without the number field. */
export function RangeInput(props: SliderProps & { readonly isDisabled?: boolean }) {
  const { label, value, known, isPending, words, onAsk, range, track, isDisabled = false } = props;
  const number = typeof value === "number" ? value : undefined;
  return (
    <div className={classes.rail}>
      <input
        type="range"
        className={classes.range}
        data-track={track}
        data-pending={isPending || undefined}
        data-empty={number === undefined || undefined}
        aria-label={label}
        aria-valuetext={isPending ? `${words(value)}, pending` : words(value)}
        disabled={isDisabled}
        min={range.min}
        max={range.max}
        // A reported value can lie between two steps, and is shown at its exact position.
        step="any"
        value={number ?? range.min}
        onChange={(event) => onAsk(snapped(event.currentTarget.valueAsNumber, range))}
        onKeyDown={(event) => {
          const next = afterKey(event.key, number ?? range.min, range);
          if (next === undefined) return;
          event.preventDefault();
          onAsk(next);
        }}
      />
      {isPending && typeof known === "number" && (
        <span className={classes.known} style={{ left: leftOf(shareOf(known, range)) }} title={words(known)} />
      )}
    </div>
  );
}

/** The centre of a thumb at this position. */
function leftOf(share: number): string {
  return `calc(var(--thumb) / 2 + (100% - var(--thumb)) * ${share})`;
}

function shareOf(value: number, { min, max }: Range): number {
  return Math.min(1, Math.max(0, (value - min) / (max - min)));
}

/** The keyboard steps of a native slider, which `step="any"` disables. */
function afterKey(key: string, value: number, range: Range): number | undefined {
  const tenth = Math.max(range.step, snapped((range.max - range.min) / 10, { ...range, min: 0 }));
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return snapped(value + range.step, range);
    case "ArrowLeft":
    case "ArrowDown":
      return snapped(value - range.step, range);
    case "PageUp":
      return snapped(value + tenth, range);
    case "PageDown":
      return snapped(value - tenth, range);
    case "Home":
      return range.min;
    case "End":
      return snapped(range.max, range);
    default:
      return undefined;
  }
}
