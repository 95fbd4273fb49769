/** Resets a forgotten password: requests the e-mail with a code, then sets the new password with the code. */
import { Alert, Anchor, Stack, Text } from "@mantine/core";
import type { PasswordResetResult } from "@porchlight/shared/api";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { EmailField, PasswordField } from "../../kit/forms/credential-fields.tsx";
import { saysWhen, unlessNamed } from "../../kit/forms/form-error.ts";
import { useAccess } from "../../session/context.tsx";
import { EntryFrame } from "./login.tsx";
import { CodeField } from "./verify.tsx";

const route = getRouteApi("/reset");

export function ResetPage() {
  const { code } = route.useSearch();
  const [isSent, setSent] = useState(false);
  return (
    <EntryFrame title="Reset password">
      {code !== undefined || isSent ? <NewPassword code={code ?? ""} isSent={isSent} /> : <Ask onSent={setSent} />}
    </EntryFrame>
  );
}

function Ask({ onSent }: { readonly onSent: (isSent: boolean) => void }) {
  const { open } = useAccess();
  const [email, setEmail] = useState("");
  const ask = useMutation({
    mutationFn: () => open.accounts.requestPasswordReset(email),
    onSuccess: () => onSent(true),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">If there is an account with this address, we send an e-mail with a code.</Text>
        <EmailField autoComplete="username" value={email} onValue={setEmail} />
        {ask.error && <Failure error={ask.error} />}
        <Submit label="Send code" isPending={ask.isPending} error={ask.error} />
        <ToLogin />
      </Stack>
    </form>
  );
}

function NewPassword({ code: given, isSent }: { readonly code: string; readonly isSent: boolean }) {
  const { open } = useAccess();
  const [code, setCode] = useState(given);
  const [password, setPassword] = useState("");
  const set = useMutation({ mutationFn: () => open.accounts.confirmPasswordReset({ code, password }) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate();
  };
  if (set.isSuccess) return <Changed result={set.data} />;
  const other = unlessNamed(set.error, "Reset Code Invalid", "Password Too Weak");
  return (
    <form onSubmit={submit}>
      <Stack>
        {isSent && (
          <Alert color="gray">
            If there is an account with that address, we sent an e-mail with a code. The code works once, within an
            hour.
          </Alert>
        )}
        <CodeField value={code} onValue={setCode} error={set.error} />
        <PasswordField
          label="New password"
          description="At least 10 characters. Ends all sessions of the account."
          autoComplete="new-password"
          value={password}
          onValue={setPassword}
          error={saysWhen(set.error, "Password Too Weak")}
        />
        {other && <Failure error={other} />}
        <Submit label="Change password" isPending={set.isPending} error={set.error} />
        <ToLogin />
      </Stack>
    </form>
  );
}

/** The result of a reset: the sessions and tokens that it ended, and a link to the remaining access. */
function Changed({ result: { addressVerified, ended, leftCount } }: { readonly result: PasswordResetResult }) {
  const tokens = ended.userTokens;
  return (
    <Stack>
      <Text>Password changed. All sessions of the account have ended, including the console's.</Text>
      {addressVerified && (
        <Text>
          This verified your e-mail address for the first time. Everything that had access to the account before has
          ended: server keys, user tokens, hubs, webhooks and sinks.
        </Text>
      )}
      {!addressVerified && tokens > 0 && (
        <Text>
          {tokens === 1
            ? "One user token that the account created has"
            : `${tokens} user tokens that the account created have`}{" "}
          ended, too.
        </Text>
      )}
      {leftCount > 0 && (
        <Alert color="amber" variant="light">
          {leftCount === 1
            ? "One token, hub, webhook or sink still has"
            : `${leftCount} tokens, hubs, webhooks and sinks still have`}{" "}
          access to the account. Log in to see what was created since a session that you recognize, and end what you do
          not know.
        </Alert>
      )}
      {leftCount > 0 ? (
        <Anchor renderRoot={(props) => <Link to="/login" search={{ next: "/account/access" }} {...props} />}>
          Log in and review access
        </Anchor>
      ) : (
        <ToLogin />
      )}
    </Stack>
  );
}

function ToLogin() {
  return <Anchor renderRoot={(props) => <Link to="/login" {...props} />}>Log in</Anchor>;
}
