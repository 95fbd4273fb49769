/** The page of a user: its environments and its tokens. */
import { Anchor, Group, Switch, Text } from "@mantine/core";
import type { AccessEntry } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { environmentsQuery } from "../../data/queries.ts";
import { userAccessQuery, userQuery } from "../../data/subjects.ts";
import { failureText } from "../../kit/display/failure.tsx";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { MetaEditor } from "../../kit/forms/meta-editor.tsx";
import { Age } from "../../kit/text/age.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { nameOf, titleOf } from "../../kit/text/names.ts";
import { useApi, useSession } from "../../session/context.tsx";
import { TokensSection } from "./tokens.tsx";
import { isOwn, userKeyOf } from "./user-words.ts";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/users/$userId");

export function UserPage() {
  const { ecosystemId, userId } = route.useParams();
  const api = useApi();
  const session = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const query = useQuery(userQuery(api, userId));
  const user = query.data;
  const isYou = user !== undefined && isOwn(user, session);
  const remove = user && !isYou && (
    <Confirm
      label="Delete user"
      title="Delete user?"
      act={() => api.users.delete(userId)}
      onDone={() => {
        void navigate({ to: "/ecosystems/$ecosystemId/users", params: { ecosystemId }, ignoreBlocker: true });
        void queries.invalidateQueries({ queryKey: ["users"] });
      }}
    >
      The user loses its access, and its tokens stop working at once. Environments and devices do not change. You can
      create another user with the same key.
    </Confirm>
  );
  return (
    <Page title={user ? userKeyOf(user) : "User"} lead={<Id value={userId} label="user ID" />} actions={remove}>
      {isYou && (
        <Text c="dimmed">
          This is you. Every account holder is a user too. This user cannot be deleted without the account.
        </Text>
      )}
      <QueryView query={query}>
        {({ alias }) => (
          <>
            <AccessSection ecosystemId={ecosystemId} userId={userId} />
            <TokensSection userId={userId} />
            <Section title="Alias and metadata">
              <AliasField kind="users" id={userId} alias={alias} source={api.users} />
              <MetaEditor kind="users" id={userId} source={api.users} />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

interface Props {
  readonly ecosystemId: string;
  readonly userId: string;
}

function AccessSection({ ecosystemId, userId }: Props) {
  const api = useApi();
  const access = useQuery(userAccessQuery(api, userId));
  const environments = useQuery(environmentsQuery(api));
  const own = (environments.data ?? []).filter((each) => each.ecosystemId === ecosystemId);
  return (
    <Section title="Access" lead="A user with access to an environment can read and control everything in it.">
      {access.data?.length === 0 && (
        <StateWord tone="warn">This user has no access to any environment, so its tokens reach nothing.</StateWord>
      )}
      <QueryView query={access}>
        {(entries) => (
          <QueryView
            query={environments}
            isEmpty={() => own.length === 0}
            empty={<Empty title="No environments">Create an environment first, then give the user access to it.</Empty>}
          >
            {() => (
              <DataTable
                label="environments"
                rows={own}
                idOf={({ id }) => id}
                textOf={own.length > 8 ? (each) => `${nameOf(each)} ${each.id}` : undefined}
                columns={[
                  {
                    name: "Access",
                    cell: (environment) => (
                      <AccessSwitch
                        userId={userId}
                        environmentId={environment.id}
                        name={nameOf(environment)}
                        entry={entries.find(({ environmentId }) => environmentId === environment.id)}
                      />
                    ),
                  },
                  {
                    name: "Environment",
                    cell: (environment) => (
                      <Anchor renderRoot={(props) => <Link to={`/environments/${environment.id}`} {...props} />}>
                        <NameText text={titleOf(environment, "Environment")} />
                      </Anchor>
                    ),
                  },
                  { name: "ID", cell: ({ id }) => <Id value={id} label="environment ID" /> },
                ]}
              />
            )}
          </QueryView>
        )}
      </QueryView>
    </Section>
  );
}

interface SwitchProps {
  readonly userId: string;
  readonly environmentId: string;
  readonly name: string;
  readonly entry: AccessEntry | undefined;
}

/** Shows the current state, and beside it any requested change. */
function AccessSwitch({ userId, environmentId, name, entry }: SwitchProps) {
  const api = useApi();
  const queries = useQueryClient();
  const change = useMutation<unknown>({
    mutationFn: () => (entry ? api.users.revoke(userId, entry.id) : api.users.grant(userId, environmentId)),
    onSettled: () => queries.invalidateQueries({ queryKey: ["access", userId] }),
  });
  return (
    <Group gap="xs" wrap="nowrap">
      <Switch
        aria-label={`Access to ${name}`}
        checked={entry !== undefined}
        disabled={change.isPending}
        onChange={() => change.mutate()}
      />
      <Text size="sm" c={change.error ? "bad" : "dimmed"} role="status">
        <State isPending={change.isPending} error={change.error} entry={entry} />
      </Text>
    </Group>
  );
}

interface StateProps {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly entry: AccessEntry | undefined;
}

function State({ isPending, error, entry }: StateProps) {
  if (isPending) return entry ? "removing…" : "granting…";
  if (error) return `failed: ${failureText(error).detail}`;
  if (!entry) return "none";
  return (
    <>
      since <Age at={entry.createdAt} suffix="" />
    </>
  );
}
