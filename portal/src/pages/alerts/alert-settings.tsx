/** Which alerts the account is told, by email and when, and a test of it. */
import { Group, Stack, Switch, Text } from "@mantine/core";
import type { Account, AlertSettings } from "@porchlight/shared/api";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { alertSettingsQuery } from "../../data/alerts.ts";
import { accountQuery } from "../../data/queries.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { Submit } from "../../kit/forms/submit.tsx";
import { Unsaved } from "../../kit/forms/unsaved.tsx";
import { useApi } from "../../session/context.tsx";
import { AlertTestButton } from "./alert-test-button.tsx";
import { KindField } from "./kind-field.tsx";
import { QuietHoursFields } from "./quiet-hours-fields.tsx";

export function AlertSettingsPart() {
  const api = useApi();
  const settings = useQuery(alertSettingsQuery(api));
  const account = useQuery(accountQuery(api));
  return (
    <Section
      title="Settings"
      lead="For all ecosystems of the account. Webhooks and event streams get alert.opened and alert.ended at any time, even in quiet hours."
    >
      <QueryView query={settings}>
        {(data) => <SettingsForm key={JSON.stringify(data)} settings={data} account={account.data} />}
      </QueryView>
    </Section>
  );
}

interface FormProps {
  readonly settings: AlertSettings;
  /** Undefined while it is not known. */
  readonly account: Account | undefined;
}

function SettingsForm({ settings, account }: FormProps) {
  const { alerts } = useApi();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Partial<AlertSettings>>({});
  const form = { ...settings, ...draft };
  const isChanged = JSON.stringify(form) !== JSON.stringify(settings);
  const saving = useMutation({
    mutationFn: (wanted: AlertSettings) => alerts.updateSettings(wanted),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["alert-settings"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(form);
  };
  const change = (made: Partial<AlertSettings>) => {
    setDraft({ ...draft, ...made });
    saving.reset();
  };
  return (
    <form onSubmit={submit}>
      <Unsaved isThere={isChanged && !saving.isPending} what="Your changes to the alert settings are" />
      <Stack maw="40rem" gap="lg">
        <Stack gap="sm">
          <KindField
            label="Hub offline"
            limitLabel="Minutes offline"
            min={1}
            max={10_080}
            enabled={form.hubOffline.enabled}
            limit={form.hubOffline.minutes}
            onChange={(enabled, minutes) => change({ hubOffline: { enabled, minutes } })}
          />
          <KindField
            label="Battery low"
            limitLabel="Battery percent"
            min={1}
            max={90}
            enabled={form.batteryLow.enabled}
            limit={form.batteryLow.percent}
            onChange={(enabled, percent) => change({ batteryLow: { enabled, percent } })}
          />
          <KindField
            label="Webhook failing"
            limitLabel="Minutes without a successful delivery"
            min={1}
            max={10_080}
            enabled={form.webhookFailing.enabled}
            limit={form.webhookFailing.minutes}
            onChange={(enabled, minutes) => change({ webhookFailing: { enabled, minutes } })}
          />
          <KindField
            label="Quota near its limit"
            limitLabel="Percent used"
            min={10}
            max={100}
            enabled={form.quotaNear.enabled}
            limit={form.quotaNear.percent}
            onChange={(enabled, percent) => change({ quotaNear: { enabled, percent } })}
          />
        </Stack>
        <Stack gap="sm">
          <Switch
            label="Send e-mails"
            description={`When an alert opens and when it ends. At most one e-mail in ${durationWords(SERVICE_TIMES.betweenAlertEmails)}.`}
            checked={form.email}
            onChange={(event) => change({ email: event.currentTarget.checked })}
          />
          {form.email && account && <Address account={account} />}
          <QuietHoursFields value={form.quietHours} onChange={(quietHours) => change({ quietHours })} />
        </Stack>
        {saving.error && <Failure error={saving.error} />}
        <Group>
          <Submit label="Save" isReady={isChanged} isPending={saving.isPending} error={saving.error} />
          <AlertTestButton isChanged={isChanged} />
        </Group>
      </Stack>
    </form>
  );
}

function Address({ account: { email, emailVerified } }: { readonly account: Account }) {
  if (emailVerified)
    return (
      <Text size="sm" c="dimmed">
        E-mails go to <bdi>{email}</bdi>.
      </Text>
    );
  return (
    <div>
      <StateWord tone="warn">No e-mails are sent</StateWord>
      <Text size="sm">
        <bdi>{email}</bdi> is not verified. <Link to="/account">Verify it on the account page</Link>.
      </Text>
    </div>
  );
}
