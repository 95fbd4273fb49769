/** From when to when something is looked for: by this device's clock, and told in the service's times. */
import { TextInput } from "@mantine/core";
import { fieldTime, serviceTime } from "../text/local-time.ts";

export interface TimeRange {
  /** `2026-11-05 14:03:07Z`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface TimeRangeProps {
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
            // A date that is half typed is empty, and not yet taken for none.
            if (!validity.badInput) onChange({ [end]: serviceTime(value) });
          }}
        />
      ))}
    </>
  );
}
