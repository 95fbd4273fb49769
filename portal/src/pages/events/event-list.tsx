/** Renders the event log: a line per event, a heading per day, and a row per gap. An expanded line shows the whole event. */
import { Button, Text } from "@mantine/core";
import type { PorchlightEvent } from "@porchlight/sdk";
import { memo, useState } from "react";
import { CodeBlock } from "../../kit/display/id.tsx";
import { clockOf, timeOf } from "../../kit/text/age.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { shortId } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { aboutOf } from "./about.ts";
import type { Names } from "./event-filters.tsx";
import classes from "./event-list.module.css";
import type { Absence, Row } from "./log-view.ts";
import { type LogPart, PAGE } from "./use-log.ts";

interface EventListProps {
  readonly rows: readonly Row[];
  readonly names: Names;
  /** Filters are active, so the number of missing matching events is unknown. */
  readonly isFiltered: boolean;
  readonly isLoading: boolean;
  readonly load: (place: LogPart, grows: "older" | "newer") => void;
  /** The user is reading: hold new events back. */
  readonly onOpen: () => void;
}

export function EventList({ rows, names, onOpen, ...gaps }: EventListProps) {
  let day: string | undefined;
  return (
    <div className={classes.list}>
      {rows.map((row) => {
        if (row.kind === "event") {
          const its = dayOf(row.event.createdAt);
          const heading = its === day ? undefined : its;
          day = its;
          return <EventLine key={row.event.id} event={row.event} heading={heading} names={names} onOpen={onOpen} />;
        }
        if (row.kind === "missing") return <Missing key={`missing ${row.at} ${row.last}`} row={row} {...gaps} />;
        const text = row.kind === "deleted" ? `${spanOf(row)} no longer kept.` : "The log starts here.";
        return (
          <p key={text} className={row.kind === "deleted" ? classes.gap : classes.end}>
            {text}
          </p>
        );
      })}
    </div>
  );
}

interface MissingProps extends Pick<EventListProps, "isFiltered" | "isLoading" | "load"> {
  readonly row: Extract<Row, { readonly kind: "missing" }>;
}

function Missing({ row, isFiltered, isLoading, load }: MissingProps) {
  const { first, last, at } = row;
  const fromOldest = () => load({ after: first - 1, before: last + 1, order: "oldest" }, "newer");
  const fromNewest = () => load({ after: first - 1, before: last + 1, order: "newest" }, "newer");
  const button = (label: string, onClick: () => void) => (
    <Button size="xs" variant="default" className={classes.touch} loading={isLoading} onClick={onClick}>
      {label}
    </Button>
  );
  return (
    <div className={classes.gap}>
      <span>
        {spanOf(row)} not loaded{isFiltered ? "; it is unknown how many match the filters" : ""}.
      </span>
      {/* The list may be incomplete at the top. */}
      {at === "newest" && button("Load newer", () => load({ after: first - 1, order: "oldest" }, "newer"))}
      {at === "oldest" && button("Load older", () => load({ before: last + 1, order: "newest" }, "older"))}
      {at === "between" && last - first < PAGE && button("Load these events", fromNewest)}
      {at === "between" && last - first >= PAGE && (
        <>
          {button(`Load down from ${last}`, fromNewest)}
          {button(`Load up from ${first}`, fromOldest)}
        </>
      )}
    </div>
  );
}

/** "24,800 events (201 to 25000) are". */
function spanOf({ first, last }: Absence): string {
  const count = last - first + 1;
  return count === 1 ? `Event ${first} is` : `${counted(count, "event")} (${first} to ${last}) are`;
}

function dayOf(createdAt: string): string {
  const format = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
  return new Date(timeOf(createdAt)).toLocaleDateString(undefined, format);
}

interface EventLineProps {
  readonly event: PorchlightEvent;
  /** The date, above the first event of a day. */
  readonly heading: string | undefined;
  readonly names: Names;
  readonly onOpen: () => void;
}

const EventLine = memo(function EventLine({ event, heading, names, onOpen }: EventLineProps) {
  const [isOpen, setOpen] = useState(false);
  const { sequence, type, createdAt } = event;
  const { id, name, what } = aboutOf(event);
  const called = name ?? (id === undefined ? undefined : (names.get(id) ?? shortId(id)));
  const line = (
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
          {called !== undefined && (
            <span className={classes.name}>
              <NameText text={called} />
            </span>
          )}{" "}
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
  if (heading === undefined) return line;
  return (
    <>
      <p className={classes.day}>{heading}</p>
      {line}
    </>
  );
});
