/** The webhooks of an ecosystem: their receivers and their health. */
import { Button, Text } from "@mantine/core";
import type { Webhook } from "@porchlight/shared/api";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { environmentsQuery, webhooksQuery } from "../../data/queries.ts";
import { Page } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { ConsoleCommand } from "../../kit/display/shell-commands.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Age } from "../../kit/text/age.tsx";
import { Name } from "../../kit/text/name.tsx";
import { cut, type Named } from "../../kit/text/names.ts";
import { CONSOLE_COMMANDS } from "../../kit/text/shell-commands.ts";
import { useEvents } from "../../live/context.tsx";
import { useApi } from "../../session/context.tsx";
import { NextAttempt, WebhookState } from "./deliveries.tsx";

const HOUR = 3_600_000;
/** Time from the first attempt to the last, without jitter, in ms. */
const RETRIED = SERVICE_TIMES.webhookWaits.reduce<number>((sum, wait) => sum + wait, 0);

const route = getRouteApi("/inside/ecosystems/$ecosystemId/webhooks");

/** Poll interval in ms: no event reports the outcome of a delivery. */
const LOOK_AGAIN = 5000;

export function WebhooksPage() {
  const { ecosystemId } = route.useParams();
  const api = useApi();
  const queries = useQueryClient();
  const webhooks = useQuery({ ...webhooksQuery(api, ecosystemId), refetchInterval: LOOK_AGAIN });
  const { data: environments = [] } = useQuery(environmentsQuery(api));
  useEvents(({ type }) => {
    if (type === "webhook.disabled") void queries.invalidateQueries({ queryKey: ["webhooks"] });
  });
  return (
    <Page
      title="Webhooks"
      lead={`Webhooks send events to your server as they happen. Deliveries are signed, and sent up to ${SERVICE_TIMES.webhookWaits.length} times, for about ${durationWords(RETRIED - (RETRIED % HOUR))}.`}
      actions={webhooks.data?.length !== 0 && <NewButton ecosystemId={ecosystemId} />}
    >
      <QueryView
        query={webhooks}
        isEmpty={(data) => data.length === 0}
        empty={<NoWebhooks ecosystemId={ecosystemId} />}
      >
        {(data) => (
          <DataTable
            label="Webhooks"
            rows={data}
            idOf={({ id }) => id}
            {...(data.length > 5 && {
              textOf: ({ url, description = "", id }: Webhook) => `${url} ${description} ${id}`,
            })}
            columns={[
              { name: "Receiver", isWide: true, cell: (webhook) => <Receiver webhook={webhook} /> },
              { name: "State", cell: (webhook) => <WebhookState webhook={webhook} /> },
              { name: "Last delivery", cell: ({ lastDelivery }) => <LastDelivery delivery={lastDelivery} /> },
              {
                name: "Next attempt",
                cell: ({ lastDelivery }) =>
                  lastDelivery?.nextAttemptAt ? <NextAttempt at={lastDelivery.nextAttemptAt} /> : "–",
              },
              { name: "Events", cell: ({ events }) => <Patterns events={events} /> },
              {
                name: "Environment",
                cell: ({ environmentId }) => <Confined to={environments.find(({ id }) => id === environmentId)} />,
              },
            ]}
          />
        )}
      </QueryView>
    </Page>
  );
}

function Receiver({ webhook: { id, ecosystemId, url, description } }: { readonly webhook: Webhook }) {
  return (
    <>
      <Link to="/ecosystems/$ecosystemId/webhooks/$webhookId" params={{ ecosystemId, webhookId: id }}>
        <bdi title={url}>{cut(url)}</bdi>
      </Link>
      {description && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          <bdi>{description}</bdi>
        </Text>
      )}
    </>
  );
}

function LastDelivery({ delivery }: { readonly delivery: Webhook["lastDelivery"] }) {
  if (!delivery) return "–";
  const { type, createdAt, responseStatus, error } = delivery;
  return (
    <>
      <Age at={createdAt} />
      <Text size="sm" c="dimmed">
        <span className="mono">{type}</span>
        {responseStatus !== undefined && `, status ${responseStatus}`}
        {responseStatus === undefined && error && `, ${error}`}
      </Text>
    </>
  );
}

/** All patterns, or the first few. */
function Patterns({ events }: { readonly events: readonly string[] }) {
  if (events.includes("*")) return "all";
  const shown = events.slice(0, 3).join(", ");
  return <span className="mono">{events.length > 3 ? `${shown} and ${events.length - 3} more` : shown}</span>;
}

function Confined({ to }: { readonly to: Named | undefined }) {
  return to ? <Name of={to} /> : "all environments";
}

function NewButton({ ecosystemId }: { readonly ecosystemId: string }) {
  return (
    <Button
      renderRoot={(props) => <Link to="/ecosystems/$ecosystemId/webhooks/new" params={{ ecosystemId }} {...props} />}
    >
      Create webhook
    </Button>
  );
}

function NoWebhooks({ ecosystemId }: { readonly ecosystemId: string }) {
  return (
    <Empty
      command={
        <ConsoleCommand command={CONSOLE_COMMANDS.webhooks(ecosystemId)}>
          To send events to a server on your machine without a webhook, run:
        </ConsoleCommand>
      }
      title="No webhooks yet"
      action={<NewButton ecosystemId={ecosystemId} />}
    >
      Your server learns of a pressed button or an offline hub at once, without polling.
    </Empty>
  );
}
