/** The form that sends an operation from its page, with the log-in's token or another one, and shows the response. */
import { Alert, Button, Group, PasswordInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { CodeBlock } from "../../kit/display/id.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { type OwnNames, withNames } from "./fill.ts";
import { faultOf, type Tried, type TriedOperation, triedAddress, useSend } from "./send.ts";
import classes from "./try-it.module.css";

interface TryItProps {
  readonly operation: TriedOperation;
  /** The initial values of the form. */
  readonly names: OwnNames;
}

export function TryIt({ operation, names }: TryItProps) {
  const { method, template, parameters, hasToken, isStream } = operation;
  const [values, setValues] = useState(() =>
    Object.fromEntries(parameters.map(({ name, sample }) => [name, known(sample, names)])),
  );
  const [body, setBody] = useState(() => withNames(operation.body ?? "", names));
  const [ownToken, setOwnToken] = useState("");
  const [fault, setFault] = useState<string>();
  const { tried, send, stop } = useSend();
  // biome-ignore lint/correctness/useExhaustiveDependencies: unmounting stops a running request
  useEffect(() => stop, []);
  const isRunning = tried.kind === "sent" || (tried.kind === "answered" && !tried.isWhole);

  const act = async () => {
    const found = faultOf(operation, values, body);
    setFault(found);
    if (found !== undefined) return;
    const sentBody = operation.body === undefined || body.trim() === "" ? undefined : body;
    await send({ method, address: triedAddress(operation, values), body: sentBody, ownToken, hasToken });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (method !== "DELETE") void act();
  };
  return (
    <section className={classes.try} aria-label="Try it">
      <h2>Try it</h2>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{effectOf(method)}</Text>
          {parameters.map(({ name, description, required }) => (
            <TextInput
              key={name}
              label={name}
              description={description.replaceAll("`", "")}
              withAsterisk={required}
              autoComplete="off"
              spellCheck={false}
              value={values[name] ?? ""}
              onChange={({ currentTarget: { value } }) => setValues((last) => ({ ...last, [name]: value }))}
            />
          ))}
          {operation.body !== undefined && (
            <Textarea
              label="Body"
              autosize
              minRows={3}
              maxRows={20}
              spellCheck={false}
              classNames={{ input: classes.body ?? "" }}
              value={body}
              onChange={({ currentTarget: { value } }) => setBody(value)}
            />
          )}
          {hasToken && (
            <PasswordInput
              label="Another token"
              description="Optional. Without it, the request uses the token of your session. The token stays in the memory of this page."
              autoComplete="off"
              value={ownToken}
              onChange={({ currentTarget: { value } }) => setOwnToken(value)}
            />
          )}
          {fault !== undefined && (
            <Text size="sm" c="var(--bad)" role="alert">
              {fault}
            </Text>
          )}
          <Group>
            {method === "DELETE" ? (
              <Confirm label="Send DELETE" title="Send DELETE?" size="sm" act={act}>
                This sends <code>DELETE {triedAddress(operation, values) || template}</code>. This cannot be undone.
              </Confirm>
            ) : (
              <Button type="submit" loading={isRunning && !isStream}>
                Send {method}
              </Button>
            )}
            {isRunning && isStream && (
              <Button variant="default" onClick={stop}>
                Stop
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      <div aria-live="polite">
        <Outcome tried={tried} />
      </div>
    </section>
  );
}

/** A sample with an unknown name leaves its field empty. */
function known(sample: string, names: OwnNames): string {
  const missing = [...sample.matchAll(/‹(\w+)›/g)].some(([, name = ""]) => names[name] === undefined);
  return missing ? "" : withNames(sample, names);
}

function effectOf(method: string): string {
  return method === "GET"
    ? "This sends a real request. It changes nothing."
    : "This sends a real request, which can change everything that you can change.";
}

function Outcome({ tried }: { readonly tried: Tried }) {
  if (tried.kind === "nothing") return null;
  const { method, address } = tried.sent;
  return (
    <Stack gap="xs" mt="md">
      <Text size="sm" className="mono">
        {method} {address}
      </Text>
      {tried.kind === "sent" && <Text size="sm">Waiting for the response…</Text>}
      {tried.kind === "failed" && (
        <Alert color="bad" variant="light" title="No response">
          {tried.why}
          {method !== "GET" && " It is unknown whether the request was carried out."}
        </Alert>
      )}
      {tried.kind === "answered" && (
        <>
          <Text fw={600} c={tried.status < 400 ? "var(--good)" : "var(--bad)"}>
            {tried.status} {tried.statusText}{" "}
            <Text span size="sm" c="dimmed" fw={400}>
              {tried.tookMs} ms
            </Text>
          </Text>
          <dl className={classes.headers}>
            {tried.headers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {tried.text === "" ? (
            <Text size="sm">{tried.isWhole ? "The response has no body." : "No data yet."}</Text>
          ) : (
            <CodeBlock code={tried.text} label="response body" />
          )}
        </>
      )}
    </Stack>
  );
}
