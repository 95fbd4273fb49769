/** The form that logs in. What it makes is a cookie that no script can read. */
import { Alert, Anchor, Button, Checkbox, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Failure } from "../../kit/failure.tsx";
import { useAccess } from "../../session/context.tsx";
import { EntryFrame } from "./entry-frame.tsx";

const route = getRouteApi("/login");

export function LoginPage() {
  const { open, session } = useAccess();
  const { next, ended } = route.useSearch();
  const router = useRouter();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [keepMeLoggedIn, setKeep] = useState(false);
  const login = useMutation({
    mutationFn: async () => {
      await open.accounts.logIn({ email, password, keepMeLoggedIn, session: true });
      await session.entered();
    },
    onSuccess: () => router.history.replace(next ?? "/"),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate();
  };
  return (
    <EntryFrame title="Log in">
      <form onSubmit={submit}>
        <Stack>
          {ended && (
            <Alert color="amber" variant="light">
              Your log-in has ended. Log in again, and you are back where you were.
            </Alert>
          )}
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Checkbox
            label="Keep me logged in"
            description="Otherwise the log-in ends after 12 hours."
            checked={keepMeLoggedIn}
            onChange={(event) => setKeep(event.currentTarget.checked)}
          />
          {login.error && <Failure error={login.error} />}
          <Button type="submit" loading={login.isPending}>
            Log in
          </Button>
          <Anchor href="/docs">Read the API reference</Anchor>
        </Stack>
      </form>
    </EntryFrame>
  );
}
