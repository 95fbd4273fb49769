/** The account: who it is, its authorization, its log-ins, its data, and its end. */
import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { accountQuery } from "../../data/queries.ts";
import { Facts } from "../../kit/display/facts.tsx";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { Age } from "../../kit/text/age.tsx";
import { useApi } from "../../session/context.tsx";
import { Authorization } from "./authorization.tsx";
import { AccountChanges, EmailAddress } from "./changes.tsx";
import { EraseAccount } from "./erase.tsx";
import { LogIns } from "./log-ins.tsx";
import { useLogOut } from "./use-log-out.ts";
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
