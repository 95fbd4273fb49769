/** How things are: hubs, devices, webhooks, the last hour's errors, and versions of the API in use. */
import { Anchor, Text } from "@mantine/core";
import type { Environment } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { callersQuery, FEW, LATEST, latestRequestsQuery } from "../../data/first-look.ts";
import { clientsQuery, devicesQuery, webhooksQuery } from "../../data/queries.ts";
import { useNow } from "../../kit/age.tsx";
import { nameOf } from "../../kit/names.ts";
import { Section } from "../../kit/page.tsx";
import { counted } from "../../kit/quantity.ts";
import { QueryView } from "../../kit/query-view.tsx";
import { OnlineState, StateWord } from "../../kit/state.tsx";
import { useApi } from "../../session/context.tsx";
import { countStates, errorsSince, type Health, healthOf, isCutOff, timeText, versionCounts } from "./counts.ts";
import classes from "./overview.module.css";

/** Rows of one part; what is more is on its own page. */
const MOST = 6;
const HOUR = 3_600_000;

interface Props {
  readonly ecosystemId: string;
  readonly environment: Environment | undefined;
}

export function Overview({ ecosystemId, environment }: Props) {
  return (
    <div className={classes.parts}>
      {environment && <Hubs environmentId={environment.id} />}
      {environment && <Devices environmentId={environment.id} />}
      <Webhooks ecosystemId={ecosystemId} />
      <LastHour ecosystemId={ecosystemId} />
      <Versions ecosystemId={ecosystemId} />
    </div>
  );
}

function Hubs({ environmentId }: { readonly environmentId: string }) {
  const hubs = useQuery(clientsQuery(useApi(), environmentId));
  const at = `/environments/${environmentId}/hubs`;
  return (
    <Section title="Hubs" actions={<To path={at}>All hubs</To>}>
      <QueryView query={hubs} isEmpty={isNone} empty={<To path="/pair">Pair the first hub</To>}>
        {(data) => (
          <>
            <Text>
              {countStates(data).online} of {counted(data.length, "hub")} online
            </Text>
            <Rows
              of={data.toSorted((one, other) => rank(one.connection.state) - rank(other.connection.state))}
              row={(hub) => ({
                id: hub.id,
                path: `${at}/${hub.id}`,
                name: nameOf(hub),
                value: <OnlineState connection={hub.connection} />,
              })}
            />
          </>
        )}
      </QueryView>
    </Section>
  );
}

/** What needs somebody comes first. */
function rank(state: "online" | "offline" | "unknown"): number {
  return { offline: 0, unknown: 1, online: 2 }[state];
}

function Devices({ environmentId }: { readonly environmentId: string }) {
  const devices = useQuery(devicesQuery(useApi(), environmentId));
  const at = `/environments/${environmentId}/devices`;
  return (
    <Section title="Devices" actions={<To path={at}>All devices</To>}>
      <QueryView query={devices} isEmpty={isNone} empty={<To path={`${at}/new`}>Make a virtual device</To>}>
        {(data) => {
          const { online, offline, unknown } = countStates(data);
          return (
            <>
              <Text>
                {online} of {counted(data.length, "device")} online
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
    </Section>
  );
}

const HEALTH: Readonly<Record<Health, readonly [tone: "good" | "bad" | "warn" | "none", word: string]>> = {
  failing: ["bad", "failing"],
  disabled: ["warn", "disabled"],
  new: ["none", "nothing sent yet"],
  well: ["good", "arrives"],
};

function Webhooks({ ecosystemId }: { readonly ecosystemId: string }) {
  const webhooks = useQuery({ ...webhooksQuery(useApi(), ecosystemId), refetchInterval: 15_000 });
  const at = `/ecosystems/${ecosystemId}/webhooks`;
  return (
    <Section title="Webhooks" actions={<To path={at}>All webhooks</To>}>
      <QueryView query={webhooks} isEmpty={isNone} empty={<Text c="dimmed">There is none.</Text>}>
        {(data) => (
          <Rows
            of={data}
            row={(webhook) => {
              const [tone, word] = HEALTH[healthOf(webhook)];
              const value = <StateWord tone={tone}>{word}</StateWord>;
              return { id: webhook.id, path: `${at}/${webhook.id}`, name: webhook.description ?? webhook.url, value };
            }}
          />
        )}
      </QueryView>
    </Section>
  );
}

function LastHour({ ecosystemId }: { readonly ecosystemId: string }) {
  const requests = useQuery(latestRequestsQuery(useApi()));
  const since = timeText(useNow() - HOUR);
  const at = `/ecosystems/${ecosystemId}/requests`;
  return (
    <Section title="Errors of the last hour" actions={<To path={at}>All requests</To>}>
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
    </Section>
  );
}

function Versions({ ecosystemId }: { readonly ecosystemId: string }) {
  const callers = useQuery({ ...callersQuery(useApi(), ecosystemId), refetchInterval: 30_000 });
  return (
    <Section
      title="API versions in use"
      lead={`Of the first ${FEW} users and servers.`}
      actions={<To path={`/ecosystems/${ecosystemId}/usage`}>Usage</To>}
    >
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
    </Section>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly path?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly value: ReactNode;
}

function Rows<T>({ of, row }: { readonly of: readonly T[]; readonly row: (thing: T) => Row }) {
  return (
    <ul className={classes.rows}>
      {of.slice(0, MOST).map((thing) => {
        const { id, name, path, search, value } = row(thing);
        return (
          <li key={id} className={classes.row}>
            <span className={classes.name}>
              {path === undefined ? (
                <bdi>{name}</bdi>
              ) : (
                <To path={path} search={search}>
                  {name}
                </To>
              )}
            </span>
            <span>{value}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface ToProps {
  readonly path: string;
  readonly search?: Readonly<Record<string, string>> | undefined;
  readonly children: string;
}

function To({ path, search, children }: ToProps) {
  return (
    <Anchor inherit renderRoot={(props) => <Link to={path} search={search as never} {...props} />}>
      <bdi>{children}</bdi>
    </Anchor>
  );
}

function isNone(things: readonly unknown[]): boolean {
  return things.length === 0;
}
