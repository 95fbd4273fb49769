/** The log book of a device, a zone or an environment: events as plain sentences, filtered by kind and time. Loads on demand. */
import { Anchor, Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { type LogKind, type LogLine, logLines } from "@porchlight/shared/presentation";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { devicesQuery, scenesQuery } from "../../data/queries.ts";
import { namedTokensQuery, senderOf } from "../../data/subjects.ts";
import { useTitles } from "../../devices/use-titles.ts";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { TimeRangeFields } from "../../kit/forms/log-filters.tsx";
import { clockOf, timeOf } from "../../kit/text/age.tsx";
import { nameOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./log-book.module.css";
import { type LogBookFilter, type LogBookScope, originOf, sourcesOf } from "./sources.ts";
import { type LogBookState, useLogBook } from "./use-log-book.ts";

const KINDS: readonly { readonly value: LogKind; readonly label: string }[] = [
  { value: "values", label: "Values" },
  { value: "commands", label: "Failed and queued commands" },
  { value: "connections", label: "Online and offline" },
  { value: "changes", label: "Additions and changes" },
  { value: "alerts", label: "Alerts" },
];

export default function LogBook({ scope }: { readonly scope: LogBookScope }) {
  const [filter, setFilter] = useState<LogBookFilter>({});
  const sources = useMemo(() => sourcesOf(scope, filter), [scope, filter]);
  const log = useLogBook(sources);
  const lines = useLines(scope, log);
  const change = (next: LogBookFilter) => setFilter((before) => ({ ...before, ...next }));
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <NativeSelect
          size="xs"
          label="Show"
          data={[{ value: "", label: "Everything" }, ...KINDS]}
          value={filter.kind ?? ""}
          onChange={({ currentTarget: { value } }) =>
            change({ kind: KINDS.find((kind) => kind.value === value)?.value })
          }
        />
        <TimeRangeFields range={filter} onChange={change} />
      </Group>
      <QueryView
        query={{ ...log, data: log.isPending ? undefined : lines }}
        isEmpty={(all) => all.length === 0 && !log.hasMore}
        empty={<Empty title="Nothing">{emptyText(log, filter)}</Empty>}
      >
        {(all) => <Lines lines={all} />}
      </QueryView>
      {!log.isPending && <End log={log} scope={scope} />}
    </Stack>
  );
}

/** Fetches the owners of tokens only when a line refers to a token. */
function useLines({ ecosystemId, environmentId }: LogBookScope, { events }: LogBookState): readonly LogLine[] {
  const api = useApi();
  const titles = useTitles();
  const devices = useQuery(devicesQuery(api, environmentId)).data;
  const origins = useMemo(() => events.map(originOf), [events]);
  const hasScenes = origins.some(({ sceneId }) => sceneId !== undefined);
  const scenes = useQuery({ ...scenesQuery(api, environmentId), enabled: hasScenes }).data;
  const hasTokens = origins.some(({ tokenId }) => tokenId !== undefined);
  const tokens = useQuery({ ...namedTokensQuery(api, ecosystemId), enabled: hasTokens }).data?.tokens;
  return useMemo(() => {
    const names = new Map(devices?.map((device) => [device.id, nameOf(device)]));
    const called = new Map(scenes?.map((scene) => [scene.id, nameOf(scene)]));
    const senders = new Map(tokens?.map((token) => [token.id, senderOf(token)]));
    return logLines(events, {
      device: (id) => names.get(id),
      property: titles.ofProperty,
      unit: titles.unitOf,
      scene: (id) => called.get(id),
      sender: (id) => senders.get(id),
    });
  }, [events, devices, scenes, tokens, titles]);
}

function emptyText({ oldest }: LogBookState, { kind, since, until }: LogBookFilter): string {
  if (kind !== undefined || since !== undefined || until !== undefined)
    return "Nothing that is kept matches the filters.";
  return oldest > 1 ? "Nothing has happened since the oldest event that is kept." : "Nothing has happened yet.";
}

function Lines({ lines }: { readonly lines: readonly LogLine[] }) {
  let day: string | undefined;
  return (
    <ol className={classes.lines} aria-label="Log book">
      {lines.map(({ event, kind, text }) => {
        const its = dayOf(event.createdAt);
        const heading = its === day ? undefined : its;
        day = its;
        return (
          <li key={event.id} data-kind={kind}>
            {heading !== undefined && <p className={classes.day}>{heading}</p>}
            <div className={classes.line}>
              <time dateTime={event.createdAt.replace(" ", "T")} title={event.createdAt}>
                {clockOf(event.createdAt)}
              </time>
              <bdi>{text}</bdi>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function dayOf(createdAt: string): string {
  const format = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
  return new Date(timeOf(createdAt)).toLocaleDateString(undefined, format);
}

function End({ log, scope }: { readonly log: LogBookState; readonly scope: LogBookScope }) {
  const { hasMore, isLoading, loadOlder, oldest } = log;
  const { ecosystemId, environmentId, device } = scope;
  return (
    <>
      {hasMore ? (
        <Group>
          <Button size="xs" variant="default" loading={isLoading} onClick={loadOlder}>
            Load older
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {oldest > 1 ? "What happened before is unknown: older events are no longer kept." : "The log begins here."}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        <Anchor
          underline="always"
          renderRoot={(props) => (
            <Link
              to="/ecosystems/$ecosystemId/events"
              params={{ ecosystemId }}
              search={device ? { device: device.id } : { environment: environmentId }}
              {...props}
            />
          )}
        >
          All events as they are stored
        </Anchor>
      </Text>
    </>
  );
}
