/** The activity and incidents of the last hour or day, for all environments of an ecosystem; it updates itself. */
import { Anchor, SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type ActivitySeen, activityQuery, LENGTH, PERIODS, type Period } from "../../data/activity.ts";
import { Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { Age, timeOf } from "../../kit/text/age.tsx";
import { cut } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { To } from "./overview-part.tsx";
import classes from "./activity.module.css";
import { ActivityChart } from "./activity-chart.tsx";
import { incidentOf } from "./incident-words.ts";
import { rateWords, seriesOf, shareWords, type Totals, totalsOf } from "./activity-series.ts";

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
