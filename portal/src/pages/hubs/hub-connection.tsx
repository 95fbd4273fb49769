/** The section about the hub's connection. */
import { Text } from "@mantine/core";
import type { Client } from "@porchlight/shared/api";
import { reasonOf } from "@porchlight/shared/presentation";
import { hasConnected } from "../../data/hubs.ts";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { Id } from "../../kit/display/id.tsx";
import { Section } from "../../kit/display/page.tsx";
import { OnlineState } from "../../kit/display/state.tsx";
import { Term } from "../../kit/display/term.tsx";
import { Age } from "../../kit/text/age.tsx";
import { skewOf, tookOf } from "../../kit/text/quantity.ts";

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
