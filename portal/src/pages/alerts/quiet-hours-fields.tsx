/** The hours in which nothing is mailed: from, to, and by the clock of which time zone. */
import { Group, Select, Stack, Switch, TextInput } from "@mantine/core";
import type { QuietHours } from "@porchlight/shared/api";
import { useMemo } from "react";
import classes from "./alert-settings.module.css";

export interface QuietHoursProps {
  readonly value: QuietHours | null;
  readonly onChange: (value: QuietHours | null) => void;
}

/** Where nobody has said otherwise: a night, by the clock of this browser. */
function aNight(): QuietHours {
  return { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, start: "22:00", end: "07:00" };
}

export function QuietHoursFields({ value, onChange }: QuietHoursProps) {
  const current = value?.timeZone;
  const zones = useMemo(() => {
    const known = Intl.supportedValuesOf("timeZone");
    return current === undefined || known.includes(current) ? known : [current, ...known];
  }, [current]);
  return (
    <Stack gap="sm">
      <Switch
        label="Quiet hours"
        description="No e-mails are sent in quiet hours. Alerts that are still open when they end are sent then."
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? aNight() : null)}
      />
      {value && (
        <Group align="flex-end">
          <TextInput
            type="time"
            label="From"
            required
            className={classes.hours}
            value={value.start}
            onChange={(event) => onChange({ ...value, start: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label="To"
            required
            className={classes.hours}
            value={value.end}
            error={value.start === value.end ? "Choose another time than From" : undefined}
            onChange={(event) => onChange({ ...value, end: event.currentTarget.value })}
          />
          <Select
            label="Time zone"
            searchable
            allowDeselect={false}
            limit={100}
            data={zones}
            value={value.timeZone}
            onChange={(timeZone) => timeZone !== null && onChange({ ...value, timeZone })}
          />
        </Group>
      )}
    </Stack>
  );
}
