/** Events as they happen: filtered, paused, looked into, copied, and from a sequence on. */

import { Button, CopyButton, Group, Text } from "@mantine/core";
import { wants } from "@porchlight/shared/events";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { Icon } from "../../kit/display/icon.tsx";
import { Page } from "../../kit/display/page.tsx";
import { Empty } from "../../kit/display/query-view.tsx";
import { counted } from "../../kit/text/quantity.ts";
import { useLiveness } from "../../live/context.tsx";
import { deviceOfEvent } from "./about.ts";
import { EventFilters } from "./event-filters.tsx";
import { EventList } from "./event-list.tsx";
import { FromSequence } from "./from-sequence.tsx";
import { entriesOf, type IsShown, MOST, type Tail } from "./tail.ts";
import { useNames } from "./use-names.ts";
import { useTail } from "./use-tail.ts";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/events");

export function EventsPage() {
  const { ecosystemId } = route.useParams();
  return <Events ecosystemId={ecosystemId} key={ecosystemId} />;
}

function Events({ ecosystemId }: { readonly ecosystemId: string }) {
  const { types = "", device, environment } = route.useSearch();
  const isShown = useMemo<IsShown>(() => {
    const patterns = types === "" ? ["*"] : types.split(",");
    return (event) =>
      wants(patterns, event.type) &&
      (environment === undefined || event.environmentId === environment) &&
      (device === undefined || deviceOfEvent(event) === device);
  }, [types, device, environment]);
  const { tail, tell } = useTail(ecosystemId, isShown);
  const names = useNames(ecosystemId);
  const entries = useMemo(() => entriesOf(tail, isShown), [tail, isShown]);
  const shown = entries.flatMap((entry) => (entry.kind === "event" ? [entry.event] : []));
  const [isCut, setCut] = useState(false);
  return (
    <Page
      title="Events"
      lead="What happens in the ecosystem, as it happens. The newest stand first."
      actions={
        <>
          <Button
            variant={tail.isPaused ? "filled" : "default"}
            size="xs"
            leftSection={<Icon name={tail.isPaused ? "play" : "pause"} size={14} />}
            onClick={() => tell({ kind: tail.isPaused ? "resume" : "pause" })}
          >
            {tail.isPaused ? `Go on${tail.waiting.length > 0 ? ` (${tail.waiting.length} new)` : ""}` : "Pause"}
          </Button>
          <Button variant="default" size="xs" disabled={shown.length === 0} onClick={() => tell({ kind: "clear" })}>
            Clear
          </Button>
          <CopyButton value={JSON.stringify(shown, null, 2)} timeout={2000}>
            {({ copied, copy }) => (
              <Button variant="default" size="xs" disabled={shown.length === 0} onClick={copy}>
                {copied ? "Copied" : "Copy as JSON"}
              </Button>
            )}
          </CopyButton>
        </>
      }
    >
      <EventFilters ecosystemId={ecosystemId} devices={names} />
      <FromSequence
        ecosystemId={ecosystemId}
        known={tail.kept[0]?.sequence}
        onPast={({ events, isCut: cut }) => {
          tell({ kind: "past", events });
          setCut(cut);
        }}
      />
      {isCut && <Text size="sm">The oldest of those that were asked for are no longer kept.</Text>}
      <Standing tail={tail} shown={shown.length} />
      {entries.length === 0 ? (
        <NoEvents kept={tail.kept.length} />
      ) : (
        <EventList entries={entries} names={names} onOpen={() => tell({ kind: "pause" })} />
      )}
    </Page>
  );
}

/** How many there are, and what happens to those that come. */
function Standing({ tail, shown }: { readonly tail: Tail; readonly shown: number }) {
  const { kept, waiting, isPaused, dropped } = tail;
  const liveness = useLiveness();
  const state = isPaused
    ? `Paused: ${counted(waiting.length, "event")} came meanwhile.`
    : liveness.kind === "live"
      ? "Live."
      : liveness.kind === "lost"
        ? "Not live: what comes meanwhile is shown when the connection is back."
        : "Connecting.";
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {state} {shown === kept.length ? counted(shown, "event") : `${shown} of ${counted(kept.length, "event")}`} shown
        {kept.length >= MOST && `, the newest ${MOST.toLocaleString("en")} are kept`}.
      </Text>
      {dropped > 0 && (
        <Text size="sm" role="alert">
          {counted(dropped, "event")} of those that came had to be dropped.
        </Text>
      )}
    </Group>
  );
}

function NoEvents({ kept }: { readonly kept: number }) {
  if (kept > 0) return <Empty title="None of these">The filters hold back all that has come.</Empty>;
  return (
    <Empty title="Nothing has happened since this page was opened">
      Press a button, set a property, make a zone: it stands here within a second. What happened before is shown from a
      sequence on.
    </Empty>
  );
}
