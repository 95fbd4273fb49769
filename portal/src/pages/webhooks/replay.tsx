/** Sending again what happened in a time: for a receiver that has missed something. */
import { Alert, Group, Stack, TextInput } from "@mantine/core";
import type { Webhook } from "@porchlight/shared/api";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Failure, fieldError } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { Submit } from "../../kit/forms/submit.tsx";
import { localTime, serviceTime } from "../../kit/text/local-time.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";

const HOUR = 3_600_000;

export function Replay({ webhook, onAsked }: { readonly webhook: Webhook; readonly onAsked: () => void }) {
  const api = useApi();
  const [since, setSince] = useState(() => localTime(Date.now() - HOUR));
  const [until, setUntil] = useState("");
  const replaying = useMutation({
    mutationFn: () => {
      const to = serviceTime(until);
      return api.webhooks.replay(webhook.id, {
        since: serviceTime(since) ?? "",
        ...(to !== undefined && { until: to }),
      });
    },
    onSuccess: onAsked,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    replaying.mutate();
  };
  return (
    <Section
      title="Resend missed events"
      lead="Resends all events of the chosen types in a period. Events are stored for seven days, unless the operator stores them longer."
    >
      <form onSubmit={submit}>
        <Stack>
          <Group align="flex-start" gap="sm">
            <TextInput
              type="datetime-local"
              step={1}
              required
              label="Since"
              description="In this device's time zone"
              value={since}
              error={fieldError(replaying.error, "since")}
              onChange={(event) => setSince(event.currentTarget.value)}
            />
            <TextInput
              type="datetime-local"
              step={1}
              label="Until"
              description="Optional. Without it, until now."
              value={until}
              error={fieldError(replaying.error, "until")}
              onChange={(event) => setUntil(event.currentTarget.value)}
            />
          </Group>
          {replaying.error && <Failure error={replaying.error} />}
          {replaying.data !== undefined && (
            <Alert color="gray" variant="light" role="status">
              {replaying.data === 0
                ? "There were no such events in that period, or they are no longer stored."
                : `${counted(replaying.data, "event")} ${replaying.data === 1 ? "is" : "are"} being resent${webhook.disabled ? " as soon as the webhook is enabled" : ""}.`}
            </Alert>
          )}
          <Group>
            <Submit label="Resend events" variant="default" isPending={replaying.isPending} error={replaying.error} />
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
