/** The sink of an ecosystem: create, monitor, change, test, pause and delete it. An ecosystem has at most one sink. */
import { Button, Group, Stack, Text } from "@mantine/core";
import type { Sink, SinkTestResult } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sinkQuery } from "../../data/places.ts";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { Failure } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { useCountdown } from "../../kit/forms/form-error.ts";
import { Age } from "../../kit/text/age.tsx";
import { cut } from "../../kit/text/names.ts";
import { counted, tookOf } from "../../kit/text/quantity.ts";
import { useWanted } from "../../kit/text/use-wanted.ts";
import { useAccess, useApi } from "../../session/context.tsx";
import { NextAttempt } from "../webhooks/deliveries.tsx";

const loadDialog = () => import("./sink-dialog.tsx");

export function SinkSection({ ecosystemId }: { readonly ecosystemId: string }) {
  const queries = useQueryClient();
  const query = sinkQuery(useApi(), ecosystemId);
  const sink = useQuery(query);
  const [isEditing, setEditing] = useState(false);
  const { Part: SinkDialog, error: notLoaded } = useWanted(loadDialog, isEditing);
  const refresh = () => void queries.invalidateQueries({ queryKey: query.queryKey });
  const edit = (label: string) => (
    <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => setEditing(true)}>
      {label}
    </Button>
  );
  return (
    <Section
      title="Sink"
      lead="Writes every value to a time-series database of yours, such as InfluxDB or VictoriaMetrics, for example for Grafana."
    >
      {notLoaded && <Failure error={notLoaded} putAway={() => setEditing(false)} />}
      {isEditing && SinkDialog && (
        <SinkDialog
          ecosystemId={ecosystemId}
          sink={sink.data ?? undefined}
          onDone={refresh}
          onClose={() => setEditing(false)}
        />
      )}
      <QueryView query={sink}>
        {(known) =>
          known === null ? (
            <Empty title="No sink" action={edit("Create sink")}>
              Any database that takes the line protocol of InfluxDB over HTTP will do. An ecosystem has one sink at
              most.
            </Empty>
          ) : (
            <Stack gap="sm">
              <SinkStatus sink={known} />
              <Group gap="xs">
                {edit("Edit sink")}
                <Pausing sink={known} onDone={refresh} />
                <Deletion ecosystemId={ecosystemId} onDone={refresh} />
              </Group>
              <SinkTest ecosystemId={ecosystemId} />
            </Stack>
          )
        }
      </QueryView>
    </Section>
  );
}

interface PausingProps {
  readonly sink: Sink;
  readonly onDone: () => void;
}

function Pausing({ sink: { ecosystemId, enabled }, onDone }: PausingProps) {
  const { ecosystems } = useAccess().direct;
  const resuming = useMutation({
    mutationFn: () => ecosystems.setSink(ecosystemId, { enabled: true }),
    onSuccess: onDone,
  });
  if (enabled)
    return (
      <Confirm
        label="Pause sink"
        title="Pause sink?"
        isDestructive={false}
        act={() => ecosystems.setSink(ecosystemId, { enabled: false })}
        onDone={onDone}
      >
        Nothing is written until you resume it. What changes meanwhile, and what has not been written yet, is left out
        for good. History of the service itself goes on.
      </Confirm>
    );
  return (
    <>
      <Button size="xs" variant="default" loading={resuming.isPending} onClick={() => resuming.mutate()}>
        Resume sink
      </Button>
      {resuming.error && <Failure error={resuming.error} putAway={() => resuming.reset()} />}
    </>
  );
}

interface DeletionProps {
  readonly ecosystemId: string;
  readonly onDone: () => void;
}

function Deletion({ ecosystemId, onDone }: DeletionProps) {
  const { ecosystems } = useAccess().direct;
  return (
    <Confirm label="Delete sink" title="Delete sink?" act={() => ecosystems.deleteSink(ecosystemId)} onDone={onDone}>
      Nothing more is written, and the stored token is deleted. What was written stays in the database. A sink that you
      create later begins with what changes then.
    </Confirm>
  );
}

/** Tests a sink, even a paused one, by a write without lines, and shows the receiver's response. */
function SinkTest({ ecosystemId }: { readonly ecosystemId: string }) {
  const { ecosystems } = useAccess().direct;
  const testing = useMutation({ mutationFn: () => ecosystems.testSink(ecosystemId) });
  const wait = useCountdown(testing.error);
  return (
    <>
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          loading={testing.isPending}
          disabled={wait > 0}
          onClick={() => testing.mutate()}
        >
          {wait > 0 ? `Try again in ${wait} s` : "Test sink"}
        </Button>
        <Text size="sm" c="dimmed">
          Sends a write without lines, so nothing is stored.
        </Text>
      </Group>
      <Text size="sm" component="div" role="status">
        {testing.data && <Result result={testing.data} />}
      </Text>
      {testing.error && <Failure error={testing.error} putAway={() => testing.reset()} />}
    </>
  );
}

function Result({
  result: { taken, responseStatus, durationMs, error, responseStart },
}: {
  readonly result: SinkTestResult;
}) {
  const answered = responseStatus === undefined ? "" : `, status ${responseStatus}`;
  if (taken)
    return (
      <StateWord tone="good">
        The receiver takes writes ({tookOf(durationMs)}
        {answered}).
      </StateWord>
    );
  return (
    <>
      <StateWord tone="bad">The receiver did not take it{answered}.</StateWord>
      {error !== undefined && <AnswerText text={error} />}
      {responseStart !== undefined && !error?.includes(responseStart.trim()) && <AnswerText text={responseStart} />}
      <Text size="sm" c="dimmed">
        {hintOf(responseStatus)}
      </Text>
    </>
  );
}

/** The remedy for a response. */
function hintOf(status: number | undefined): string {
  if (status === undefined) return "Is the database running, and can the service reach it?";
  if (status === 401 || status === 403) return "Set the token again.";
  if (status === 404) return "Create the database or bucket, or correct its name in the URL.";
  if (status === 400)
    return "Some receivers refuse a write without lines, also when all is well. Otherwise the URL lacks the database.";
  return "The receiver takes nothing now. Values are tried again by themselves.";
}

/** Maximum number of shown characters: receivers respond with arbitrary texts. */
const MOST_ANSWER = 300;

function SinkStatus({ sink }: { readonly sink: Sink }) {
  const { url, enabled, hasToken, measurementPrefix, behind, lastDelivery, createdAt } = sink;
  const { failingSince, nextAttemptAt, error, refusedLines, refusedError, lostEvents, lostAt } = sink;
  return (
    <Facts>
      <Fact name="State">
        <State sink={sink} />
      </Fact>
      <Fact name="Error">{error !== undefined && failingSince !== undefined && <AnswerText text={error} />}</Fact>
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
            {refusedError !== undefined && <AnswerText text={refusedError} />}
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
function AnswerText({ text }: { readonly text: string }) {
  return (
    <Text size="sm">
      <bdi title={text}>{cut(text, MOST_ANSWER)}</bdi>
    </Text>
  );
}
