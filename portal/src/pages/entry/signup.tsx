/** The sign-up form, which also logs the new account in. */
import { Anchor, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { EmailField, PasswordField } from "../../kit/forms/credential-fields.tsx";
import { saysWhen, unlessNamed } from "../../kit/forms/form-error.ts";
import { useAccess } from "../../session/context.tsx";
import { EntryFrame, useGoingOn } from "./login.tsx";

const route = getRouteApi("/signup");

export function SignupPage() {
  const { open, session } = useAccess();
  const { next } = route.useSearch();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  // If the log-in after the sign-up fails, a retry must not create the account again.
  const made = useRef<string>(undefined);
  useGoingOn(next);
  const signUp = useMutation({
    mutationFn: async () => {
      const given = { email, password, ...(name.trim() !== "" && { name: name.trim() }) };
      if (made.current !== email) await open.accounts.create(given);
      made.current = email;
      await open.accounts.logIn({ email, password, session: true });
      await session.entered();
    },
  });
  const { error, isPending, mutate } = signUp;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  const other = unlessNamed(error, "Email Invalid", "Email Exists", "Password Too Weak");
  return (
    <EntryFrame title="Create account">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            Your account starts with one ecosystem, one environment in it for your first home, and you as its first
            user.
          </Text>
          <TextInput
            label="Name"
            description="Optional. Only you see it."
            autoComplete="name"
            maxLength={255}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <EmailField
            autoComplete="username"
            value={email}
            onValue={setEmail}
            error={saysWhen(error, "Email Invalid", "Email Exists")}
          />
          <PasswordField
            label="Password"
            description="At least 10 characters. Several words are better than one."
            autoComplete="new-password"
            value={password}
            onValue={setPassword}
            error={saysWhen(error, "Password Too Weak")}
          />
          {other && <Failure error={other} />}
          <Submit label="Create account" isPending={isPending} error={error} />
          <Text size="sm">
            Already have an account?{" "}
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => <Link to="/login" search={{ next }} {...props} />}
            >
              Log in
            </Anchor>
          </Text>
        </Stack>
      </form>
    </EntryFrame>
  );
}
