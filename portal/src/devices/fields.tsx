/** Fields and sliders for values: a typed value stays local until it is set, and a slider sends while it moves. */
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import classes from "./control.module.css";
import { type Range, readNumber, snapped, type Track } from "./control-of.ts";

type NumberProps = ControlProps & { readonly isInteger: boolean; readonly range?: Range };

/** Sets the number on Enter or when the field loses the focus. */
export function NumberField({ label, value, isPending, unit, onAsk, isInteger, range }: NumberProps) {
  const [draft, setDraft] = useState<string>();
  const read = draft === undefined ? undefined : readNumber(draft, isInteger, range);
  const send = () => {
    if (read?.kind === "fault") return;
    if (read?.kind === "value" && read.value !== value) onAsk(read.value);
    setDraft(undefined);
  };
  return (
    <TextInput
      className={classes.number}
      data-pending={isPending || undefined}
      size="xs"
      inputMode={isInteger && (range?.min ?? -1) >= 0 ? "numeric" : "decimal"}
      aria-label={`${label}, number`}
      rightSection={unit && <span className={classes.unit}>{unit === "deg" ? "°" : unit}</span>}
      rightSectionWidth={unit && unit.length > 2 ? 44 : 30}
      rightSectionPointerEvents="none"
      value={draft ?? (typeof value === "number" ? String(Number(value.toPrecision(7))) : "")}
      placeholder="none"
      error={read?.kind === "fault" ? read.fault : undefined}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={() => (read?.kind === "fault" ? setDraft(undefined) : send())}
      onKeyDown={(event) => {
        if (event.key === "Enter") send();
        if (event.key === "Escape") setDraft(undefined);
      }}
    />
  );
}

export function TextField({ label, value, isPending, onAsk }: ControlProps) {
  const [draft, setDraft] = useState<string>();
  const known = typeof value === "string" ? value : "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAsk(draft ?? known);
    setDraft(undefined);
  };
  return (
    <form className={classes.typed} onSubmit={submit} data-pending={isPending || undefined}>
      <TextInput
        size="xs"
        aria-label={label}
        autoComplete="off"
        placeholder="no value"
        value={draft ?? known}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      <Button size="xs" variant="default" type="submit" disabled={draft === undefined || draft === value}>
        Set
      </Button>
    </form>
  );
}

/** The props of every control. */
export interface ControlProps {
  /** The accessible name of the control: "Switch on". */
  readonly label: string;
  /** The requested value while a write is pending, otherwise the reported one; undefined without a value. */
  readonly value: unknown;
  /** The last reported value. */
  readonly known: unknown;
  readonly isPending: boolean;
  readonly unit?: string | undefined;
  /** Formats a value. */
  readonly words: (value: unknown) => string;
  /** Requests a value, as often as the hand moves. */
  readonly onAsk: (value: unknown) => void;
}

type SliderProps = ControlProps & { readonly range: Range; readonly track: Track };

/** Sends while it moves, and marks the last known value. */
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
