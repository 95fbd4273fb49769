/** The page of a user: its environments and its tokens. */
import { Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { userQuery } from "../../data/subjects.ts";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { MetaEditor } from "../../kit/forms/meta-editor.tsx";
import { useApi, useSession } from "../../session/context.tsx";
import { AccessSection } from "./access.tsx";
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
