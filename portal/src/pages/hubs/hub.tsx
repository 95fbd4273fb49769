/** The page of a hub: connection, status, devices, log, backups, name and tokens, and restart, removal or replacement. */
import { Alert, Anchor, Button, Text } from "@mantine/core";
import type { Client, HubCheck, HubStatus } from "@porchlight/shared/api";
import { reasonOf } from "@porchlight/shared/presentation";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { awaySince, hasConnected } from "../../data/away-since.ts";
import { hubDoctorQuery, hubStatusQuery } from "../../data/hubs.ts";
import { clientQuery, devicesQuery } from "../../data/queries.ts";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { OnlineState, StateWord } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Term } from "../../kit/display/term.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { MetaEditor } from "../../kit/metadata/meta-editor.tsx";
import { Age } from "../../kit/text/age.tsx";
import { Name } from "../../kit/text/name.tsx";
import { titleOf } from "../../kit/text/names.ts";
import { bytesOf, counted, skewOf, spanOf, tookOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { HubBackups, HubTold } from "./hub-backups.tsx";
import { HubDrivers } from "./hub-drivers.tsx";
import { HubLog } from "./hub-log.tsx";
import { HubMatter } from "./hub-matter.tsx";
import { HubRestart } from "./hub-restart.tsx";
import { HubTokens } from "./hub-tokens.tsx";
import classes from "./hub-told.module.css";

const route = getRouteApi("/inside/environments/$environmentId/hubs/$clientId");

export function HubPage() {
  const { environmentId, clientId } = route.useParams();
  const hub = useQuery(clientQuery(useApi(), clientId));
  return (
    <Page
      title={hub.data ? titleOf(hub.data, "Hub") : "Hub"}
      lead={<Id value={clientId} label="hub ID" />}
      actions={hub.data && <Remove client={hub.data} />}
      aside={<Replacing environmentId={environmentId} />}
    >
      <QueryView query={hub}>
        {(client) => (
          <>
            <HubConnection client={client} />
            <HubHealth client={client} />
            <HubDrivers client={client} />
            <HubMatter client={client} />
            <HubDevices client={client} />
            <HubAbout client={client} />
            <HubLog client={client} />
            <HubBackups client={client} />
            <HubRestart client={client} />
            <Section title="Name and metadata">
              <Naming client={client} />
            </Section>
            <HubTokens clientId={client.id} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Naming({ client: { id, alias } }: { readonly client: Client }) {
  const { clients } = useApi();
  return (
    <>
      <AliasField kind="clients" id={id} alias={alias} source={clients} />
      <MetaEditor kind="clients" id={id} source={clients} />
    </>
  );
}

/** Deletes the hub together with its physical devices. */
function Remove({ client }: { readonly client: Client }) {
  const api = useApi();
  const router = useRouter();
  const { environmentId, id } = client;
  const { data: devices = [] } = useQuery(devicesQuery(api, environmentId));
  const count = devices.filter(({ clientId }) => clientId === id).length;
  return (
    <Confirm
      label="Remove hub"
      title="Remove hub?"
      act={() => api.clients.delete(id)}
      onDone={() =>
        void router.navigate({
          to: "/environments/$environmentId/hubs",
          params: { environmentId },
          ignoreBlocker: true,
        })
      }
    >
      <Text size="sm">
        {count === 0
          ? "No devices are removed with it."
          : `${counted(count, "device")} that it connects ${count === 1 ? "is" : "are"} deleted with it, and removed from every zone.`}{" "}
        Its tokens stop working, and it is disconnected within five seconds. To keep the devices, first pair another hub
        that is connected to them, and remove this one when the devices have moved.
      </Text>
    </Confirm>
  );
}

function Replacing({ environmentId }: { readonly environmentId: string }) {
  return (
    <Section title="Replace a broken hub">
      <Text size="sm" component="div">
        <p>Another hub can take its place. The devices keep their IDs, aliases and zones:</p>
        <ol>
          <li>Connect the new hub to the same devices.</li>
          <li>
            <Anchor
              underline="always"
              renderRoot={(props) => <Link to="/pair" search={{ environment: environmentId }} {...props} />}
            >
              Pair it
            </Anchor>{" "}
            into this environment.
          </li>
          <li>Wait a minute. Devices move once the old hub has been offline for that long.</li>
          <li>When they are online again, remove the old hub.</li>
        </ol>
      </Text>
    </Section>
  );
}

const TONES = { ok: "good", warning: "warn", failed: "bad" } as const;

/** The hub's self-check, with the same results as `porchlight-agent doctor`. */
function HubHealth({ client }: { readonly client: Client }) {
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
      <HubTold client={client} query={checks} done="Checked">
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
      </HubTold>
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

/** The devices behind the hub. */
function HubDevices({ client: { id, environmentId, connection: hub } }: { readonly client: Client }) {
  const devices = useQuery({
    ...devicesQuery(useApi(), environmentId),
    select: (all) => all.filter(({ clientId }) => clientId === id),
  });
  return (
    <Section title="Devices">
      <QueryView query={devices} isEmpty={(all) => all.length === 0} empty={<NoDevices />}>
        {(all) => (
          <DataTable
            label="Devices of the hub"
            rows={all}
            idOf={(device) => device.id}
            columns={[
              {
                name: "Device",
                cell: (device) => (
                  <Link
                    to="/environments/$environmentId/devices/$deviceId"
                    params={{ environmentId, deviceId: device.id }}
                  >
                    <Name of={device} />
                  </Link>
                ),
              },
              { name: "State", cell: ({ connection }) => <OnlineState connection={connection} /> },
              { name: "Since", cell: ({ connection }) => <Since at={connection && awaySince(connection, hub)} /> },
              { name: "Edge ID", cell: ({ edgeId }) => <span className="mono">{edgeId}</span> },
            ]}
          />
        )}
      </QueryView>
    </Section>
  );
}

function Since({ at }: { readonly at: string | undefined }) {
  return at !== undefined && <Age at={at} />;
}

function NoDevices() {
  return (
    <Empty title="No devices on this hub">
      Devices on its serial lines appear by themselves. Other devices must be set up or admitted first, under Drivers.
    </Empty>
  );
}

/** Clock skew in ms from which the page warns, because the hub judges commands by their time. */
const MUCH_SKEW = 2000;

/** The hub's connection; when it is offline, since when, why, and the remedy. */
function HubConnection({ client }: { readonly client: Client }) {
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
function HubAbout({ client }: { readonly client: Client }) {
  const isOnline = client.connection.state === "online";
  const status = useQuery({ ...hubStatusQuery(useApi(), client.id), enabled: isOnline });
  return (
    <Section title="About this hub">
      <HubTold client={client} query={status} done="As of">
        {(told) => <About status={told} />}
      </HubTold>
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
