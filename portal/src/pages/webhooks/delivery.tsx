/** The page of a delivery: request, response, its attempts, and a button that sends it again. */
import { Anchor, Text } from "@mantine/core";
import type { Porchlight } from "@porchlight/sdk";
import type { DeliveryAttempt, WebhookDeliveryDetails } from "@porchlight/shared/api";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { CodeBlock, Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Age } from "../../kit/text/age.tsx";
import { tookOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { Answer, DeliveryState, Redeliver } from "./deliveries.tsx";
import { messageText } from "./delivery-words.ts";
import { lookAgain } from "./use-deliveries.ts";

const deliveryQuery = (api: Porchlight, webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ["deliveries", webhookId, deliveryId],
    queryFn: ({ signal }) => api.webhooks.delivery(webhookId, deliveryId, { signal }),
  });

const route = getRouteApi("/inside/ecosystems/$ecosystemId/webhooks/$webhookId/deliveries/$deliveryId");

/** Value of `lastStir` without recent activity; no event reports that a delivery was just sent. */
const LONG_AGO = 0;

export function DeliveryPage() {
  const { ecosystemId, webhookId, deliveryId } = route.useParams();
  const api = useApi();
  const queries = useQueryClient();
  const router = useRouter();
  const delivery = useQuery({
    ...deliveryQuery(api, webhookId, deliveryId),
    refetchInterval: ({ state: { data } }) =>
      data?.state === "pending" ? lookAgain([data], Date.now(), data.attempt === 0 ? Date.now() : LONG_AGO) : false,
  });
  const back = { to: "/ecosystems/$ecosystemId/webhooks/$webhookId", params: { ecosystemId, webhookId } } as const;
  // A repetition is a new delivery, which appears at the top of the list.
  const onAsked = () => {
    void queries.invalidateQueries({ queryKey: ["deliveries", webhookId] });
    void router.navigate(back);
  };
  return (
    <Page
      title={delivery.data ? `Delivery of ${delivery.data.type}` : "Delivery"}
      lead={
        <>
          <Id value={deliveryId} label="delivery ID" />{" "}
          <Anchor renderRoot={(props) => <Link {...back} {...props} />}>All deliveries of the webhook</Anchor>
        </>
      }
      actions={<Redeliver webhookId={webhookId} deliveryId={deliveryId} onAsked={onAsked} />}
    >
      <QueryView query={delivery}>{(data) => <Shown delivery={data} />}</QueryView>
    </Page>
  );
}

function Shown({ delivery }: { readonly delivery: WebhookDeliveryDetails }) {
  const { eventId, attempt, durationMs, createdAt, request, response } = delivery;
  return (
    <>
      <Section title="Delivery result">
        <Facts>
          <Fact name="State">
            <DeliveryState delivery={delivery} />
          </Fact>
          <Fact name="Response">
            <Answer delivery={delivery} />
          </Fact>
          <Fact name="Duration">{durationMs !== undefined && tookOf(durationMs)}</Fact>
          <Fact name="Attempts">{attempt}</Fact>
          <Fact name="Created">
            <Age at={createdAt} />
          </Fact>
          <Fact name="Event">
            <Id value={eventId} label="event ID" />
          </Fact>
        </Facts>
      </Section>
      <Attempts delivery={delivery} />
      <Section title="Request" lead={attempt === 0 ? "As it will be sent." : "As last sent, without the signature."}>
        <CodeBlock code={messageText(request)} label="request as sent" />
      </Section>
      <Section title="Response">
        {response ? (
          <CodeBlock code={messageText(response)} label="response as received" />
        ) : (
          <Text c="dimmed">{attempt === 0 ? "Not attempted yet." : "No response."}</Text>
        )}
      </Section>
    </>
  );
}

function Attempts({ delivery: { attempt, attempts } }: { readonly delivery: WebhookDeliveryDetails }) {
  if (attempts.length === 0) return null;
  const missing = attempt - attempts.length;
  const lead =
    missing > 0 ? `Newest first. The results of the first ${missing} are no longer stored.` : "Newest first.";
  return (
    <Section title="Attempts" lead={lead}>
      <DataTable
        label="list of attempts"
        rows={attempts.toReversed()}
        idOf={({ number }) => String(number)}
        columns={[
          { name: "Attempt", isNumber: true, cell: ({ number }) => number },
          { name: "Result", cell: (each) => <Result attempt={each} /> },
          { name: "Response", isWide: true, cell: (each) => <AttemptAnswer attempt={each} /> },
          {
            name: "Duration",
            isNumber: true,
            cell: ({ durationMs }) => (durationMs === undefined ? "–" : tookOf(durationMs)),
          },
          { name: "Time", cell: ({ attemptedAt }) => <Age at={attemptedAt} /> },
        ]}
      />
    </Section>
  );
}

function Result({ attempt: { error } }: { readonly attempt: DeliveryAttempt }) {
  return error === undefined ? <StateWord tone="good">succeeded</StateWord> : <StateWord tone="bad">failed</StateWord>;
}

function AttemptAnswer({ attempt: { responseStatus, error, responseStart } }: { readonly attempt: DeliveryAttempt }) {
  return (
    <>
      {[responseStatus, error].filter((each) => each !== undefined).join(", ")}
      {responseStart && (
        <Text size="xs" c="dimmed" className="mono" lineClamp={3}>
          <bdi>{responseStart}</bdi>
        </Text>
      )}
    </>
  );
}
