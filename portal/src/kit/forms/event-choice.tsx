/** Checkboxes for event types: a whole group by `prefix.*`, or single types. */
import { Checkbox, Stack, Text } from "@mantine/core";
import { eventTypes } from "@porchlight/shared/events";
import classes from "./event-choice.module.css";
import { toggled } from "./event-types.ts";

interface EventChoiceProps {
  /** Types and `prefix.*`. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const box = (pattern: string, says: string, isImplied: boolean) => (
    <Checkbox
      key={pattern}
      size="sm"
      label={
        <>
          <code className="mono">{pattern}</code>{" "}
          <Text span size="sm" c="dimmed">
            {says}
          </Text>
        </>
      }
      checked={isImplied || chosen.includes(pattern)}
      disabled={isImplied}
      onChange={() => onChange(toggled(chosen, pattern))}
    />
  );
  return (
    <div className={classes.groups}>
      {eventTypes().map(({ prefix, about, types }) => {
        const all = `${prefix}.*`;
        return (
          <fieldset key={prefix} className={classes.group}>
            <legend>{about}</legend>
            <Stack gap={6}>
              {types.length > 1 && box(all, "all of these, and types added later", false)}
              <div className={types.length > 1 ? classes.single : undefined}>
                {types.map(({ type, when }) => box(type, when, types.length > 1 && chosen.includes(all)))}
              </div>
            </Stack>
          </fieldset>
        );
      })}
    </div>
  );
}
