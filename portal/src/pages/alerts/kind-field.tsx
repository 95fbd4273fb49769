/** One kind of alert: whether it is wanted, and from which limit on. */
import { Group, NumberInput, Switch } from "@mantine/core";
import classes from "./alert-settings.module.css";

export interface KindFieldProps {
  readonly label: string;
  readonly limitLabel: string;
  readonly min: number;
  readonly max: number;
  readonly enabled: boolean;
  readonly limit: number;
  readonly onChange: (enabled: boolean, limit: number) => void;
}

export function KindField({ label, limitLabel, min, max, enabled, limit, onChange }: KindFieldProps) {
  return (
    <Group className={classes.kind} align="flex-end" justify="space-between">
      <Switch
        label={label}
        checked={enabled}
        onChange={(event) => onChange(event.currentTarget.checked, limit)}
        className={classes.switch}
      />
      <NumberInput
        label={limitLabel}
        className={classes.limit}
        min={min}
        max={max}
        clampBehavior="blur"
        allowDecimal={false}
        allowNegative={false}
        disabled={!enabled}
        value={limit}
        onChange={(value) => typeof value === "number" && onChange(enabled, value)}
      />
    </Group>
  );
}
