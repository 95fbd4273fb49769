/** The sections with the state of a hub: its connection, what it reports of itself, and its self-check. */
import { Alert, Button, Text } from "@mantine/core";
import type { Client, HubCheck, HubStatus } from "@porchlight/shared/api";
import { reasonOf } from "@porchlight/shared/presentation";
import { useQuery } from "@tanstack/react-query";
import { hasConnected, hubDoctorQuery, hubStatusQuery } from "../../data/hubs.ts";
import { Fact, Facts, Term } from "../../kit/display/facts.tsx";
import { Id } from "../../kit/display/id.tsx";
import { Section } from "../../kit/display/page.tsx";
import { OnlineState, StateWord } from "../../kit/display/state.tsx";
import { Age } from "../../kit/text/age.tsx";
import { bytesOf, counted, skewOf, spanOf, tookOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { HubReport } from "./hub-backups.tsx";
import classes from "./hub-report.module.css";

/** Clock skew in ms from which the page warns, because the hub judges commands by their time. */
const MUCH_SKEW = 2000;

/** The hub's connection; when it is offline, since when, why, and the remedy. */
export function HubConnection({ client }: { readonly client: Client }) {
  const { connection, edgeId, createdAt } = client;
  const { state, since, lastSeenAt, agentVersion, reason } = connection;
  // Available only while the hub is connected.
  const { roundTripMs, clockSkewMs, reconnects24h, queuedReports } = connection;
  const why = state === "offline" && reason !== undefined ? reasonOf(reason) : undefined;
  const isKnown = hasConnected(connection);
  return (
    <Section title="Connection" lead={<Explained client={client} />}>
      <Facts>
        <Fact name="State">
          {isKnown || state !== "offline" ? <OnlineState connection={connection} /> : "never connected"}
        </Fact>
        <Fact name="Since">{isKnown && <Age at={since} />}</Fact>
        <Fact name="Last heard">{lastSeenAt ? <Age at={lastSeenAt} /> : isKnown ? "not known" : "never"}</Fact>
        <Fact name="Reason">
          {why && (
            <>
              {`${why.says} ${why.cure ?? "It reconnects by itself as soon as it can."} `}
              {reason === "lease_expired" && <Term id="lease">What is a lease?</Term>}
            </>
          )}
        </Fact>
        <Fact name="Edge ID" term="edgeid">
          {edgeId ? <Id value={edgeId} label="edge ID" /> : "unknown until it first connects"}
        </Fact>
        <Fact name="Agent" term="agent">
          {agentVersion}
        </Fact>
        <Fact name="Round trip">{roundTripMs !== undefined && tookOf(roundTripMs)}</Fact>
        <Fact name="Clock">{clockSkewMs !== undefined && skewOf(clockSkewMs)}</Fact>
        <Fact name="Reconnects, 24 h">{reconnects24h}</Fact>
        <Fact name="Reports to send">{queuedReports}</Fact>
        <Fact name="Created">
          <Age at={createdAt} />
        </Fact>
      </Facts>
    </Section>
  );
}

function Explained({ client: { connection } }: { readonly client: Client }) {
  const { state, clockSkewMs = 0 } = connection;
  if (state === "unknown") return "The service has just started and is waiting for the hub to reconnect.";
  if (state === "offline")
    return hasConnected(connection)
      ? "Its devices' last known values are shown. Their current state is unknown."
      : "The hub was created and has not connected yet.";
  if (Math.abs(clockSkewMs) > MUCH_SKEW)
    return (
      <Text size="sm">
        The hub's clock is {skewOf(clockSkewMs)}. The service corrects the times that it reports. Set up NTP on the hub.
      </Text>
    );
  return undefined;
}

/** The hub's current status: version, machine, memory, disk, and problems. */
export function HubAbout({ client }: { readonly client: Client }) {
  const isOnline = client.connection.state === "online";
  const status = useQuery({ ...hubStatusQuery(useApi(), client.id), enabled: isOnline });
  return (
    <Section title="About this hub">
      <HubReport client={client} query={status} done="As of">
        {(reported) => <About status={reported} />}
      </HubReport>
    </Section>
  );
}

function About({ status }: { readonly status: HubStatus }) {
  const { version, uptimeMs, system, architecture, runtime, dataFolder } = status;
  const { memory, disk, queue, clock, localApi, commandsWaiting, problems } = status;
  const ofDisk = disk.totalBytes === undefined ? "" : ` of ${bytesOf(disk.totalBytes)}`;
  return (
    <>
      {problems.map(({ name, says, cure }) => (
        <Alert key={`${name} ${says}`} color="bad" variant="light" title={says}>
          {cure}
        </Alert>
      ))}
      <Facts>
        <Fact name="Agent">
          {version}, {runtime}
        </Fact>
        <Fact name="Running for">{spanOf(uptimeMs)}</Fact>
        <Fact name="System">
          {system}, {architecture}
        </Fact>
        <Fact name="Memory">
          the agent uses {bytesOf(memory.agentBytes)}; {bytesOf(memory.freeBytes)} of {bytesOf(memory.totalBytes)} free
        </Fact>
        <Fact name="Disk">
          {disk.freeBytes === undefined ? "free space unknown" : `${bytesOf(disk.freeBytes)}${ofDisk} free`}
          {disk.isFull && ", full: new reports wait at the devices"}
        </Fact>
        <Fact name="History">{bytesOf(disk.databaseBytes)}</Fact>
        <Fact name="Reports to send">
          {counted(queue.records, "report")}
          {queue.isFull && ", full"}
          {queue.droppedValues > 0 && `, ${counted(queue.droppedValues, "older value")} dropped`}
          {queue.gaps > 0 && `, ${counted(queue.gaps, "value")} lost to a full disk`}
        </Fact>
        <Fact name="Commands to carry out">{commandsWaiting}</Fact>
        <Fact name="Time">{CLOCKS[clock.source] ?? clock.source}</Fact>
        <Fact name="Local API">
          {localApi && (localApi.url ?? `not served${localApi.failure ? `: ${localApi.failure}` : ""}`)}
        </Fact>
        <Fact name="Data folder">
          <span className="mono">{dataFolder}</span>
        </Fact>
      </Facts>
    </>
  );
}

const CLOCKS: Readonly<Record<string, string>> = {
  system: "from its system clock",
  cloud: "from the service, because its own clock is wrong",
  guessed: "estimated, until the service tells it the time",
} satisfies Readonly<Record<HubStatus["clock"]["source"], string>>;

const TONES = { ok: "good", warning: "warn", failed: "bad" } as const;

/** The hub's self-check, with the same results as `porchlight-agent doctor`. */
export function HubHealth({ client }: { readonly client: Client }) {
  const isOnline = client.connection.state === "online";
  const checks = useQuery({ ...hubDoctorQuery(useApi(), client.id), enabled: isOnline });
  return (
    <Section
      title="Health"
      lead={checks.data && summaryOf(checks.data.items, isOnline)}
      actions={
        isOnline && (
          <div className={classes.controls}>
            <Button size="xs" variant="default" loading={checks.isFetching} onClick={() => void checks.refetch()}>
              Run checks
            </Button>
          </div>
        )
      }
    >
      <HubReport client={client} query={checks} done="Checked">
        {({ items }) => (
          <ul className={classes.list} aria-label="Checks of the hub">
            {items.map(({ name, verdict, says, cure }) => (
              <li key={`${name} ${says}`}>
                <StateWord tone={TONES[verdict]}>{verdict}</StateWord>
                <div className={classes.what}>
                  <span>
                    <strong>{name}</strong>: {says}
                  </span>
                  {cure !== undefined && <span className={classes.cure}>{cure}</span>}
                </div>
              </li>
            ))}
          </ul>
        )}
      </HubReport>
    </Section>
  );
}

/** "All 8 checks passed."; for an offline hub the result of its last check. */
function summaryOf(items: readonly HubCheck[], isOnline: boolean): string {
  const failed = items.filter(({ verdict }) => verdict === "failed").length;
  const warnings = items.filter(({ verdict }) => verdict === "warning").length;
  const when = isOnline ? "" : "At its last check: ";
  if (failed + warnings === 0) return isOnline ? `All ${counted(items.length, "check")} passed.` : `${when}all passed.`;
  const parts = [...(failed > 0 ? [`${failed} failed`] : []), ...(warnings > 0 ? [counted(warnings, "warning")] : [])];
  return `${when}${counted(items.length, "check")}, ${parts.join(", ")}.`;
}
