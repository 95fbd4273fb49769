/** What can be changed of a webhook: its URL, description and kinds of events together, its secret by itself. */
import { Alert, Group, PasswordInput, Stack, Text } from "@mantine/core";
import type { Webhook } from "@porchlight/shared/api";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Failure, fieldError } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { SecretOnce } from "../../kit/display/secret.tsx";
import { unlessNamed } from "../../kit/forms/form-error.ts";
import { Submit } from "../../kit/forms/submit.tsx";
import { Unsaved } from "../../kit/forms/unsaved.tsx";
import { useApi } from "../../session/context.tsx";
import { newSecret } from "./new-secret.ts";
import { AT_FIELDS, WebhookFields, type WebhookForm } from "./webhook-fields.tsx";

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
    mutationFn: ({ url: to, description: said, events: wanted }: WebhookForm) =>
      webhooks.update(id, { url: to.trim(), description: said === "" ? null : said, events: [...wanted] }),
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
