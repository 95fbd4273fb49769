/** Asks the receiver of a sink with a write that has no lines, and says what it answered: also while the sink is paused. */
import { Button, Group, Text } from "@mantine/core";
import type { SinkTestResult } from "@porchlight/shared/api";
import { useMutation } from "@tanstack/react-query";
import { Failure } from "../../../kit/display/failure.tsx";
import { StateWord } from "../../../kit/display/state.tsx";
import { useCountdown } from "../../../kit/forms/countdown.ts";
import { tookOf } from "../../../kit/text/quantity.ts";
import { useAccess } from "../../../session/context.tsx";
import { Said } from "./sink-status.tsx";

export function SinkTest({ ecosystemId }: { readonly ecosystemId: string }) {
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
      {error !== undefined && <Said text={error} />}
      {responseStart !== undefined && !error?.includes(responseStart.trim()) && <Said text={responseStart} />}
      <Text size="sm" c="dimmed">
        {hintOf(responseStatus)}
      </Text>
    </>
  );
}

/** What to do about an answer. */
function hintOf(status: number | undefined): string {
  if (status === undefined) return "Is the database running, and can the service reach it?";
  if (status === 401 || status === 403) return "Set the token again.";
  if (status === 404) return "Create the database or bucket, or correct its name in the URL.";
  if (status === 400)
    return "Some receivers refuse a write without lines, also when all is well. Otherwise the URL lacks the database.";
  return "The receiver takes nothing now. Values are tried again by themselves.";
}
