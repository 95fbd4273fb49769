/** The page of a webhook: its health, its deliveries, and its settings. */
import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import type { Porchlight } from "@porchlight/sdk";
import type { Webhook } from "@porchlight/shared/api";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { environmentsQuery } from "../../data/queries.ts";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { Failure, fieldError } from "../../kit/display/failure.tsx";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { Age } from "../../kit/text/age.tsx";
import { localTime, serviceTime } from "../../kit/text/local-time.ts";
import { Name } from "../../kit/text/name.tsx";
import { cut } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { Deliveries, WebhookState } from "./deliveries.tsx";
import { Verify } from "./new-webhook.tsx";
import { useDeliveries } from "./use-deliveries.ts";
import { WebhookSettings } from "./webhook-settings.tsx";

const webhookQuery = (api: Porchlight, webhookId: string) =>
  queryOptions({
    queryKey: ["webhooks", "one", webhookId],
    queryFn: ({ signal }) => api.webhooks.get(webhookId, { signal }),
  });

/** Why the service disabled the webhook, from the audit log: "failing" or "gone"; undefined when a person disabled it. */
const disabledReasonQuery = (api: Porchlight, ecosystemId: string, webhookId: string) =>
  queryOptions({
    queryKey: ["webhooks", "disabled", webhookId],
    queryFn: async ({ signal }) => ({ reason: await disabledReason(api, ecosystemId, webhookId, signal) }),
  });

/** Maximum number of audit pages to search. */
const MOST_PAGES = 5;

async function disabledReason(api: Porchlight, ecosystemId: string, webhookId: string, signal: AbortSignal) {
  let pages = 0;
  for await (const { items } of api.service.audit({ ecosystemId, order: "newest" }, { signal }).pages()) {
    // The latest such entry of the webhook, by a person or by the service, is the one that disabled it.
    const last = items.find(
      ({ action, objectId }) => objectId === webhookId && /^webhook\.(?:disabled|updated|created)$/.test(action),
    );
    if (last) return last.action === "webhook.disabled" ? String(last.detail?.reason ?? "") : undefined;
    pages += 1;
    if (pages === MOST_PAGES) break;
  }
  return undefined;
}

const route = getRouteApi("/inside/ecosystems/$ecosystemId/webhooks/$webhookId");

export function WebhookPage() {
  const { webhookId } = route.useParams();
  const webhook = useQuery({ ...webhookQuery(useApi(), webhookId), refetchInterval: 5000 });
  return (
    <Page
      title={cut(webhook.data?.url ?? "Webhook")}
      lead={<Id value={webhookId} label="webhook ID" />}
      actions={webhook.data && <Actions webhook={webhook.data} />}
    >
      <QueryView query={webhook}>{(data) => <Parts webhook={data} key={data.id} />}</QueryView>
    </Page>
  );
}

function Parts({ webhook }: { readonly webhook: Webhook }) {
  const api = useApi();
  const { query, stir } = useDeliveries(webhook.id);
  const test = useMutation({ mutationFn: () => api.webhooks.test(webhook.id), onSuccess: stir });
  return (
    <>
      {webhook.disabled && <WhyDisabled webhook={webhook} />}
      <Section
        title="Status"
        actions={
          <Button size="xs" loading={test.isPending} onClick={() => test.mutate()}>
            Send test event
          </Button>
        }
      >
        {test.error && <Failure error={test.error} />}
        <Standing webhook={webhook} />
      </Section>
      <Deliveries webhook={webhook} query={query} onAsked={stir} />
      <Replay webhook={webhook} onAsked={stir} />
      <WebhookSettings webhook={webhook} />
      <Verify />
    </>
  );
}

function Standing({ webhook }: { readonly webhook: Webhook }) {
  const { url, description, environmentId, createdAt, lastDelivery } = webhook;
  const { data: environments = [] } = useQuery(environmentsQuery(useApi()));
  const environment = environments.find(({ id }) => id === environmentId);
  return (
    <Facts>
      <Fact name="State">
        <WebhookState webhook={webhook} />
      </Fact>
      <Fact name="Last delivery">{lastDelivery && <Age at={lastDelivery.createdAt} />}</Fact>
      <Fact name="URL">
        <bdi className="mono">{url}</bdi>
      </Fact>
      <Fact name="Description">{description && <bdi>{description}</bdi>}</Fact>
      <Fact name="Environment">
        {environmentId === undefined ? "all environments" : <Name of={environment ?? { id: environmentId }} />}
      </Fact>
      <Fact name="Created">
        <Age at={createdAt} />
      </Fact>
    </Facts>
  );
}

const WHY: Readonly<Record<string, string>> = {
  gone: "The receiver responded with 410 Gone: it wants no more events.",
  failing: `No delivery succeeded for ${durationWords(SERVICE_TIMES.webhookGiveUp)}.`,
};

function WhyDisabled({ webhook: { id, ecosystemId } }: { readonly webhook: Webhook }) {
  const { data } = useQuery(disabledReasonQuery(useApi(), ecosystemId, id));
  const byService = data?.reason !== undefined;
  return (
    <Alert color="amber" variant="light" title={byService ? "Disabled by the service" : "Disabled"}>
      <Text size="sm">
        {data?.reason !== undefined && WHY[data.reason]} No events are sent. Events that happen meanwhile are not sent
        later either, unless you resend them below.
      </Text>
    </Alert>
  );
}

function Actions({ webhook: { id, ecosystemId, disabled } }: { readonly webhook: Webhook }) {
  const api = useApi();
  const queries = useQueryClient();
  const router = useRouter();
  const renew = () => queries.invalidateQueries({ queryKey: ["webhooks"] });
  const turning = useMutation({
    mutationFn: () => api.webhooks.update(id, { disabled: !disabled }),
    onSuccess: renew,
  });
  return (
    <>
      <Button size="xs" variant="default" loading={turning.isPending} onClick={() => turning.mutate()}>
        {disabled ? "Enable" : "Disable"}
      </Button>
      <Confirm
        label="Delete webhook"
        title="Delete webhook?"
        act={() => api.webhooks.delete(id)}
        onDone={() => {
          void renew();
          void router.navigate({ to: "/ecosystems/$ecosystemId/webhooks", params: { ecosystemId } });
        }}
      >
        No more events are sent to it, pending retries included. Its past deliveries can no longer be viewed.
      </Confirm>
      {turning.error && <Failure error={turning.error} />}
    </>
  );
}

const HOUR = 3_600_000;

/** Replays the events of a period, for a receiver that has missed some. */
function Replay({ webhook, onAsked }: { readonly webhook: Webhook; readonly onAsked: () => void }) {
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
