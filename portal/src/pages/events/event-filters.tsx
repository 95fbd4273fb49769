/** The controls above the events: which are shown, and from which time or event on. */
import { Button, Group, MultiSelect, Select, TextInput } from "@mantine/core";
import { eventTypes } from "@porchlight/shared/events";
import { useQueries, useQuery } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useMemo, useState } from "react";
import { devicesQuery, environmentsQuery } from "../../data/queries.ts";
import { timeOf } from "../../kit/text/age.tsx";
import { localTime, serviceTime } from "../../kit/text/local-time.ts";
import { cut, nameOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/events");

const KINDS = eventTypes().map(({ prefix, about, types }) => ({
  group: about,
  items: [
    ...(types.length > 1 ? [{ value: `${prefix}.*`, label: `${prefix}.*` }] : []),
    ...types.map(({ type }) => ({ value: type, label: type })),
  ],
}));

interface EventFiltersProps {
  readonly ecosystemId: string;
  readonly devices: Names;
}

export function EventFilters({ ecosystemId, devices }: EventFiltersProps) {
  const { types = "", device, environment } = route.useSearch();
  const router = useRouter();
  const { data: environments = [] } = useQuery(environmentsQuery(useApi()));
  const own = environments.filter((each) => each.ecosystemId === ecosystemId);
  const choose = (change: {
    readonly types?: string | undefined;
    readonly device?: string | undefined;
    readonly environment?: string | undefined;
  }) =>
    void router.navigate({
      to: "/ecosystems/$ecosystemId/events",
      params: { ecosystemId },
      search: (old) => ({ ...old, ...change }),
      replace: true,
    });
  return (
    <Group gap="sm" align="flex-end">
      <MultiSelect
        size="xs"
        label="Types"
        placeholder={types === "" ? "All" : undefined}
        data={KINDS}
        value={types === "" ? [] : types.split(",")}
        onChange={(value) => choose({ types: value.join(",") })}
        clearable
        searchable
        clearButtonProps={{ "aria-label": "Clear: all types" }}
        miw="14rem"
      />
      {own.length > 1 && (
        <Select
          size="xs"
          label="Environment"
          placeholder="All"
          data={own.map((each) => ({ value: each.id, label: cut(nameOf(each), 60) }))}
          value={environment ?? null}
          onChange={(value) => choose({ environment: value ?? undefined })}
          clearable
          searchable
          clearButtonProps={{ "aria-label": "Clear: all environments" }}
        />
      )}
      <Select
        size="xs"
        label="Device"
        placeholder="All"
        data={[...devices].map(([value, label]) => ({ value, label }))}
        value={device ?? null}
        onChange={(value) => choose({ device: value ?? undefined })}
        clearable
        searchable
        limit={200}
        clearButtonProps={{ "aria-label": "Clear: all devices" }}
      />
    </Group>
  );
}

/** Maximum number of environments whose devices are fetched for their names. */
const MOST_ENVIRONMENTS = 10;

/** Device names by ID. */
export type Names = ReadonlyMap<string, string>;

/** The names of an ecosystem's devices, for events that contain only IDs. */
export function useNames(ecosystemId: string): Names {
  const api = useApi();
  const { data: environments = [] } = useQuery(environmentsQuery(api));
  const own = environments.filter((each) => each.ecosystemId === ecosystemId).slice(0, MOST_ENVIRONMENTS);
  const devices = useQueries({
    queries: own.map(({ id }) => devicesQuery(api, id)),
    combine: (results) => results.flatMap(({ data = [] }) => data),
  });
  return useMemo(() => new Map(devices.map((device) => [device.id, nameOf(device)])), [devices]);
}

/** Jumps to a position in the log. The address stores it, so that it can be shared. */
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
