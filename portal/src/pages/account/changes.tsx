/** Forms that change the account; each requires the current password. */
import { Group, TextInput } from "@mantine/core";
import type { Account } from "@porchlight/shared/api";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { StateWord } from "../../kit/display/state.tsx";
import { EmailField, PasswordField } from "../../kit/forms/credential-fields.tsx";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { saysWhen } from "../../kit/forms/form-error.ts";
import { useApi } from "../../session/context.tsx";

interface Props {
  readonly account: Account;
}

export function AccountChanges({ account }: Props) {
  return (
    <>
      <ChangeWho key={`${account.name} ${account.email}`} account={account} />
      <ChangePassword />
    </>
  );
}

function ChangeWho({ account }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const [name, setName] = useState(account.name ?? "");
  const [email, setEmail] = useState(account.email);
  const [currentPassword, setCurrent] = useState("");
  return (
    <FormDialog
      label="Change name or e-mail"
      variant="default"
      size="xs"
      title="Change name or e-mail"
      submitLabel="Save"
      atFields={["Email Invalid", "Email Exists", "Password Incorrect"]}
      act={() =>
        api.account.update({
          name: name.trim() === "" ? null : name.trim(),
          ...(email !== account.email && { email }),
          currentPassword,
        })
      }
      onDone={() => {
        setCurrent("");
        void queries.invalidateQueries({ queryKey: ["account"] });
      }}
    >
      {(error) => (
        <>
          <TextInput
            label="Name"
            autoComplete="name"
            maxLength={255}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <EmailField
            autoComplete="email"
            value={email}
            onValue={setEmail}
            description="You must verify a new address. The old address gets a notice."
            error={saysWhen(error, "Email Invalid", "Email Exists")}
          />
          <Present value={currentPassword} onValue={setCurrent} error={error} />
        </>
      )}
    </FormDialog>
  );
}

function ChangePassword() {
  const api = useApi();
  const queries = useQueryClient();
  const [password, setPassword] = useState("");
  const [currentPassword, setCurrent] = useState("");
  return (
    <FormDialog
      label="Change password"
      variant="default"
      size="xs"
      title="Change password"
      submitLabel="Change password"
      atFields={["Password Too Weak", "Password Incorrect"]}
      act={() => api.account.update({ password, currentPassword })}
      onDone={() => {
        setPassword("");
        setCurrent("");
        void queries.invalidateQueries({ queryKey: ["log-ins"] });
      }}
    >
      {(error) => (
        <>
          <PasswordField
            label="New password"
            description="At least 10 characters. Ends all other sessions, including the console's."
            autoComplete="new-password"
            value={password}
            onValue={setPassword}
            error={saysWhen(error, "Password Too Weak")}
          />
          <Present value={currentPassword} onValue={setCurrent} error={error} />
        </>
      )}
    </FormDialog>
  );
}

/** The address with its verification; until it is verified, the user can request the e-mail again. */
export function EmailAddress({ account }: Props) {
  return (
    <Group gap="sm">
      <bdi>{account.email}</bdi>
      {account.emailVerified ? <StateWord tone="good">verified</StateWord> : <VerifyAgain account={account} />}
    </Group>
  );
}

function VerifyAgain({ account: { email } }: Props) {
  const api = useApi();
  const [currentPassword, setCurrent] = useState("");
  const [isSent, setSent] = useState(false);
  return (
    <>
      <StateWord tone="warn">not verified</StateWord>
      {isSent ? (
        <span role="status">We sent an e-mail with a code.</span>
      ) : (
        <FormDialog
          label="Send verification e-mail"
          variant="default"
          size="xs"
          title="Send verification e-mail"
          submitLabel="Send verification e-mail"
          atFields={["Password Incorrect"]}
          act={() => api.account.update({ email, currentPassword })}
          onDone={() => {
            setCurrent("");
            setSent(true);
          }}
        >
          {(error) => <Present value={currentPassword} onValue={setCurrent} error={error} />}
        </FormDialog>
      )}
    </>
  );
}

interface PresentProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: unknown;
}

function Present({ error, ...field }: PresentProps) {
  return (
    <PasswordField
      {...field}
      label="Current password"
      autoComplete="current-password"
      error={saysWhen(error, "Password Incorrect")}
    />
  );
}
