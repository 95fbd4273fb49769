/** The last minutes of the hub's own log, without secrets: filter by level and time, copy, or download. */
import { Button, CopyButton, Select, Text } from "@mantine/core";
import type { Client, HubLog as Log, LogLevel } from "@porchlight/shared/api";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { hubLogQuery } from "../../data/hubs.ts";
import { Section } from "../../kit/display/page.tsx";
import { momentOf, timeOf } from "../../kit/text/age.tsx";
import { useApi } from "../../session/context.tsx";
import { HubReport } from "./hub-backups.tsx";
import classes from "./hub-report.module.css";

const SPANS = [
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "1440", label: "1 day" },
];
const LEVELS: Readonly<Record<LogLevel, string>> = {
  debug: "everything",
  info: "info and above",
  warn: "warnings and errors",
  error: "errors",
};

const isLevel = (chosen: string | null): chosen is LogLevel => chosen !== null && Object.hasOwn(LEVELS, chosen);

export function HubLog({ client }: { readonly client: Client }) {
  const [minutes, setMinutes] = useState("15");
  const [level, setLevel] = useState<LogLevel>("info");
  const isOnline = client.connection.state === "online";
  const log = useQuery({
    ...hubLogQuery(useApi(), client.id, { minutes: Number(minutes), level }),
    enabled: isOnline,
    placeholderData: keepPreviousData,
  });
  const text = log.data ? textOf(log.data) : "";
  return (
    <Section title="Log" lead="Recent log lines of the agent. Secrets are removed on the hub.">
      <div className={classes.controls}>
        <Select
          size="xs"
          label="Level"
          allowDeselect={false}
          value={level}
          data={Object.entries(LEVELS).map(([each, label]) => ({ value: each, label }))}
          onChange={(chosen) => setLevel(isLevel(chosen) ? chosen : "info")}
        />
        <Select
          size="xs"
          label="Last"
          allowDeselect={false}
          value={minutes}
          data={SPANS}
          onChange={(chosen) => setMinutes(chosen ?? "15")}
        />
        <Button
          size="xs"
          variant="default"
          disabled={!isOnline}
          loading={log.isFetching}
          onClick={() => void log.refetch()}
        >
          Refresh
        </Button>
        <CopyButton value={text} timeout={2000}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" disabled={text === ""} onClick={copy}>
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
        <Button size="xs" variant="default" disabled={text === ""} onClick={() => download(text, client)}>
          Download
        </Button>
      </div>
      <HubReport client={client} query={log} done="Read">
        {(reported) => <Lines log={reported} />}
      </HubReport>
    </Section>
  );
}

function Lines({ log }: { readonly log: Log }) {
  const { items, isCut, isKept, observedAt } = log;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // Scroll to the newest line at the end.
    if (items.length > 0 && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [items]);
  if (items.length === 0)
    return (
      <Text size="sm">
        {isKept
          ? "No log lines of this level in this time."
          : "This hub keeps no log, because its setting `logBytes` is 0."}
      </Text>
    );
  return (
    <>
      {isCut && <Text size="sm">The oldest lines are not shown.</Text>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section ref={box} className={classes.log} tabIndex={0} aria-label="Log of the hub">
        <ol>
          {items.map(({ at, level, text }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines of one second can be equal, and lines keep their positions
            <li key={`${place} ${at}`}>
              <time dateTime={at.replace(" ", "T")} title={at}>
                {momentOf(timeOf(at), timeOf(observedAt))}
              </time>
              <span data-level={level}>{level}</span>
              <span>{text}</span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

const textOf = ({ items }: Log) => items.map(({ at, level, text }) => `${at}  ${level.padEnd(5)}  ${text}\n`).join("");

function download(text: string, { id }: Client): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${id}.log`;
  link.click();
  URL.revokeObjectURL(url);
}
