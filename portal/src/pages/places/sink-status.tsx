/** The status of a sink: whether its receiver accepts writes, the error, the backlog, and lost data. */
import { Text } from "@mantine/core";
import type { Sink } from "@porchlight/shared/api";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { Age } from "../../kit/text/age.tsx";
import { cut } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { NextAttempt } from "../webhooks/deliveries.tsx";

/** Maximum number of shown characters: receivers respond with arbitrary texts. */
const MOST_SAID = 300;

export function SinkStatus({ sink }: { readonly sink: Sink }) {
  const { url, enabled, hasToken, measurementPrefix, behind, lastDelivery, createdAt } = sink;
  const { failingSince, nextAttemptAt, error, refusedLines, refusedError, lostEvents, lostAt } = sink;
  return (
    <Facts>
      <Fact name="State">
        <State sink={sink} />
      </Fact>
      <Fact name="Error">{error !== undefined && failingSince !== undefined && <Said text={error} />}</Fact>
      <Fact name="Failing since">{failingSince && <Age at={failingSince} />}</Fact>
      <Fact name="Next attempt">{enabled && nextAttemptAt && <NextAttempt at={nextAttemptAt} />}</Fact>
      <Fact name="Behind">{behind === 0 ? "up to date" : counted(behind, "event")}</Fact>
      <Fact name="Last attempt">
        {lastDelivery ? (
          <>
            <Age at={lastDelivery.at} />
            {lastDelivery.status === undefined ? ", no answer" : `, status ${lastDelivery.status}`}
          </>
        ) : (
          "none yet"
        )}
      </Fact>
      <Fact name="Receiver">
        <bdi title={url}>{cut(url, 120)}</bdi>
      </Fact>
      <Fact name="Token">{hasToken ? "stored, never shown" : "none"}</Fact>
      <Fact name="Prefix">{measurementPrefix !== "" && <bdi className="mono">{measurementPrefix}</bdi>}</Fact>
      <Fact name="Refused">
        {refusedLines > 0 && (
          <>
            {counted(refusedLines, "line")}, not tried again
            {refusedError !== undefined && <Said text={refusedError} />}
          </>
        )}
      </Fact>
      <Fact name="Missed">
        {lostEvents > 0 && (
          <>
            {counted(lostEvents, "event")} left the event log before they were written
            {lostAt && (
              <>
                , found <Age at={lostAt} />
              </>
            )}
          </>
        )}
      </Fact>
      <Fact name="Created">
        <Age at={createdAt} />
      </Fact>
    </Facts>
  );
}

function State({ sink: { enabled, failingSince, lastDelivery } }: { readonly sink: Sink }) {
  if (!enabled) return <StateWord tone="none">paused: nothing is written</StateWord>;
  if (failingSince !== undefined) return <StateWord tone="bad">failing, tried again</StateWord>;
  if (!lastDelivery) return <StateWord tone="none">nothing written yet</StateWord>;
  return <StateWord tone="good">writing</StateWord>;
}

/** The text of a receiver, set apart from the page's own text. */
export function Said({ text }: { readonly text: string }) {
  return (
    <Text size="sm">
      <bdi title={text}>{cut(text, MOST_SAID)}</bdi>
    </Text>
  );
}
