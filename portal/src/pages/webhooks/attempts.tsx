/** The attempts of a delivery: time, response, and duration. */
import { Text } from "@mantine/core";
import type { DeliveryAttempt, WebhookDeliveryDetails } from "@porchlight/shared/api";
import { Section } from "../../kit/display/page.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Age } from "../../kit/text/age.tsx";
import { tookOf } from "../../kit/text/quantity.ts";

export function Attempts({ delivery: { attempt, attempts } }: { readonly delivery: WebhookDeliveryDetails }) {
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
          { name: "Response", isWide: true, cell: (each) => <Answer attempt={each} /> },
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

function Answer({ attempt: { responseStatus, error, responseStart } }: { readonly attempt: DeliveryAttempt }) {
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
