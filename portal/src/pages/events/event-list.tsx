/** Events, a line each; a line that is opened shows all that the event carries. */
import { Text } from "@mantine/core";
import type { PorchlightEvent } from "@porchlight/sdk";
import { memo, useState } from "react";
import { CodeBlock } from "../../kit/display/id.tsx";
import { clockOf } from "../../kit/text/age.tsx";
import { shortId } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { aboutOf } from "./about.ts";
import classes from "./event-list.module.css";
import type { TailEntry } from "./tail.ts";
import type { Names } from "./use-names.ts";

export interface EventListProps {
  readonly entries: readonly TailEntry[];
  readonly names: Names;
  /** Somebody reads: what comes is to wait. */
  readonly onOpen: () => void;
}

/** Lines that are in the page at once. */
const LINES = 200;

export function EventList({ entries, names, onOpen }: EventListProps) {
  const [lines, setLines] = useState(LINES);
  return (
    <div className={classes.list}>
      {entries.slice(0, lines).map((entry) =>
        entry.kind === "gap" ? (
          <p key={`gap ${entry.after}`} className={classes.gap}>
            {counted(entry.missing, "event")} after {entry.after} {entry.missing === 1 ? "is" : "are"} not here.
          </p>
        ) : (
          <EventLine key={entry.event.id} event={entry.event} names={names} onOpen={onOpen} />
        ),
      )}
      {entries.length > lines && (
        <button type="button" className={classes.more} onClick={() => setLines(lines + LINES)}>
          Show {Math.min(LINES, entries.length - lines)} more of {entries.length}
        </button>
      )}
    </div>
  );
}

interface EventLineProps {
  readonly event: PorchlightEvent;
  readonly names: Names;
  readonly onOpen: () => void;
}

const EventLine = memo(function EventLine({ event, names, onOpen }: EventLineProps) {
  const [isOpen, setOpen] = useState(false);
  const { sequence, type, createdAt } = event;
  const { id, name, what } = aboutOf(event);
  const called = name ?? (id === undefined ? undefined : (names.get(id) ?? shortId(id)));
  return (
    <details
      className={classes.event}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        if (currentTarget.open) onOpen();
      }}
    >
      <summary>
        <span className={classes.sequence}>{sequence}</span>
        <time dateTime={createdAt.replace(" ", "T")} title={createdAt}>
          {clockOf(createdAt)}
        </time>
        <span className={classes.type}>{type}</span>
        <span className={classes.about}>
          {called !== undefined && <bdi className={classes.name}>{called}</bdi>}{" "}
          {what && (
            <Text span size="sm" c="dimmed">
              <bdi>{what}</bdi>
            </Text>
          )}
        </span>
      </summary>
      {isOpen && <CodeBlock code={JSON.stringify(event, null, 2)} label={`event ${sequence} as JSON`} />}
    </details>
  );
});
