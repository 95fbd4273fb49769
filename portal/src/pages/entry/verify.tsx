/** The page that a verification e-mail links to. It requires a click, because programs that open links in e-mails do not click. */
import { Alert, Anchor, Stack, Text, TextInput } from "@mantine/core";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { saysWhen, unlessNamed } from "../../kit/forms/form-error.ts";
import { useAccess, useSession } from "../../session/context.tsx";
import { EntryFrame } from "./login.tsx";

const route = getRouteApi("/verify");

export function VerifyPage() {
  const { open, direct, session } = useAccess();
  const state = useSession();
  useEffect(() => {
    // Ignore an unreachable service here: the form reports it on submit.
    if (state.kind === "unknown") void session.token().catch(() => undefined);
  }, [state.kind, session]);
  const queries = useQueryClient();
  const [code, setCode] = useState(route.useSearch().code ?? "");
  const verify = useMutation({
    // Send the token of an existing log-in, so that the service keeps what the account created before its verification.
    mutationFn: async () => ((await session.token()) === undefined ? open : direct).accounts.verify(code),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["account"] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate();
  };
  const onwards = <Anchor renderRoot={(props) => <Link to="/" {...props} />}>Go to the portal</Anchor>;
  const other = unlessNamed(verify.error, "Reset Code Invalid");
  return (
    <EntryFrame title="Verify e-mail address">
      {verify.isSuccess ? (
        <Stack>
          <Text>E-mail address verified. E-mails about your account go there from now on.</Text>
          {onwards}
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              Enter the code from the e-mail that we sent you. It works once, within{" "}
              {durationWords(SERVICE_TIMES.verifyCode)}.
            </Text>
            {state.kind === "out" && (
              <Alert color="gray">
                You are not logged in here. Without a log-in, everything that has access to the account ends when the
                address is verified: server keys, user tokens, hubs, webhooks and sinks. To keep them,{" "}
                <Anchor
                  renderRoot={(props) => <Link to="/login" search={{ next: `/verify?code=${code}` }} {...props} />}
                >
                  log in
                </Anchor>{" "}
                first.
              </Alert>
            )}
            <CodeField value={code} onValue={setCode} error={verify.error} />
            {other && <Failure error={other} />}
            <Submit label="Verify e-mail address" isPending={verify.isPending} error={verify.error} />
            {onwards}
          </Stack>
        </form>
      )}
    </EntryFrame>
  );
}

interface CodeFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** The error of the last attempt. */
  readonly error: Error | null;
}

/** The field for a code from an e-mail. */
export function CodeField({ value, onValue, error }: CodeFieldProps) {
  return (
    <TextInput
      label="Code from the e-mail"
      autoComplete="one-time-code"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      error={saysWhen(error, "Reset Code Invalid")}
    />
  );
}
