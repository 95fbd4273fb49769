/** Open and ended alerts, and the settings of their notifications. */
import { Anchor, Button, Group, Text } from "@mantine/core";
import type { Porchlight } from "@porchlight/sdk";
import type { Alert } from "@porchlight/shared/api";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, Loading } from "../../kit/display/query-view.tsx";
import { ConsoleCommand } from "../../kit/display/shell-commands.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { Age } from "../../kit/text/age.tsx";
import { CONSOLE_COMMANDS } from "../../kit/text/shell-commands.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./alert-list.module.css";
import { AlertSettingsPart } from "./alert-settings.tsx";
import { alertText, kindWords, subjectAddress, subjectWords } from "./alert-words.ts";

/** Alerts per page: many of the open ones, few of the ended ones. */
const PAGE = { open: 50, ended: 10 } as const;
/** Poll interval in ms: events cover only the current ecosystem, and alerts are shown for all of them. */
const AGAIN = 30_000;

/** Newest first, page by page: one kind of alert can occur thousands of times. */
const alertsQuery = (api: Porchlight, state: "open" | "ended") =>
  infiniteQueryOptions({
    queryKey: ["alerts", state],
    queryFn: ({ pageParam, signal }) =>
      api.alerts.list({ state, order: "newest" }, { pageSize: PAGE[state], signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ continuationToken }) => continuationToken,
    refetchInterval: AGAIN,
  });

export function AlertsPage() {
  return (
    <Page
      title="Alerts"
      lead="Hubs that stay offline, low batteries, failing webhooks and quotas near their limit, in all your ecosystems."
    >
      <Section title="Open">
        <AlertList
          state="open"
          empty={
            <Empty
              command={
                <ConsoleCommand command={CONSOLE_COMMANDS.alerts()}>To list alerts in a terminal, run:</ConsoleCommand>
              }
              title="No open alerts"
            >
              The service checks hubs and webhooks every half minute, batteries every five minutes and quotas every
              hour.
            </Empty>
          }
        />
      </Section>
      <Section title="Ended" lead={`The last ${durationWords(SERVICE_TIMES.endedAlertsKept)}.`}>
        <AlertList state="ended" empty={<Empty title="No ended alerts">Alerts move here when they end.</Empty>} />
      </Section>
      <AlertSettingsPart />
    </Page>
  );
}

interface AlertListProps {
  readonly state: Alert["state"];
  readonly empty: ReactNode;
}

/** The alerts in one state, newest first, each with its details and a link to its subject. */
function AlertList({ state, empty }: AlertListProps) {
  const query = useInfiniteQuery(alertsQuery(useApi(), state));
  const { data, error, isPending, hasNextPage, isFetchingNextPage } = query;
  const alerts = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      {isPending && <Loading />}
      {error && <Failure error={error} retry={() => void query.refetch()} />}
      {data && alerts.length === 0 && empty}
      {alerts.length > 0 && (
        <ul className={classes.list} aria-label={state === "open" ? "Open alerts" : "Ended alerts"}>
          {alerts.map((alert) => (
            <AlertItem key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Group>
          <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older alerts
          </Button>
        </Group>
      )}
    </>
  );
}

function AlertItem({ alert }: { readonly alert: Alert }) {
  const { kind, state, text, endText, openedAt, endedAt, subject } = alert;
  const to = subjectAddress(alert);
  return (
    <li className={classes.alert}>
      <StateWord tone={state === "open" ? "bad" : "none"}>{kindWords(kind)}</StateWord>
      <div className={classes.text}>
        <Text>{alertText(text)}</Text>
        {endText !== undefined && <Text c="dimmed">{alertText(endText)}</Text>}
        {to && (
          <Anchor component={Link} to={to} title={subject.name} size="sm" className={classes.link}>
            {subjectWords(subject.type)}
          </Anchor>
        )}
      </div>
      <div className={classes.times}>
        <div>
          opened <Age at={openedAt} />
        </div>
        {endedAt !== undefined && (
          <div>
            ended <Age at={endedAt} />
          </div>
        )}
      </div>
    </li>
  );
}
