/** The form for a new webhook; afterwards its secret, shown once, and instructions for verification. */
import { Button, Group, PasswordInput, Select, Stack, Tabs, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { environmentsQuery } from "../../data/queries.ts";
import { Failure, fieldError } from "../../kit/display/failure.tsx";
import { CodeBlock } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { SecretOnce } from "../../kit/display/secret.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { unlessNamed } from "../../kit/forms/form-error.ts";
import { Unsaved } from "../../kit/forms/unsaved.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import { AT_FIELDS, WebhookFields, type WebhookForm } from "./webhook-settings.tsx";

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

/** Instructions to verify deliveries, for a webhook's page and after its creation. */
export function Verify() {
  return (
    <Section
      title="Verify deliveries in your receiver"
      lead="Reject requests that are not signed with the secret. Respond with any 2xx status within 15 seconds. Expect repeats: the same event always has the same webhook-id."
    >
      <Tabs defaultValue="sdk">
        <Tabs.List>
          <Tabs.Tab value="sdk">TypeScript</Tabs.Tab>
          <Tabs.Tab value="hand">openssl</Tabs.Tab>
          <Tabs.Tab value="own">openssl, own secret</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="sdk" pt="sm">
          <CodeBlock code={VERIFY_WITH_SDK} label="code" />
        </Tabs.Panel>
        <Tabs.Panel value="hand" pt="sm">
          <CodeBlock code={VERIFY_BY_HAND} label="commands" />
        </Tabs.Panel>
        <Tabs.Panel value="own" pt="sm">
          <CodeBlock code={VERIFY_OWN_BY_HAND} label="commands" />
        </Tabs.Panel>
      </Tabs>
      <Text size="sm" c="dimmed">
        Signatures follow Standard Webhooks 1.0, so its libraries for other languages verify them too.
      </Text>
    </Section>
  );
}

/** TypeScript with the SDK; works as pasted. */
const VERIFY_WITH_SDK = [
  'import { createServer } from "node:http";',
  'import { verifyWebhook } from "@porchlight/sdk";',
  "",
  "createServer(async (request, response) => {",
  "  const body = Buffer.concat(await request.toArray());",
  "  try {",
  '    const event = await verifyWebhook({ headers: request.headers, body, secret: process.env.SECRET ?? "" });',
  "    console.log(event);",
  "    response.writeHead(204).end();",
  "  } catch {",
  "    response.writeHead(401).end();",
  "  }",
  "}).listen(8000);",
].join("\n");

/** openssl; prints the expected value of one of the signatures. */
const VERIFY_BY_HAND = `# headers of the request: webhook-id, webhook-timestamp, webhook-signature; its body as it came: body.json
KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | xxd -p -c 256)
printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" | cat - body.json |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64   # is in webhook-signature, after v1,`;

/** The same for a custom secret without `whsec_`: its bytes are the key. */
const VERIFY_OWN_BY_HAND = VERIFY_BY_HAND.replace(
  `"\${SECRET#whsec_}" | base64 -d | xxd -p -c 256)`,
  `"$SECRET" | xxd -p -c 1024)`,
);
