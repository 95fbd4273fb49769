/** The activity and incidents of the last hour or day, for all environments of an ecosystem; it updates itself. */
import { Anchor, SegmentedControl, Text } from "@mantine/core";
import type { ActivityStepPage, Porchlight, PorchlightEvent } from "@porchlight/sdk";
import type { ActivityStep } from "@porchlight/shared/api";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { Age, timeOf } from "../../kit/text/age.tsx";
import { cut } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./activity.module.css";
import { ActivityChart } from "./activity-chart.tsx";
import { rateWords, seriesOf, shareWords, type Totals, totalsOf } from "./activity-series.ts";
import { incidentOf } from "./incident-words.ts";
import { To } from "./overview-part.tsx";

const PERIODS = ["hour", "day"] as const;
type Period = (typeof PERIODS)[number];

/** Length of a period and of each of its steps, in ms. */
const LENGTH: Readonly<Record<Period, { readonly whole: number; readonly step: number }>> = {
  hour: { whole: 3_600_000, step: 60_000 },
  day: { whole: 86_400_000, step: 900_000 },
};

interface ActivitySeen {
  readonly steps: readonly ActivityStep[];
  /** In the service's time. */
  readonly range: ActivityStepPage["range"];
  /** Newest first. */
  readonly incidents: readonly PorchlightEvent[];
  readonly moreIncidents: number;
  readonly incidentsSince: string | undefined;
}

/** Poll interval in ms: the service counts requests every ten seconds. */
const AGAIN = 10_000;

const activityQuery = (api: Porchlight, ecosystemId: string, period: Period) =>
  queryOptions({
    queryKey: ["activity", ecosystemId, period],
    queryFn: async ({ signal }): Promise<ActivitySeen> => {
      const { whole, step } = LENGTH[period];
      const since = `${new Date(Date.now() - whole).toISOString().slice(0, 19).replace("T", " ")}Z`;
      const asked = { ecosystemId, since, stepMinutes: step / 60_000 };
      const pages: ActivityStepPage[] = [];
      for await (const page of api.activity(asked, { signal }).pages()) pages.push(page);
      return joined(pages);
    },
    refetchInterval: AGAIN,
    staleTime: AGAIN,
  });

/** Joins the pages of one listing; there is at least one page. */
function joined(pages: readonly ActivityStepPage[]): ActivitySeen {
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last) throw new Error("the service answered without a page");
  return {
    steps: pages.flatMap(({ items }) => items),
    range: { since: first.range.since, until: last.range.until },
    incidents: pages.toReversed().flatMap(({ incidents }) => incidents),
    moreIncidents: pages.reduce((sum, { moreIncidents = 0 }) => sum + moreIncidents, 0),
    incidentsSince: pages.findLast(({ incidentsSince }) => incidentsSince !== undefined)?.incidentsSince,
  };
}

const TIMES: Readonly<Record<Period, string>> = { hour: "the last hour", day: "the last day" };

export function Activity({ ecosystemId }: { readonly ecosystemId: string }) {
  const search = useSearch({ strict: false }) as { readonly period?: Period };
  const period = search.period ?? "hour";
  const navigate = useNavigate();
  const query = useQuery(activityQuery(useApi(), ecosystemId, period));
  const choose = (chosen: string) =>
    void navigate({
      to: "/overview",
      search: { period: chosen === "day" ? "day" : undefined },
      replace: true,
      resetScroll: false,
    });
  return (
    <Section
      title="Activity"
      lead="Of all environments"
      actions={
        <SegmentedControl
          size="xs"
          className={classes.choice}
          aria-label="Time"
          value={period}
          onChange={choose}
          data={PERIODS.map((each) => ({ value: each, label: each === "hour" ? "Last hour" : "Last day" }))}
        />
      }
    >
      <div className={classes.whole}>
        <QueryView query={query}>{(seen) => <Seen seen={seen} period={period} ecosystemId={ecosystemId} />}</QueryView>
      </div>
    </Section>
  );
}

interface SeenProps {
  readonly seen: ActivitySeen;
  readonly period: Period;
  readonly ecosystemId: string;
}

function Seen({ seen, period, ecosystemId }: SeenProps) {
  const { step } = LENGTH[period];
  const totals = totalsOf(seen.steps, step);
  const series = seriesOf(seen.steps, timeOf(seen.range.since), timeOf(seen.range.until), step);
  const isKnown = seen.steps.length > 0;
  return (
    <>
      {isKnown && (
        <dl className={classes.figures}>
          <CommandFigures totals={totals} />
          <ErrorFigure totals={totals} ecosystemId={ecosystemId} since={seen.range.since} />
        </dl>
      )}
      {totals.all > 0 ? (
        <ActivityChart series={series} step={step} time={TIMES[period]} />
      ) : (
        <Quiet time={TIMES[period]} ecosystemId={ecosystemId} isKnown={isKnown} />
      )}
      <Incidents seen={seen} time={TIMES[period]} ecosystemId={ecosystemId} />
    </>
  );
}

function CommandFigures({ totals }: { readonly totals: Totals }) {
  const { commands, all, perMinute } = totals;
  return (
    <>
      <Figure
        label="Commands"
        value={all.toLocaleString("en")}
        note={all > 0 && perMinute !== undefined ? `${rateWords(perMinute)} a minute` : undefined}
      />
      <Figure
        label="Not confirmed"
        value={(commands.failed + commands.unknown).toLocaleString("en")}
        note={commands.unknown > 0 ? `${commands.unknown.toLocaleString("en")} with outcome unknown` : undefined}
      />
    </>
  );
}

interface ErrorFigureProps {
  readonly totals: Totals;
  readonly ecosystemId: string;
  readonly since: string;
}

/** The error rate, with a link to the failed requests. */
function ErrorFigure({ totals: { requests }, ecosystemId, since }: ErrorFigureProps) {
  const label = "Error rate of requests";
  if (!requests) return <Figure label={label} value="unknown" note="Requests were not counted." />;
  const { all, errors } = requests;
  if (all === 0) return <Figure label={label} value="–" note="There was no request." />;
  const note = `${errors.toLocaleString("en")} of ${counted(all, "request")}`;
  return (
    <Figure
      label={label}
      value={shareWords(errors / all)}
      note={
        errors === 0 ? (
          note
        ) : (
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link to="/ecosystems/$ecosystemId/requests" params={{ ecosystemId }} search={{ since }} {...props} />
            )}
          >
            {note}
          </Anchor>
        )
      }
    />
  );
}

function Figure(props: { readonly label: string; readonly value: string; readonly note?: ReactNode }) {
  return (
    <div className={classes.amount}>
      <dt>{props.label}</dt>
      <dd className={classes.value}>{props.value}</dd>
      {props.note !== undefined && <dd className={classes.note}>{props.note}</dd>}
    </div>
  );
}

interface QuietProps {
  readonly time: string;
  readonly ecosystemId: string;
  /** Whether there is any data for the period. */
  readonly isKnown: boolean;
}

function Quiet({ time, ecosystemId, isKnown }: QuietProps) {
  return (
    <Empty title={isKnown ? `No commands in ${time}` : `Nothing is known of ${time} yet`}>
      <Text>
        Commands show here at once when a device is set, from the portal or by your program; requests of your programs
        within ten seconds. <EventsLink ecosystemId={ecosystemId} /> show what the devices report.
      </Text>
    </Empty>
  );
}

function EventsLink({ ecosystemId }: { readonly ecosystemId: string }) {
  return (
    <Anchor
      inherit
      underline="always"
      renderRoot={(props) => <Link to="/ecosystems/$ecosystemId/events" params={{ ecosystemId }} {...props} />}
    >
      Events
    </Anchor>
  );
}

/** Maximum number of incidents; the event log has the others. */
const MOST = 8;
const TYPES = "alert.opened,alert.ended,hub.offline,hub.online,webhook.disabled";

interface IncidentsProps {
  readonly seen: ActivitySeen;
  readonly time: string;
  readonly ecosystemId: string;
}

function Incidents({ seen, time, ecosystemId }: IncidentsProps) {
  const { incidents, moreIncidents, incidentsSince } = seen;
  const more = incidents.length - MOST + moreIncidents;
  return (
    <section className={classes.incidents} aria-label="Incidents">
      <h3 className={classes.heading}>Incidents</h3>
      {incidentsSince !== undefined && (
        <Text c="dimmed">
          Older events are no longer kept: incidents are known for <Age at={incidentsSince} suffix="" />.
        </Text>
      )}
      {incidents.length === 0 && <StateWord tone="good">None in {time}</StateWord>}
      {incidents.length > 0 && (
        <ul className={classes.list}>
          {incidents.slice(0, MOST).map((event) => {
            const { id, at, tone, word, text, name, path } = incidentOf(event);
            return (
              <li key={id} className={classes.incident}>
                <StateWord tone={tone}>{word}</StateWord>
                <span className={classes.about}>
                  {path === undefined ? <bdi>{cut(name)}</bdi> : <To path={path}>{cut(name)}</To>}
                  {text !== "" && <Text c="dimmed">{text}</Text>}
                </span>
                <Age at={at} />
              </li>
            );
          })}
        </ul>
      )}
      {more > 0 && (
        <Anchor
          renderRoot={(props) => (
            <Link
              to="/ecosystems/$ecosystemId/events"
              params={{ ecosystemId }}
              search={{ types: TYPES, at: seen.range.since } as never}
              {...props}
            />
          )}
        >
          {counted(more, "older incident")} in the event log
        </Anchor>
      )}
    </section>
  );
}
