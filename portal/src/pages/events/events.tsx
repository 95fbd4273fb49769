/** The event log: newest events first, live, with history, filters, jumps to any position, and export. */
import { Button, Text } from "@mantine/core";
import type { EventLogFilter } from "@porchlight/sdk";
import { wants } from "@porchlight/shared/events";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Icon } from "../../kit/display/icon.tsx";
import { Page } from "../../kit/display/page.tsx";
import { Empty, Loading } from "../../kit/display/query-view.tsx";
import { ConsoleCommand } from "../../kit/display/shell-commands.tsx";
import { clockOf } from "../../kit/text/age.tsx";
import { counted } from "../../kit/text/quantity.ts";
import { CONSOLE_COMMANDS } from "../../kit/text/shell-commands.ts";
import { useLiveness } from "../../live/context.tsx";
import type { Liveness } from "../../live/liveness-watch.ts";
import { deviceOfEvent } from "./about.ts";
import { EventFilters, Jump, useNames } from "./event-filters.tsx";
import classes from "./event-list.module.css";
import { EventList } from "./event-list.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { type IsShown, type LogView, loadedTo, logRows } from "./log-view.ts";
import { type LogPart, useLog } from "./use-log.ts";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/events");

export function EventsPage() {
  const { ecosystemId } = route.useParams();
  return <Events ecosystemId={ecosystemId} key={ecosystemId} />;
}

function Events({ ecosystemId }: { readonly ecosystemId: string }) {
  const { types = "", device, environment, after, at } = route.useSearch();
  const router = useRouter();
  const filter = useMemo<EventLogFilter>(
    () => ({
      ...{ ecosystemId, environmentId: environment, deviceId: device },
      types: types === "" ? undefined : types.split(","),
    }),
    [ecosystemId, types, device, environment],
  );
  const isShown = useMemo<IsShown>(() => {
    const { types: patterns = ["*"] } = filter;
    return (event) =>
      wants(patterns, event.type) &&
      (environment === undefined || event.environmentId === environment) &&
      (device === undefined || deviceOfEvent(event) === device);
  }, [filter, device, environment]);
  const start: LogPart | undefined =
    after !== undefined ? { after, order: "oldest" } : at !== undefined ? { since: at, order: "oldest" } : undefined;
  const { view, tell, load, isLoading, failure } = useLog(filter, start, isShown);
  const names = useNames(ecosystemId);
  const rows = useMemo(() => logRows(view), [view]);
  const [isExporting, setExporting] = useState(false);
  const isFiltered = types !== "" || device !== undefined || environment !== undefined;
  const { isFollowing, waiting, runs } = view;
  const goLive = () => {
    if (start === undefined) return tell({ kind: "follow" });
    void router.navigate({
      to: "/ecosystems/$ecosystemId/events",
      params: { ecosystemId },
      search: (old) => ({ ...old, after: undefined, at: undefined }),
    });
  };
  return (
    <Page
      title="Events"
      lead="Everything that happens in the ecosystem, as it happens. Newest first."
      actions={
        <>
          <Button
            variant={isFollowing ? "default" : "filled"}
            size="xs"
            className={classes.touch}
            leftSection={<Icon name={isFollowing ? "pause" : "play"} size={14} />}
            onClick={isFollowing ? () => tell({ kind: "pause" }) : goLive}
          >
            {isFollowing ? "Pause" : `Go live${waiting.length > 0 ? ` (${waiting.length} new)` : ""}`}
          </Button>
          <Button variant="default" size="xs" className={classes.touch} onClick={() => setExporting(true)}>
            Export
          </Button>
        </>
      }
    >
      <div className={classes.controls}>
        <EventFilters ecosystemId={ecosystemId} devices={names} />
        <Jump ecosystemId={ecosystemId} key={`${after} ${at}`} />
      </div>
      <Standing view={view} hasFailed={failure !== undefined} />
      {failure && <Failure error={failure.error} retry={failure.retry} />}
      {runs.length === 0 && failure === undefined && <Loading />}
      {runs.length > 0 && !rows.some(({ kind }) => kind === "event") && (
        <NoEvents ecosystemId={ecosystemId} isFiltered={isFiltered} />
      )}
      {rows.length > 0 && (
        <EventList
          rows={rows}
          names={names}
          isFiltered={isFiltered}
          isLoading={isLoading}
          load={load}
          onOpen={() => tell({ kind: "pause" })}
        />
      )}
      {isExporting && (
        <ExportDialog
          filter={filter}
          what={isFiltered ? "All stored events that match the filters." : "All stored events."}
          onClose={() => setExporting(false)}
        />
      )}
    </Page>
  );
}

function NoEvents({ ecosystemId, isFiltered }: { readonly ecosystemId: string; readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No events">None of the loaded events match the filters.</Empty>;
  return (
    <Empty
      command={
        <ConsoleCommand command={CONSOLE_COMMANDS.events(ecosystemId)}>
          To follow events in a terminal, run:
        </ConsoleCommand>
      }
      title="No events"
    >
      This part of the log has no events. New events appear here as they happen, for example when a device reports a
      value.
    </Empty>
  );
}

interface StandingProps {
  readonly view: LogView;
  readonly hasFailed: boolean;
}

/** States whether the page is live, and otherwise which part of the log it shows. */
function Standing({ view, hasFailed }: StandingProps) {
  const shown = view.runs.reduce((sum, { events }) => sum + events.length, 0);
  return (
    <Text size="sm" c="dimmed" role="status">
      {standingOf(view, useLiveness(), hasFailed)} {counted(shown, "event")} shown.
    </Text>
  );
}

/** Describes the page's position in a sentence or two. */
export function standingOf(view: LogView, liveness: Liveness, hasFailed: boolean): string {
  const end = loadedTo(view);
  if (end === undefined) return hasFailed ? "Not live: events could not be loaded." : "Loading…";
  const isAtEnd = end >= view.newest;
  if (!view.isFollowing) {
    const place = isAtEnd ? "" : ` Showing events up to number ${end}. The newest is ${view.newest}.`;
    return `Paused: ${counted(view.waiting.length, "event")} arrived meanwhile.${place}`;
  }
  if (liveness.kind === "lost")
    return `Not live: events since ${clockOf(new Date(liveness.since).toISOString())} will be shown when the connection is back.`;
  if (liveness.kind === "connecting") return "Connecting…";
  if (!isAtEnd) return hasFailed ? "Not live: the newest events could not be loaded." : "Loading the newest events…";
  return "Live.";
}
