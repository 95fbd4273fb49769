/** A time from a person's own hand: from when to when, by this device's clock. */
import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { localTime } from "../../kit/text/local-time.ts";
import classes from "../history-chart.module.css";
import { fixed, type Span, type View } from "../plan/span.ts";

export function CustomRange({ span, onView }: { readonly span: Span; readonly onView: (view: View) => void }) {
  const [from, setFrom] = useState(() => localTime(span.from));
  const [to, setTo] = useState(() => localTime(span.to));
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const isWhole = !Number.isNaN(begin) && !Number.isNaN(end) && begin !== end;
  return (
    <form
      className={classes.custom}
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) onView(fixed(begin, end));
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          type="datetime-local"
          step={1}
          size="xs"
          label="From"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          step={1}
          size="xs"
          label="To"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={!isWhole}>
          Show this time
        </Button>
      </Group>
    </form>
  );
}
