/** Approves a log-in by code: shows the program and its origin, and asks whether it may log in to this account. */
import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import type { CodeLogIn } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { codeLogInQuery } from "../../data/subjects.ts";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { Failure } from "../../kit/display/failure.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Loading } from "../../kit/display/query-view.tsx";
import { useCountdown } from "../../kit/forms/form-error.ts";
import { timeOf, useNow } from "../../kit/text/age.tsx";
import { counted, untilOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { browserOf } from "../account/log-in-words.ts";
import { readCode } from "./code.ts";
import classes from "./pairing.module.css";

const route = getRouteApi("/inside/log-in-by-code");

export function LogInByCodePage() {
  const { code: given = "" } = route.useSearch();
  const read = readCode(given);
  return (
    <Page title="Log in a program" lead="A program, such as the console, shows a code and waits for your approval.">
      {read.kind === "code" ? <Waiting key={read.code} code={read.code} /> : <NoCode given={given} />}
    </Page>
  );
}

/** @param given the invalid code from the address */
function NoCode({ given }: { readonly given: string }) {
  const router = useRouter();
  return (
    <Section title="Enter the code" lead="Eight letters, such as WDJB-MJHT, as shown by the program.">
      <CodeForm
        given={given}
        submitLabel="Continue"
        onCode={(code) => void router.navigate({ to: "/log-in-by-code", search: { code } })}
      />
    </Section>
  );
}

function Waiting({ code }: { readonly code: string }) {
  const logIn = useQuery(codeLogInQuery(useApi(), code));
  const queries = useQueryClient();
  const router = useRouter();
  const again = () => {
    queries.removeQueries({ queryKey: ["code log-ins"] });
    void router.navigate({ to: "/log-in-by-code", search: {} });
  };
  if (logIn.isPending) return <Loading />;
  if (logIn.data) return <Answer logIn={logIn.data} onAnother={again} />;
  return <CodeFailure error={logIn.error} onRetry={() => void logIn.refetch()} onAnother={again} />;
}

interface AnswerProps {
  readonly logIn: CodeLogIn;
  readonly onAnother: () => void;
}

function Answer({ logIn, onAnother }: AnswerProps) {
  const { userCode, userAgent, address, expiresAt } = logIn;
  const api = useApi();
  const [isOwn, setOwn] = useState(false);
  const approving = useMutation({ mutationFn: () => api.account.approveCodeLogIn(userCode) });
  const denying = useMutation({ mutationFn: () => api.account.denyCodeLogIn(userCode) });
  const left = timeOf(expiresAt) - useNow();
  if (approving.isSuccess)
    return (
      <Done title="Approved" onAnother={onAnother}>
        The program will be logged in within a few seconds. You can end its session on the account page at any time.
      </Done>
    );
  if (denying.isSuccess)
    return (
      <Done title="Denied" onAnother={onAnother}>
        The program is not logged in.
      </Done>
    );
  const error = approving.error ?? denying.error;
  return (
    <Section title="This program asks to log in to your account">
      <Facts>
        <Fact name="Code">
          <span className={classes.code}>{userCode}</span>
        </Fact>
        <Fact name="Program name (not verified)">
          <bdi className="mono">{browserOf(userAgent)}</bdi>
        </Fact>
        <Fact name="Requested from">
          <span className="mono">{address}</span>
        </Fact>
        <Fact name="Code valid">{left > 0 ? `for ${untilOf(left)}` : "no longer"}</Fact>
      </Facts>
      <Alert color="amber" variant="light" title="Did you start this log-in yourself?" maw="40rem">
        An approved program can do everything that you can, until you end its session. If somebody sent you this code or
        a link to this page, choose Deny: they would be logged in as you.
      </Alert>
      <Stack maw="40rem">
        <Checkbox
          label="I started this log-in, and the program shows the same code."
          checked={isOwn}
          onChange={(event) => setOwn(event.currentTarget.checked)}
        />
        {error && <Failure error={error} />}
        <Group>
          <Button disabled={!isOwn || left <= 0} loading={approving.isPending} onClick={() => approving.mutate()}>
            Approve
          </Button>
          <Button variant="default" loading={denying.isPending} onClick={() => denying.mutate()}>
            Deny
          </Button>
          <Button variant="subtle" color="gray" onClick={onAnother}>
            Enter another code
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

interface DoneProps {
  readonly title: string;
  readonly children: string;
  readonly onAnother: () => void;
}

function Done({ title, children, onAnother }: DoneProps) {
  return (
    <Section title={title}>
      <Text role="status">{children}</Text>
      <Group>
        <Button variant="default" onClick={onAnother}>
          Enter another code
        </Button>
      </Group>
    </Section>
  );
}

interface CodeFailureProps {
  readonly error: Error;
  readonly onRetry: () => void;
  readonly onAnother: () => void;
}

/** Explains why there is nothing to approve, and the next step: wait and retry, or enter another code. */
export function CodeFailure({ error, onRetry, onAnother }: CodeFailureProps) {
  const wait = useCountdown(error);
  return (
    <Stack align="flex-start">
      <Failure error={error} {...(wait === 0 && { retry: onRetry })} />
      {wait > 0 && <Text role="status">Try again in {wait} s.</Text>}
      <Button variant="default" onClick={onAnother}>
        Enter another code
      </Button>
    </Stack>
  );
}

interface CodeFormProps {
  /** The invalid code from the address. */
  readonly given: string;
  readonly submitLabel: string;
  readonly onCode: (code: string) => void;
}

/** The form for the code that a hub or program shows. */
export function CodeForm({ given, submitLabel, onCode }: CodeFormProps) {
  const [text, setText] = useState(given);
  const [isTried, setTried] = useState(given !== "");
  const read = readCode(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.kind === "code") onCode(read.code);
  };
  const fault =
    read.kind === "wrong"
      ? read.why
      : read.kind === "short" && isTried
        ? `${counted(read.missing, "letter")} missing.`
        : undefined;
  return (
    <form onSubmit={submit}>
      <Group align="flex-start" gap="sm">
        <TextInput
          aria-label="Code"
          placeholder="WDJB-MJHT"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          data-autofocus
          value={text}
          error={fault}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit">{submitLabel}</Button>
      </Group>
    </form>
  );
}
