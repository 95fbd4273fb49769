/** Users: whom the operator vouches for, each under a key of the operator's own. */
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
import { StateWord } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { saysWhen } from "../../kit/forms/form-error.ts";
import { Age } from "../../kit/text/age.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { useApi, useSession } from "../../session/context.tsx";
import { accessInWords, isOwn, userKeyOf } from "./user-words.ts";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/users");

export function UsersPage() {
  const { ecosystemId } = route.useParams();
  const users = useQuery(usersQuery(useApi(), ecosystemId));
  return (
    <Page
      title="Users"
      lead="A user is a person of yours, known here by a key of yours. What runs at that person's calls with the user's token, and reaches the environments that the user has access to."
      actions={<NewUser ecosystemId={ecosystemId} />}
    >
      <QueryView
        query={users}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title="No user yet" action={<NewUser ecosystemId={ecosystemId} />}>
            Register one, give it an environment, and make a token for its app.
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

/** Without an environment a user can do nothing: that must be seen. */
function Access({ userId }: { readonly userId: string }) {
  const api = useApi();
  const access = useQuery({ ...userAccessQuery(api, userId), refetchInterval: false });
  const environments = useQuery(environmentsQuery(api)).data ?? [];
  if (!access.data) return null;
  if (access.data.length === 0) return <StateWord tone="warn">no access</StateWord>;
  const names = new Map(environments.flatMap(({ id, alias }) => (alias === undefined ? [] : [[id, alias]])));
  return <bdi>{accessInWords(access.data, names)}</bdi>;
}

function NewUser({ ecosystemId }: { readonly ecosystemId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [key, setKey] = useState("");
  return (
    <FormDialog
      label="New user"
      title="Register a user"
      submitLabel="Register the user"
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
          description="What you know the user by: the ID in your own database. It is no secret, and does not change."
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
