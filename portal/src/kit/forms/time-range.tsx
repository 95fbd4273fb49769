/** The fields of a time range: shown in this device's local time, passed on in the service's format. */
import { TextInput } from "@mantine/core";
import { fieldTime, serviceTime } from "../text/local-time.ts";

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
