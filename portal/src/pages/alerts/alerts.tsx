/** What is wrong now, what was, and which of it the account is told. */
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty } from "../../kit/display/query-view.tsx";
import { AlertList } from "./alert-list.tsx";
import { AlertSettingsPart } from "./alert-settings.tsx";

export function AlertsPage() {
  return (
    <Page
      title="Alerts"
      lead="Hubs that stay offline, low batteries, failing webhooks, and quotas that are nearly used up."
    >
      <Section title="Open">
        <AlertList
          state="open"
          empty={
            <Empty title="No open alerts">
              The service looks every half minute at hubs and webhooks, every five minutes at batteries, and every hour
              at quotas.
            </Empty>
          }
        />
      </Section>
      <Section title="Ended" lead="The last 90 days.">
        <AlertList state="ended" empty={<Empty title="No ended alerts">An alert moves here when it is over.</Empty>} />
      </Section>
      <AlertSettingsPart />
    </Page>
  );
}
