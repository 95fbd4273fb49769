/** The settings of a webhook: URL, description and events in one form, the secret in another. */
import { Alert, Checkbox, Group, PasswordInput, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import type { Webhook } from "@porchlight/shared/api";
import { eventTypes } from "@porchlight/shared/events";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Failure, fieldError } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { SecretOnce } from "../../kit/display/secret.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { saysWhen, unlessNamed } from "../../kit/forms/form-error.ts";
import { Unsaved } from "../../kit/forms/unsaved.tsx";
import { useApi } from "../../session/context.tsx";
import classes from "./event-choice.module.css";
import { EVERYTHING, newSecret, toggled } from "./settings-draft.ts";

export function WebhookSettings({ webhook }: { readonly webhook: Webhook }) {
  return (
    <>
      <Fields webhook={webhook} />
      <Secret webhookId={webhook.id} />
    </>
  );
}

function Fields({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, description = "", events } = webhook;
  const { webhooks } = useApi();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Partial<WebhookForm>>({});
  const form: WebhookForm = { url, description, events, ...draft };
  const saving = useMutation({
    mutationFn: ({ url: to, description: text, events: wanted }: WebhookForm) =>
      webhooks.update(id, { url: to.trim(), description: text === "" ? null : text, events: [...wanted] }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["webhooks"] });
      setDraft({});
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(form);
  };
  const change = (made: Partial<WebhookForm>) => {
    setDraft({ ...draft, ...made });
    saving.reset();
  };
  const other = unlessNamed(saving.error, ...AT_FIELDS);
  return (
    <Section title="Settings">
      <Unsaved isThere={Object.keys(draft).length > 0} what="Your changes to the webhook are" />
      <form onSubmit={submit}>
        <Stack maw="52rem">
          <WebhookFields form={form} onChange={change} error={saving.error} />
          {other && <Failure error={other} />}
          <Group>
            <Submit label="Save" variant="default" isPending={saving.isPending} error={saving.error} />
            {saving.isSuccess && (
              <Text size="sm" role="status">
                Saved.
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function Secret({ webhookId }: { readonly webhookId: string }) {
  const { webhooks } = useApi();
  const [own, setOwn] = useState("");
  const [shown, setShown] = useState<string>();
  const changing = useMutation({
    mutationFn: async () => {
      const secret = own === "" ? newSecret() : own;
      await webhooks.update(webhookId, { secret });
      return own === "" ? secret : undefined;
    },
    onSuccess: (made) => {
      setOwn("");
      setShown(made);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate();
  };
  return (
    <Section
      title="Replace secret"
      lead={`For ${durationWords(SERVICE_TIMES.formerSecret)}, events are signed with the old and the new secret, so that your receiver can switch without missing events.`}
    >
      {shown !== undefined && <SecretOnce label="secret" value={shown} onPutAway={() => setShown(undefined)} />}
      <form onSubmit={submit}>
        <Stack maw="32rem">
          <PasswordInput
            label="Secret"
            description="Optional. Without one, a secret is created and shown once."
            autoComplete="off"
            value={own}
            error={fieldError(changing.error, "secret")}
            onChange={(event) => setOwn(event.currentTarget.value)}
          />
          {changing.error && <Failure error={changing.error} />}
          {changing.isSuccess && shown === undefined && (
            <Alert color="gray" variant="light" role="status">
              Secret replaced. Events are now signed with the new secret too.
            </Alert>
          )}
          <Group>
            <Submit label="Replace secret" variant="default" isPending={changing.isPending} error={changing.error} />
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** The form fields of a new or existing webhook; service errors appear at the field that caused them. */
export interface WebhookForm {
  readonly url: string;
  readonly description: string;
  /** Types and `prefix.*`, or `*` alone. */
  readonly events: readonly string[];
}

/** Errors that the fields show themselves. */
export const AT_FIELDS = ["Webhook Callback Invalid", "Webhook Callback Missing", "Webhook Events Invalid"] as const;

interface WebhookFieldsProps {
  readonly form: WebhookForm;
  readonly onChange: (change: Partial<WebhookForm>) => void;
  /** The error of the last attempt. */
  readonly error: unknown;
}

export function WebhookFields({ form, onChange, error }: WebhookFieldsProps) {
  const isAll = form.events.includes(EVERYTHING);
  const faultOfEvents =
    saysWhen(error, "Webhook Events Invalid") ?? (form.events.length === 0 ? "Choose at least one type." : undefined);
  return (
    <Stack>
      <TextInput
        label="Callback URL"
        description="An https URL at a public address. The operator of the service may allow others."
        placeholder="https://receiver.example/porchlight"
        type="url"
        inputMode="url"
        autoComplete="off"
        value={form.url}
        error={saysWhen(error, "Webhook Callback Invalid", "Webhook Callback Missing") ?? fieldError(error, "url")}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <TextInput
        label="Description"
        description="Optional. Only you see it."
        autoComplete="off"
        maxLength={1000}
        value={form.description}
        error={fieldError(error, "description")}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          Events
        </Text>
        <SegmentedControl
          aria-label="Events"
          w="fit-content"
          data={[
            { value: "all", label: "All" },
            { value: "some", label: "Some" },
          ]}
          value={isAll ? "all" : "some"}
          onChange={(value) => onChange({ events: value === "all" ? [EVERYTHING] : [] })}
        />
        {!isAll && <EventChoice chosen={form.events} onChange={(events) => onChange({ events })} />}
        {faultOfEvents && (
          <Text size="sm" c="var(--mantine-color-error)" role="status">
            {faultOfEvents}
          </Text>
        )}
      </Stack>
    </Stack>
  );
}

interface EventChoiceProps {
  /** Types and `prefix.*`. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Checkboxes for event types: a whole group by `prefix.*`, or single types. */
function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const box = (pattern: string, says: string, isImplied: boolean) => (
    <Checkbox
      key={pattern}
      size="sm"
      label={
        <>
          <code className="mono">{pattern}</code>{" "}
          <Text span size="sm" c="dimmed">
            {says}
          </Text>
        </>
      }
      checked={isImplied || chosen.includes(pattern)}
      disabled={isImplied}
      onChange={() => onChange(toggled(chosen, pattern))}
    />
  );
  return (
    <div className={classes.groups}>
      {eventTypes().map(({ prefix, about, types }) => {
        const all = `${prefix}.*`;
        return (
          <fieldset key={prefix} className={classes.group}>
            <legend>{about}</legend>
            <Stack gap={6}>
              {types.length > 1 && box(all, "all of these, and types added later", false)}
              <div className={types.length > 1 ? classes.single : undefined}>
                {types.map(({ type, when }) => box(type, when, types.length > 1 && chosen.includes(all)))}
              </div>
            </Stack>
          </fieldset>
        );
      })}
    </div>
  );
}
