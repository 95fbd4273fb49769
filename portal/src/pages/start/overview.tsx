/** The overview: hubs, devices, webhooks, errors of the last hour, and API versions in use. */
import { Text } from "@mantine/core";
import type { Environment } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { clientsQuery, devicesQuery, webhooksQuery } from "../../data/queries.ts";
import { Loading, QueryView } from "../../kit/display/query-view.tsx";
import { OnlineCount, OnlineState, StateWord } from "../../kit/display/state.tsx";
import { useNow } from "../../kit/text/age.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { countStates, errorsSince, type Health, healthOf, isCutOff, timeText, versionCounts } from "./counts.ts";
import { callersQuery, FEW, LATEST, latestRequestsQuery } from "./first-look.ts";
import classes from "./overview.module.css";
import { Part, Rows, To } from "./overview-part.tsx";

const HOUR = 3_600_000;
// Lazy, so that the rest of the page does not wait for it.
const Activity = lazy(async () => ({ default: (await import("./activity.tsx")).Activity }));

interface Props {
  readonly ecosystemId: string;
  readonly environment: Environment | undefined;
}

export function Overview({ ecosystemId, environment }: Props) {
  return (
    <>
      <Suspense fallback={<Loading />}>
        <Activity ecosystemId={ecosystemId} />
      </Suspense>
      <div className={classes.parts}>
        {environment && <Hubs environmentId={environment.id} />}
        {environment && <Devices environmentId={environment.id} />}
        <Webhooks ecosystemId={ecosystemId} />
        <LastHour ecosystemId={ecosystemId} />
        <Versions ecosystemId={ecosystemId} />
      </div>
    </>
  );
}

function Hubs({ environmentId }: { readonly environmentId: string }) {
  const hubs = useQuery(clientsQuery(useApi(), environmentId));
  const at = `/environments/${environmentId}/hubs`;
  return (
    <Part title="Hubs" path={at} link="All hubs">
      <QueryView query={hubs} isEmpty={isNone} empty={<To path="/pair">Pair the first hub</To>}>
        {(data) => (
          <>
            <Text>
              <OnlineCount online={countStates(data).online} all={data.length} what="hub" />
            </Text>
            <Rows
              of={data.toSorted((one, other) => rank(one.connection.state) - rank(other.connection.state))}
              row={(hub) => ({
                id: hub.id,
                path: `${at}/${hub.id}`,
                name: cut(nameOf(hub)),
                value: <OnlineState connection={hub.connection} />,
              })}
            />
          </>
        )}
      </QueryView>
    </Part>
  );
}

/** The sort key: things with problems come first. */
function rank(state: "online" | "offline" | "unknown"): number {
  return { offline: 0, unknown: 1, online: 2 }[state];
}

function Devices({ environmentId }: { readonly environmentId: string }) {
  const devices = useQuery(devicesQuery(useApi(), environmentId));
  const at = `/environments/${environmentId}/devices`;
  return (
    <Part title="Devices" path={at} link="All devices">
      <QueryView query={devices} isEmpty={isNone} empty={<To path={`${at}/new`}>Make a virtual device</To>}>
        {(data) => {
          const { online, offline, unknown } = countStates(data);
          return (
            <>
              <Text>
                <OnlineCount online={online} all={data.length} what="device" />
              </Text>
              {offline + unknown > 0 && (
                <Text c="dimmed">
                  {offline} offline, {unknown} unknown
                </Text>
              )}
            </>
          );
        }}
      </QueryView>
    </Part>
  );
}

const HEALTH: Readonly<Record<Health, readonly [tone: "good" | "bad" | "warn" | "none", word: string]>> = {
  failing: ["bad", "failing"],
  disabled: ["warn", "disabled"],
  new: ["none", "nothing sent yet"],
  well: ["good", "healthy"],
};

function Webhooks({ ecosystemId }: { readonly ecosystemId: string }) {
  const webhooks = useQuery({ ...webhooksQuery(useApi(), ecosystemId), refetchInterval: 15_000 });
  const at = `/ecosystems/${ecosystemId}/webhooks`;
  return (
    <Part title="Webhooks" path={at} link="All webhooks">
      <QueryView query={webhooks} isEmpty={isNone} empty={<Text c="dimmed">There is none.</Text>}>
        {(data) => (
          <Rows
            of={data}
            row={(webhook) => {
              const [tone, word] = HEALTH[healthOf(webhook)];
              const value = <StateWord tone={tone}>{word}</StateWord>;
              return {
                id: webhook.id,
                path: `${at}/${webhook.id}`,
                name: cut(webhook.description ?? webhook.url),
                value,
              };
            }}
          />
        )}
      </QueryView>
    </Part>
  );
}

function LastHour({ ecosystemId }: { readonly ecosystemId: string }) {
  const requests = useQuery(latestRequestsQuery(useApi()));
  const since = timeText(useNow() - HOUR);
  const at = `/ecosystems/${ecosystemId}/requests`;
  return (
    <Part title="Errors of the last hour" path={at} link="All requests">
      <QueryView query={requests}>
        {(data) => {
          const errors = errorsSince(data, since);
          return (
            <>
              {isCutOff(data, LATEST, since) && <Text c="dimmed">Of the last {LATEST} requests.</Text>}
              {errors.length === 0 && <StateWord tone="good">none</StateWord>}
              <Rows
                of={errors}
                row={({ name, status, count, requestId }) => ({
                  id: name,
                  path: at,
                  search: { request: requestId },
                  name: `${status} ${name}`,
                  value: count,
                })}
              />
            </>
          );
        }}
      </QueryView>
    </Part>
  );
}

function Versions({ ecosystemId }: { readonly ecosystemId: string }) {
  const callers = useQuery({ ...callersQuery(useApi(), ecosystemId), refetchInterval: 30_000 });
  return (
    <Part title="API versions in use" path={`/ecosystems/${ecosystemId}/usage`} link="Usage">
      <Text c="dimmed">Of the first {FEW} users and servers.</Text>
      <QueryView query={callers}>
        {({ tokens }) => {
          const counts = versionCounts(tokens);
          if (counts.length === 0) return <Text c="dimmed">No token has been used yet.</Text>;
          return (
            <Rows
              of={counts}
              row={([version, count]) => ({ id: version, name: version, value: counted(count, "token") })}
            />
          );
        }}
      </QueryView>
    </Part>
  );
}

function isNone(things: readonly unknown[]): boolean {
  return things.length === 0;
}
