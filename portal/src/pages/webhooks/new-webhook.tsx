/** A new webhook; then its secret, this once, and how to verify with it. */
import { Button, Group, PasswordInput, Select, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { environmentsQuery } from "../../data/queries.ts";
import { Failure, fieldError } from "../../kit/display/failure.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { SecretOnce } from "../../kit/display/secret.tsx";
import { unlessNamed } from "../../kit/forms/form-error.ts";
import { Submit } from "../../kit/forms/submit.tsx";
import { Unsaved } from "../../kit/forms/unsaved.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import { Verify } from "./verify.tsx";
import { AT_FIELDS, WebhookFields, type WebhookForm } from "./webhook-fields.tsx";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/webhooks/new");
const EMPTY: WebhookForm = { url: "", description: "", events: ["*"] };

export function NewWebhookPage() {
  const { ecosystemId } = route.useParams();
  const api = useApi();
  const queries = useQueryClient();
  const [form, setForm] = useState(EMPTY);
  const [secret, setSecret] = useState("");
  const [environmentId, setEnvironment] = useState<string | null>(null);
  const making = useMutation({
    mutationFn: () =>
      api.webhooks.create({
        url: form.url.trim(),
        events: [...form.events],
        ecosystemId,
        ...(form.description !== "" && { description: form.description }),
        ...(secret !== "" && { secret }),
        ...(environmentId !== null && { environmentId }),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["webhooks"] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  if (making.data) return <Made webhook={making.data} ecosystemId={ecosystemId} />;
  const other = unlessNamed(making.error, ...AT_FIELDS);
  return (
    <Page title="Create webhook" lead="Choose which events to send, and where.">
      <Unsaved isThere={form !== EMPTY || secret !== ""} what="This webhook is" />
      <Section title="Webhook">
        <form onSubmit={submit}>
          <Stack maw="52rem">
            <WebhookFields form={form} onChange={(change) => setForm({ ...form, ...change })} error={making.error} />
            <EnvironmentChoice ecosystemId={ecosystemId} value={environmentId} onChange={setEnvironment} />
            <PasswordInput
              label="Secret"
              description="Optional. Without one, a secret is created and shown once. Your own secret can be whsec_ followed by base64, or any text of up to 512 bytes."
              autoComplete="off"
              value={secret}
              error={fieldError(making.error, "secret")}
              onChange={(event) => setSecret(event.currentTarget.value)}
            />
            {other && <Failure error={other} />}
            <Group>
              <Submit label="Create webhook" isPending={making.isPending} error={making.error} />
            </Group>
          </Stack>
        </form>
      </Section>
    </Page>
  );
}

interface EnvironmentChoiceProps {
  readonly ecosystemId: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

function EnvironmentChoice({ ecosystemId, value, onChange }: EnvironmentChoiceProps) {
  const { data = [] } = useQuery(environmentsQuery(useApi()));
  const own = data.filter((each) => each.ecosystemId === ecosystemId);
  return (
    <Select
      label="Environment"
      description="Send the events of one environment, or of the whole ecosystem. You cannot change this later."
      placeholder="All environments"
      data={own.map((each) => ({ value: each.id, label: cut(nameOf(each), 60) }))}
      value={value}
      clearable
      searchable
      clearButtonProps={{ "aria-label": "Clear: all environments" }}
      onChange={onChange}
    />
  );
}

interface MadeProps {
  readonly webhook: { readonly id: string; readonly url: string; readonly secret?: string | undefined };
  readonly ecosystemId: string;
}

function Made({ webhook: { id, url, secret }, ecosystemId }: MadeProps) {
  const [isPutAway, setPutAway] = useState(false);
  return (
    <Page title="Webhook created" lead={<bdi title={url}>{cut(url, 160)}</bdi>}>
      {secret !== undefined && !isPutAway && (
        <SecretOnce label="secret" value={secret} onPutAway={() => setPutAway(true)} />
      )}
      <Verify />
      <Group>
        <Button
          renderRoot={(props) => (
            <Link
              to="/ecosystems/$ecosystemId/webhooks/$webhookId"
              params={{ ecosystemId, webhookId: id }}
              {...props}
            />
          )}
        >
          Go to webhook
        </Button>
      </Group>
    </Page>
  );
}
