/** The form that logs in. What it makes is a cookie that no script can read. */
import { Alert, Anchor, Checkbox, Group, Stack } from "@mantine/core";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { EmailField } from "../../kit/forms/email.tsx";
import { saysWhen, unlessNamed } from "../../kit/forms/form-error.ts";
import { PasswordField } from "../../kit/forms/password.tsx";
import { Submit } from "../../kit/forms/submit.tsx";
import { useAccess } from "../../session/context.tsx";
import { EntryFrame } from "./entry-frame.tsx";
import { useGoingOn } from "./use-going-on.ts";

const route = getRouteApi("/login");

export function LoginPage() {
  const { open, session } = useAccess();
  const { next, ended, erased } = route.useSearch();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [keepMeLoggedIn, setKeep] = useState(false);
  useGoingOn(next);
  const login = useMutation({
    mutationFn: async () => {
      await open.accounts.logIn({ email, password, keepMeLoggedIn, session: true });
      await session.entered();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate();
  };
  const other = unlessNamed(login.error, "Login Failed");
  return (
    <EntryFrame title="Log in">
      <form onSubmit={submit}>
        <Stack>
          {ended && (
            <Alert color="amber" variant="light">
              Your session has ended. Log in again to continue where you were.
            </Alert>
          )}
          {erased && <Alert color="gray">Account deleted, with everything that it owned.</Alert>}
          <EmailField autoComplete="username" value={email} onValue={setEmail} />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            value={password}
            onValue={setPassword}
            error={saysWhen(login.error, "Login Failed")}
          />
          <Checkbox
            label="Keep me logged in"
            description={`Otherwise you are logged out after ${durationWords(SERVICE_TIMES.shortLogIn)}.`}
            checked={keepMeLoggedIn}
            onChange={(event) => setKeep(event.currentTarget.checked)}
          />
          {other && <Failure error={other} />}
          <Submit label="Log in" isPending={login.isPending} error={login.error} />
          <Group justify="space-between">
            <Anchor renderRoot={(props) => <Link to="/signup" search={{ next }} {...props} />}>Create account</Anchor>
            <Anchor renderRoot={(props) => <Link to="/reset" {...props} />}>Forgot password?</Anchor>
          </Group>
        </Stack>
      </form>
    </EntryFrame>
  );
}
