/** What became of a delivery, and how a webhook does, in a word with a dot. */
import { Text } from "@mantine/core";
import type { Webhook, WebhookDelivery } from "@porchlight/shared/api";
import { StateWord } from "../../kit/display/state.tsx";
import { timeOf, useNow } from "../../kit/text/age.tsx";
import { untilOf } from "../../kit/text/quantity.ts";

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

/** "in 5 min", ticking. */
export function NextAttempt({ at }: { readonly at: string }) {
  const wait = untilOf(timeOf(at) - useNow());
  return (
    <time dateTime={at.replace(" ", "T")} title={new Date(timeOf(at)).toLocaleString()}>
      {wait === "now" ? wait : `in ${wait}`}
    </time>
  );
}

/** By its newest delivery. */
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
