/** Jumps to a position in the log: after an event, or from a time on. The address stores it, so that it can be shared. */
import { Button, Group, TextInput } from "@mantine/core";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { timeOf } from "../../kit/text/age.tsx";
import { localTime, serviceTime } from "../../kit/text/local-time.ts";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/events");

export function Jump({ ecosystemId }: { readonly ecosystemId: string }) {
  const { after, at } = route.useSearch();
  const router = useRouter();
  const [number, setNumber] = useState(after === undefined ? "" : String(after));
  const [time, setTime] = useState(fieldOf(at));
  const isNumber = /^\d{1,15}$/.test(number);
  const wanted = serviceTime(time);
  const go =
    (place: { readonly after?: number | undefined; readonly at?: string | undefined }) => (event: FormEvent) => {
      event.preventDefault();
      void router.navigate({
        to: "/ecosystems/$ecosystemId/events",
        params: { ecosystemId },
        search: (old) => ({ ...old, after: undefined, at: undefined, ...place }),
      });
    };
  return (
    <Group gap="sm" align="flex-end">
      <form onSubmit={go({ after: Number(number) })}>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            size="xs"
            label="Start after event number"
            placeholder="0 for the start of the log"
            inputMode="numeric"
            autoComplete="off"
            value={number}
            error={number !== "" && !isNumber && "Enter a whole number."}
            onChange={(event) => setNumber(event.currentTarget.value.trim())}
          />
          <Button type="submit" size="xs" variant="default" disabled={!isNumber} aria-label="Go to event">
            Go
          </Button>
        </Group>
      </form>
      <form onSubmit={go({ at: wanted })}>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            size="xs"
            type="datetime-local"
            step={1}
            label="Start at a time (your time zone)"
            value={time}
            onChange={(event) => setTime(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" variant="default" disabled={wanted === undefined} aria-label="Go to time">
            Go
          </Button>
        </Group>
      </form>
    </Group>
  );
}

/** The field's value for the time in the address; "" for a missing or invalid time. */
function fieldOf(at: string | undefined): string {
  const ms = at === undefined ? Number.NaN : timeOf(at);
  return Number.isNaN(ms) ? "" : localTime(ms);
}
