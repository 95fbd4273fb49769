/** The settings of alert notifications: kinds, limits, e-mail and quiet hours, and a test. */
import { Button, Group, NumberInput, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import type { Porchlight } from "@porchlight/sdk";
import type { Account, AlertSettings, AlertTestAnswer, QuietHours } from "@porchlight/shared/api";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useMemo, useState } from "react";
import { accountQuery, ecosystemsQuery } from "../../data/queries.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { useCountdown } from "../../kit/forms/form-error.ts";
import { Unsaved } from "../../kit/forms/unsaved.tsx";
import { useApi } from "../../session/context.tsx";
import classes from "./alert-settings.module.css";

const alertSettingsQuery = (api: Porchlight) =>
  queryOptions({ queryKey: ["alert-settings"], queryFn: ({ signal }) => api.alerts.settings({ signal }) });

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
  /** Undefined while it loads. */
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

interface KindFieldProps {
  readonly label: string;
  readonly limitLabel: string;
  readonly min: number;
  readonly max: number;
  readonly enabled: boolean;
  readonly limit: number;
  readonly onChange: (enabled: boolean, limit: number) => void;
}

/** One kind of alert: its switch and its limit. */
function KindField({ label, limitLabel, min, max, enabled, limit, onChange }: KindFieldProps) {
  return (
    <Group className={classes.kind} align="flex-end" justify="space-between">
      <Switch
        label={label}
        checked={enabled}
        onChange={(event) => onChange(event.currentTarget.checked, limit)}
        className={classes.switch}
      />
      <NumberInput
        label={limitLabel}
        className={classes.limit}
        min={min}
        max={max}
        clampBehavior="blur"
        allowDecimal={false}
        allowNegative={false}
        disabled={!enabled}
        value={limit}
        onChange={(value) => typeof value === "number" && onChange(enabled, value)}
      />
    </Group>
  );
}

/** The result of the test e-mail in words. */
const EMAIL: Readonly<Record<string, string>> = {
  queued: "Test e-mail queued. An alert.test event went to webhooks and event streams.",
  not_verified:
    "An alert.test event went to webhooks and event streams. No e-mail was sent, because your address is not verified.",
  off: "An alert.test event went to webhooks and event streams. No e-mail was sent, because e-mails are turned off.",
} satisfies Readonly<Record<AlertTestAnswer["email"], string>>;

/** Sends a test e-mail and a test event and reports the result of each. @param isChanged whether the form has unsaved changes */
function AlertTestButton({ isChanged }: { readonly isChanged: boolean }) {
  const api = useApi();
  const { data: ecosystems } = useQuery(ecosystemsQuery(api));
  const [first] = ecosystems ?? [];
  const testing = useMutation({ mutationFn: () => api.alerts.test({ ecosystemId: first?.id }) });
  const wait = useCountdown(testing.error);
  return (
    <>
      <Button
        variant="default"
        loading={testing.isPending}
        disabled={wait > 0 || !first}
        onClick={() => testing.mutate()}
      >
        {wait > 0 ? `Try again in ${wait} s` : "Send test alert"}
      </Button>
      {isChanged && (
        <Text size="sm" c="dimmed">
          Save your changes first: the test uses the saved settings.
        </Text>
      )}
      {testing.data && (
        <Text size="sm" role="status">
          {EMAIL[testing.data.email] ?? `E-mail: ${testing.data.email}.`}
        </Text>
      )}
      {testing.error && <Failure error={testing.error} putAway={() => testing.reset()} />}
    </>
  );
}

/** The hours without e-mail: start, end and time zone. */
interface QuietHoursProps {
  readonly value: QuietHours | null;
  readonly onChange: (value: QuietHours | null) => void;
}

/** The default: a night in the browser's time zone. */
function aNight(): QuietHours {
  return { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, start: "22:00", end: "07:00" };
}

function QuietHoursFields({ value, onChange }: QuietHoursProps) {
  const current = value?.timeZone;
  const zones = useMemo(() => {
    const known = Intl.supportedValuesOf("timeZone");
    return current === undefined || known.includes(current) ? known : [current, ...known];
  }, [current]);
  return (
    <Stack gap="sm">
      <Switch
        label="Quiet hours"
        description="No e-mails are sent in quiet hours. Alerts that are still open when they end are sent then."
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? aNight() : null)}
      />
      {value && (
        <Group align="flex-end">
          <TextInput
            type="time"
            label="From"
            required
            className={classes.hours}
            value={value.start}
            onChange={(event) => onChange({ ...value, start: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label="To"
            required
            className={classes.hours}
            value={value.end}
            error={value.start === value.end ? "Choose another time than From" : undefined}
            onChange={(event) => onChange({ ...value, end: event.currentTarget.value })}
          />
          <Select
            label="Time zone"
            searchable
            allowDeselect={false}
            limit={100}
            data={zones}
            value={value.timeZone}
            onChange={(timeZone) => timeZone !== null && onChange({ ...value, timeZone })}
          />
        </Group>
      )}
    </Stack>
  );
}
