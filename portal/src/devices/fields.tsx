/** Fields for typed values: numbers and texts. The typed value stays local until it is set. */
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import classes from "./control.module.css";
import type { Range } from "./control-of.ts";
import { readNumber } from "./typed.ts";

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
