/** The account page: address, authorization, log-ins, data export and deletion. */
import { Button, Checkbox, Group, Text } from "@mantine/core";
import type { Account, Login } from "@porchlight/shared/api";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { accountQuery } from "../../data/queries.ts";
import { Facts } from "../../kit/display/facts.tsx";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { SecretOnce } from "../../kit/display/secret.tsx";
import { PasswordField } from "../../kit/forms/credential-fields.tsx";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { saysWhen } from "../../kit/forms/form-error.ts";
import { Age } from "../../kit/text/age.tsx";
import { Until } from "../../kit/text/token-times.tsx";
import { useAccess, useApi, useLogOut } from "../../session/context.tsx";
import { AccountChanges, EmailAddress } from "./changes.tsx";
import { LogIns } from "./log-ins.tsx";
import { YourData } from "./your-data.tsx";

export function AccountPage() {
  const account = useQuery(accountQuery(useApi()));
  const logOut = useLogOut();
  return (
    <Page
      title="Account"
      actions={
        <Button variant="default" onClick={() => logOut.mutate()} loading={logOut.isPending}>
          Log out
        </Button>
      }
    >
      <QueryView query={account}>
        {(data) => (
          <>
            <Section title="Profile" actions={<AccountChanges account={data} />}>
              <Facts
                facts={[
                  ["Name", data.name === undefined ? "–" : <bdi key="name">{data.name}</bdi>],
                  ["E-mail address", <EmailAddress key="email" account={data} />],
                  ["Created", <Age key="created" at={data.createdAt} />],
                ]}
              />
            </Section>
            <Section
              title="Authorization"
              lead="An account token can manage everything that the account owns. Do not give it to programs: servers use server keys, and apps use user tokens."
            >
              <Facts facts={[["Account ID", <Id key="id" value={data.id} label="account ID" />]]} />
              <Authorization account={data} />
            </Section>
            <LogIns />
            <Section
              title="Access"
              lead="Tokens, hubs, webhooks and sinks keep their access when you change or reset the password."
            >
              <Group>
                <Button size="xs" variant="default" renderRoot={(props) => <Link to="/account/access" {...props} />}>
                  Show what has access
                </Button>
              </Group>
            </Section>
            <YourData account={data} />
            <Section
              title="Delete account"
              lead="Deletes everything that the account owns: ecosystems, environments, zones, hubs, devices and their values, users, server keys, webhooks, logs and e-mails. All tokens stop working at once. This cannot be undone."
            >
              <EraseAccount account={data} />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** Deletes the account, with the password. */
function EraseAccount({ account: { email } }: { readonly account: Account }) {
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

/** Creates an account token with the password, as a separate log-in, and shows it once. */
function Authorization({ account: { email } }: { readonly account: Account }) {
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
