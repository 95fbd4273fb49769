/** The deliveries of a webhook, newest first, updated live. */
import { Button, Group, SegmentedControl, Text } from "@mantine/core";
import type { Webhook, WebhookDelivery } from "@porchlight/shared/api";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { Empty, Loading } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Age, timeOf, useNow } from "../../kit/text/age.tsx";
import { shortId } from "../../kit/text/names.ts";
import { tookOf, untilOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { deliverySummary } from "./delivery-words.ts";
import { deliveriesOf, type useDeliveries } from "./use-deliveries.ts";

interface DeliveriesProps {
  readonly webhook: Webhook;
  readonly query: ReturnType<typeof useDeliveries>["query"];
  /** Called when the user has requested a delivery. */
  readonly onAsked: () => void;
}

type Shown = "all" | WebhookDelivery["state"];

export function Deliveries({ webhook, query, onAsked }: DeliveriesProps) {
  const [shown, setShown] = useState<Shown>("all");
  const { data, error, isPending, hasNextPage, isFetchingNextPage } = query;
  const all = deliveriesOf(data);
  const rows = shown === "all" ? all : all.filter(({ state }) => state === shown);
  return (
    <Section
      title="Deliveries"
      lead={[
        `The last ${durationWords(SERVICE_TIMES.deliveriesKept)}, newest first.`,
        deliverySummary(all, hasNextPage),
      ]
        .filter(Boolean)
        .join(" ")}
    >
      {isPending && <Loading />}
      {error && <Failure error={error} retry={() => void query.refetch()} />}
      {data && all.length === 0 && (
        <Empty title="No deliveries yet">
          Events of the chosen types are sent here from now on. Send a test event to check that the receiver can be
          reached.
        </Empty>
      )}
      {all.length > 0 && (
        <DataTable
          label="list of deliveries"
          rows={rows}
          idOf={({ id }) => id}
          filters={<StateFilter value={shown} onChange={setShown} />}
          columns={[
            {
              name: "Delivery",
              isWide: true,
              cell: (delivery) => <DeliveryLink webhook={webhook} delivery={delivery} />,
            },
            { name: "State", cell: (delivery) => <DeliveryState delivery={delivery} /> },
            { name: "Response", cell: (delivery) => <Answer delivery={delivery} /> },
            {
              name: "Duration",
              isNumber: true,
              cell: ({ durationMs }) => (durationMs === undefined ? "–" : tookOf(durationMs)),
            },
            { name: "Attempts", isNumber: true, cell: ({ attempt }) => attempt },
            { name: "Created", cell: ({ createdAt }) => <Age at={createdAt} /> },
            {
              name: "Action",
              cell: ({ id }) => <Redeliver webhookId={webhook.id} deliveryId={id} onAsked={onAsked} />,
            },
          ]}
        />
      )}
      {hasNextPage && (
        <Group>
          <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older deliveries
          </Button>
        </Group>
      )}
    </Section>
  );
}

function StateFilter(props: { readonly value: Shown; readonly onChange: (value: Shown) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="State"
      data={[
        { value: "all", label: "All" },
        { value: "succeeded", label: "Succeeded" },
        { value: "pending", label: "Pending" },
        { value: "failed", label: "Failed" },
      ]}
      value={props.value}
      onChange={(value) => props.onChange(value)}
    />
  );
}

function DeliveryLink({ webhook, delivery }: { readonly webhook: Webhook; readonly delivery: WebhookDelivery }) {
  const params = { ecosystemId: webhook.ecosystemId, webhookId: webhook.id, deliveryId: delivery.id };
  return (
    <>
      <Link to="/ecosystems/$ecosystemId/webhooks/$webhookId/deliveries/$deliveryId" params={params}>
        <span className="mono">{delivery.type}</span>
      </Link>
      <Text size="xs" c="dimmed" className="mono" title={delivery.eventId}>
        {shortId(delivery.eventId)}
      </Text>
    </>
  );
}

/** The response's status, and the error of a failed delivery. */
export function Answer({ delivery: { responseStatus, error } }: { readonly delivery: WebhookDelivery }) {
  if (responseStatus === undefined && error === undefined) return "–";
  return (
    <>
      {responseStatus}
      {error && (
        <Text size="sm" c="dimmed">
          {error}
        </Text>
      )}
    </>
  );
}

interface RedeliverProps {
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly onAsked: () => void;
}

export function Redeliver({ webhookId, deliveryId, onAsked }: RedeliverProps) {
  const api = useApi();
  const again = useMutation({
    mutationFn: () => api.webhooks.redeliver(webhookId, deliveryId),
    onSuccess: onAsked,
  });
  return (
    <>
      <Button size="xs" variant="subtle" color="gray" loading={again.isPending} onClick={() => again.mutate()}>
        Resend
      </Button>
      {again.error && <Failure error={again.error} />}
    </>
  );
}

/** The state of a delivery as a word with a dot. */
export function DeliveryState({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { state, attempt, nextAttemptAt } = delivery;
  if (state === "succeeded") return <StateWord tone="good">succeeded</StateWord>;
  if (state === "failed") return <StateWord tone="bad">failed</StateWord>;
  if (attempt === 0) return <StateWord tone="none">being sent</StateWord>;
  return (
    <>
      <StateWord tone="warn">retrying</StateWord>
      {nextAttemptAt && (
        <Text size="sm" c="dimmed">
          next attempt <NextAttempt at={nextAttemptAt} />
        </Text>
      )}
    </>
  );
}

/** The time until the next attempt: "in 5 min", ticking. */
export function NextAttempt({ at }: { readonly at: string }) {
  const wait = untilOf(timeOf(at) - useNow());
  return (
    <time dateTime={at.replace(" ", "T")} title={new Date(timeOf(at)).toLocaleString()}>
      {wait === "now" ? wait : `in ${wait}`}
    </time>
  );
}

/** The state of a webhook, by its newest delivery. */
export function WebhookState({ webhook: { disabled, lastDelivery } }: { readonly webhook: Webhook }) {
  if (disabled) return <StateWord tone="none">disabled</StateWord>;
  if (!lastDelivery) return <StateWord tone="none">nothing sent yet</StateWord>;
  switch (lastDelivery.state) {
    case "succeeded":
      return <StateWord tone="good">healthy</StateWord>;
    case "failed":
      return <StateWord tone="bad">failing</StateWord>;
    case "pending":
      return lastDelivery.attempt === 0 ? (
        <StateWord tone="none">being sent</StateWord>
      ) : (
        <StateWord tone="warn">failing, retrying</StateWord>
      );
  }
}
