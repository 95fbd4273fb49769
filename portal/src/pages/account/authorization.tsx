/** An account token: made with the password, as a separate log-in, and told once. */
import { Checkbox, Group, Text } from "@mantine/core";
import type { Account, Login } from "@porchlight/shared/api";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { SecretOnce } from "../../kit/display/secret.tsx";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { saysWhen } from "../../kit/forms/form-error.ts";
import { PasswordField } from "../../kit/forms/password.tsx";
import { Until } from "../../kit/text/until.tsx";
import { useAccess } from "../../session/context.tsx";

export function Authorization({ account: { email } }: { readonly account: Account }) {
  const { open } = useAccess();
  const queries = useQueryClient();
  const [password, setPassword] = useState("");
  const [keepMeLoggedIn, setKeep] = useState(false);
  const [made, setMade] = useState<Login>();
  return (
    <>
      {made?.token && (
        <div>
          <SecretOnce label="account token" value={made.token} onPutAway={() => setMade(undefined)} />
          <Text size="sm" mt="xs">
            Expires: <Until at={made.expiresAt} />. You can end it under Sessions below.
          </Text>
        </div>
      )}
      <Group>
        <FormDialog
          label="Create account token"
          variant="default"
          title="Create account token"
          submitLabel="Create account token"
          atFields={["Login Failed"]}
          act={() => open.accounts.logIn({ email, password, keepMeLoggedIn })}
          onDone={(login) => {
            setPassword("");
            setMade(login);
            void queries.invalidateQueries({ queryKey: ["log-ins"] });
          }}
        >
          {(error) => (
            <>
              <Text size="sm">An account token is a session of its own and needs your password.</Text>
              <PasswordField
                label="Password"
                autoComplete="current-password"
                value={password}
                onValue={setPassword}
                error={saysWhen(error, "Login Failed")}
              />
              <Checkbox
                label="Do not expire"
                description={`Otherwise it expires after ${durationWords(SERVICE_TIMES.shortLogIn)}.`}
                checked={keepMeLoggedIn}
                onChange={(event) => setKeep(event.currentTarget.checked)}
              />
            </>
          )}
        </FormDialog>
      </Group>
    </>
  );
}
