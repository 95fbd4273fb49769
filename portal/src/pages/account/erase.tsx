/** The end of an account, with the password. */
import { Group, Text } from "@mantine/core";
import type { Account } from "@porchlight/shared/api";
import { useState } from "react";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { saysWhen } from "../../kit/forms/form-error.ts";
import { PasswordField } from "../../kit/forms/password.tsx";
import { useAccess } from "../../session/context.tsx";

export function EraseAccount({ account: { email } }: { readonly account: Account }) {
  const { api, session } = useAccess();
  const [password, setPassword] = useState("");
  return (
    <Group>
      <FormDialog
        label="Delete account"
        variant="outline"
        title="Delete account?"
        submitLabel="Delete account"
        color="bad"
        atFields={["Password Incorrect"]}
        act={() => api.account.delete(password)}
        onDone={() => {
          session.left();
          location.assign("/login?erased=true");
        }}
      >
        {(error) => (
          <>
            <Text size="sm">
              <bdi>{email}</bdi> and everything that it owns will be deleted. You can create a new account with the
              address afterwards.
            </Text>
            <PasswordField
              label="Password"
              autoComplete="current-password"
              value={password}
              onValue={setPassword}
              error={saysWhen(error, "Password Incorrect")}
            />
          </>
        )}
      </FormDialog>
    </Group>
  );
}
