/** The log-in form. It creates a session cookie that scripts cannot read. */
import { Alert, Anchor, Checkbox, Group, Stack, Title } from "@mantine/core";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Mark } from "../../kit/display/icon.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { EmailField, PasswordField } from "../../kit/forms/credential-fields.tsx";
import { saysWhen, unlessNamed } from "../../kit/forms/form-error.ts";
import { useAccess, useSession } from "../../session/context.tsx";
import classes from "./entry-frame.module.css";

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

/**
 * Navigates to the requested page as soon as there is a log-in, from this form or from another tab.
 * @param next a path of the portal; default: the first page
 */
export function useGoingOn(next = "/"): void {
  const { session } = useAccess();
  const state = useSession();
  const router = useRouter();
  const queries = useQueryClient();
  useEffect(() => {
    // Ignore an unreachable service here: the form reports it on submit.
    if (state.kind === "unknown") void session.token().catch(() => undefined);
    if (state.kind !== "in") return;
    // The cache can hold data of another account.
    queries.clear();
    router.history.replace(next);
  }, [state.kind, session, router, queries, next]);
}

/** The frame of the pages before the log-in: the logo and one form. */
export function EntryFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Porchlight`;
  }, [title]);
  return (
    <main className={classes.frame}>
      <div className={classes.brand}>
        <Mark isLit />
        <span>Porchlight</span>
      </div>
      <div className={classes.form}>
        <Title order={1} mb="md">
          {title}
        </Title>
        {children}
      </div>
      <p className={classes.promise}>The light that shows you, from the street, how things are at home.</p>
    </main>
  );
}
