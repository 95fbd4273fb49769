/** Values that are typed: a number, a text. What is typed is the reader's own until it is set. */
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import classes from "./control.module.css";
import type { Range } from "./control-of.ts";
import { readNumber } from "./typed.ts";

type NumberProps = ControlProps & { readonly isInteger: boolean; readonly range?: Range };

/** Set with Enter, or when it is left. */
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

/** What every control is given, whichever it is. */

export interface ControlProps {
  /** Names the control, for who cannot see what it stands beside: "Switch on". */
  readonly label: string;
  /** What is asked for while something is pending, else what the device said; undefined while there is none. */
  readonly value: unknown;
  /** What the device said last. */
  readonly known: unknown;
  readonly isPending: boolean;
  readonly unit?: string | undefined;
  /** The value, in words. */
  readonly words: (value: unknown) => string;
  /** Asks for a value: as often as a hand moves. */
  readonly onAsk: (value: unknown) => void;
}
