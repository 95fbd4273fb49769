/** Users whose identity the operator vouches for, each with a key that the operator assigns. */
import { Anchor, Group, Text, TextInput } from "@mantine/core";
import type { User } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { environmentsQuery, usersQuery } from "../../data/queries.ts";
import { userAccessQuery } from "../../data/subjects.ts";
import { Id } from "../../kit/display/id.tsx";
import { Page } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { ConsoleCommand } from "../../kit/display/shell-commands.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { saysWhen } from "../../kit/forms/form-error.ts";
import { Age } from "../../kit/text/age.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { shortNameOf } from "../../kit/text/names.ts";
import { CONSOLE_COMMANDS } from "../../kit/text/shell-commands.ts";
import { useApi, useSession } from "../../session/context.tsx";
import { accessInWords, isOwn, userKeyOf } from "./user-words.ts";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/users");

export function UsersPage() {
  const { ecosystemId } = route.useParams();
  const users = useQuery(usersQuery(useApi(), ecosystemId));
  return (
    <Page
      title="Users"
      lead="A user is a person who uses your product, identified by a key of yours. Their app calls the API with a user token and reaches the environments that the user has access to."
      actions={users.data?.length !== 0 && <NewUser ecosystemId={ecosystemId} />}
    >
      <QueryView
        query={users}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty
            command={
              <ConsoleCommand command={CONSOLE_COMMANDS.users(ecosystemId)}>From a terminal, run:</ConsoleCommand>
            }
            title="No users yet"
            action={<NewUser ecosystemId={ecosystemId} />}
          >
            Create a user, give it access to an environment, and create a token for its app.
          </Empty>
        }
      >
        {(data) => (
          <DataTable
            label="users"
            rows={data}
            idOf={({ id }) => id}
            textOf={({ key, alias = "", id }) => `${key} ${alias} ${id}`}
            columns={[
              { name: "Key", cell: (user) => <UserLink user={user} /> },
              { name: "Access", cell: ({ id }) => <Access userId={id} /> },
              {
                name: "Alias",
                cell: ({ alias }) => (alias === undefined ? "–" : <NameText text={alias} />),
              },
              { name: "ID", cell: ({ id }) => <Id value={id} label="user ID" /> },
              { name: "Created", cell: ({ createdAt }) => <Age at={createdAt} /> },
            ]}
          />
        )}
      </QueryView>
    </Page>
  );
}

function UserLink({ user }: { readonly user: User }) {
  const { ecosystemId, id: userId } = user;
  const session = useSession();
  return (
    <Group gap="xs" wrap="nowrap" align="baseline">
      <Anchor
        renderRoot={(props) => (
          <Link to="/ecosystems/$ecosystemId/users/$userId" params={{ ecosystemId, userId }} {...props} />
        )}
      >
        <bdi title={user.key}>{userKeyOf(user)}</bdi>
      </Anchor>
      {isOwn(user, session) && (
        <Text size="sm" c="dimmed" component="span">
          you
        </Text>
      )}
    </Group>
  );
}

/** Warns when a user has no environment, because such a user can do nothing. */
function Access({ userId }: { readonly userId: string }) {
  const api = useApi();
  const access = useQuery({ ...userAccessQuery(api, userId), refetchInterval: false });
  const environments = useQuery(environmentsQuery(api)).data ?? [];
  if (!access.data) return null;
  if (access.data.length === 0) return <StateWord tone="warn">no access</StateWord>;
  const names = new Map(environments.map((each) => [each.id, shortNameOf(each)]));
  return <bdi>{accessInWords(access.data, names)}</bdi>;
}

function NewUser({ ecosystemId }: { readonly ecosystemId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [key, setKey] = useState("");
  return (
    <FormDialog
      variant="filled"
      label="Create user"
      title="Create user"
      submitLabel="Create user"
      atFields={["User Key Missing", "User Key Exists"]}
      act={() => api.users.create({ ecosystemId, key })}
      onDone={({ id: userId }) => {
        void queries.invalidateQueries({ queryKey: ["users"] });
        void navigate({ to: "/ecosystems/$ecosystemId/users/$userId", params: { ecosystemId, userId } });
      }}
    >
      {(error) => (
        <TextInput
          label="Key"
          description="How you identify the user, for example the ID in your own database. It is not secret and cannot be changed."
          data-autofocus
          required
          withAsterisk={false}
          maxLength={255}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          error={saysWhen(error, "User Key Missing", "User Key Exists")}
        />
      )}
    </FormDialog>
  );
}
