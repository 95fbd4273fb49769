/** What went wrong in a time and what is over, the newest first, each with a way to what it is about. */
import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ActivitySeen } from "../../../data/activity.ts";
import { StateWord } from "../../../kit/display/state.tsx";
import { Age } from "../../../kit/text/age.tsx";
import { cut } from "../../../kit/text/names.ts";
import { counted } from "../../../kit/text/quantity.ts";
import { To } from "../overview-part.tsx";
import classes from "./activity.module.css";
import { incidentOf } from "./incident-words.ts";

/** What is more is in the event log. */
const MOST = 8;
const TYPES = "alert.opened,alert.ended,hub.offline,hub.online,webhook.disabled";

export interface IncidentsProps {
  readonly seen: ActivitySeen;
  readonly time: string;
  readonly ecosystemId: string;
}

export function Incidents({ seen, time, ecosystemId }: IncidentsProps) {
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
