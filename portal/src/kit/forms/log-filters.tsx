/**
 * Filters that the logs share: the scope of the entries, selected values that are missing from a list, and a time range, shown in local
 * time and passed on in the service's format.
 */
import { type ComboboxItem, SegmentedControl, TextInput } from "@mantine/core";
import { fieldTime, serviceTime } from "../text/local-time.ts";

interface LogScopeProps {
  readonly isOfAccount: boolean;
  /** `all`: entries of the whole account. */
  readonly onChange: (change: { readonly all: true | undefined }) => void;
}

export function LogScope({ isOfAccount, onChange }: LogScopeProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Scope"
      data={[
        { value: "one", label: "This ecosystem" },
        { value: "all", label: "Whole account" },
      ]}
      value={isOfAccount ? "all" : "one"}
      onChange={(value) => onChange({ all: value === "all" || undefined })}
    />
  );
}

/** Adds the selected value to the choices when it is missing: an address can contain any value. */
export function withChosen(choices: readonly ComboboxItem[], chosen: string | undefined): ComboboxItem[] {
  const isThere = chosen === undefined || choices.some(({ value }) => value === chosen);
  return isThere ? [...choices] : [...choices, { value: chosen, label: chosen }];
}

interface TimeRange {
  /** `2026-11-05 14:03:07Z`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

interface TimeRangeProps {
  readonly range: TimeRange;
  readonly onChange: (change: TimeRange) => void;
}

export function TimeRangeFields({ range, onChange }: TimeRangeProps) {
  return (
    <>
      {(["since", "until"] as const).map((end) => (
        <TextInput
          key={end}
          type="datetime-local"
          step={1}
          size="xs"
          label={end === "since" ? "Since" : "Until"}
          defaultValue={fieldTime(range[end])}
          onChange={(event) => {
            const { value, validity } = event.currentTarget;
            // A half-typed date has an empty value; do not treat it as cleared.
            if (!validity.badInput) onChange({ [end]: serviceTime(value) });
          }}
        />
      ))}
    </>
  );
}
