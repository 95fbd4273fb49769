/** Sends a test email and a test event, and says what became of each. */
import { Button, Text } from "@mantine/core";
import type { AlertTestAnswer } from "@porchlight/shared/api";
import { useMutation, useQuery } from "@tanstack/react-query";
import { ecosystemsQuery } from "../../data/queries.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { useCountdown } from "../../kit/forms/countdown.ts";
import { useApi } from "../../session/context.tsx";

const EMAIL: Readonly<Record<string, string>> = {
  queued: "Test e-mail queued. An alert.test event went to webhooks and event streams.",
  not_verified:
    "An alert.test event went to webhooks and event streams. No e-mail was sent, because your address is not verified.",
  off: "An alert.test event went to webhooks and event streams. No e-mail was sent, because e-mails are turned off.",
} satisfies Readonly<Record<AlertTestAnswer["email"], string>>;

/** @param isChanged whether the form differs from what the service goes by */
export function AlertTestButton({ isChanged }: { readonly isChanged: boolean }) {
  const api = useApi();
  const { data: ecosystems } = useQuery(ecosystemsQuery(api));
  const [first] = ecosystems ?? [];
  const testing = useMutation({ mutationFn: () => api.alerts.test({ ecosystemId: first?.id }) });
  const wait = useCountdown(testing.error);
  return (
    <>
      <Button
        variant="default"
        loading={testing.isPending}
        disabled={wait > 0 || !first}
        onClick={() => testing.mutate()}
      >
        {wait > 0 ? `Try again in ${wait} s` : "Send test alert"}
      </Button>
      {isChanged && (
        <Text size="sm" c="dimmed">
          Save your changes first: the test uses the saved settings.
        </Text>
      )}
      {testing.data && (
        <Text size="sm" role="status">
          {EMAIL[testing.data.email] ?? `E-mail: ${testing.data.email}.`}
        </Text>
      )}
      {testing.error && <Failure error={testing.error} putAway={() => testing.reset()} />}
    </>
  );
}
