/** What is wrong now, what was, and which of it the account is told. */
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { ConsoleCommand } from "../../kit/display/console-command.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty } from "../../kit/display/query-view.tsx";
import { CONSOLE_COMMANDS } from "../../kit/text/console-commands.ts";
import { AlertList } from "./alert-list.tsx";
import { AlertSettingsPart } from "./alert-settings.tsx";

export function AlertsPage() {
  return (
    <Page
      title="Alerts"
      lead="Hubs that stay offline, low batteries, failing webhooks and quotas near their limit, in all your ecosystems."
    >
      <Section title="Open">
        <AlertList
          state="open"
          empty={
            <Empty
              command={
                <ConsoleCommand command={CONSOLE_COMMANDS.alerts()}>To list alerts in a terminal, run:</ConsoleCommand>
              }
              title="No open alerts"
            >
              The service checks hubs and webhooks every half minute, batteries every five minutes and quotas every
              hour.
            </Empty>
          }
        />
      </Section>
      <Section title="Ended" lead={`The last ${durationWords(SERVICE_TIMES.endedAlertsKept)}.`}>
        <AlertList state="ended" empty={<Empty title="No ended alerts">Alerts move here when they end.</Empty>} />
      </Section>
      <AlertSettingsPart />
    </Page>
  );
}
