/** The tokens of a user: made with a choice of their life, told once, listed and revoked. */
import { Select, Text } from "@mantine/core";
import type { Token } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { userTokensQuery } from "../../data/subjects.ts";
import { Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { SecretOnce } from "../../kit/display/secret.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { Age } from "../../kit/text/age.tsx";
import { LastUsed } from "../../kit/text/last-used.tsx";
import { Until } from "../../kit/text/until.tsx";
import { versionsOf } from "../../kit/text/versions.ts";
import { useApi } from "../../session/context.tsx";

/** Seconds, and what they are called. */
const LIVES = [
  { value: "3600", label: "an hour" },
  { value: "86400", label: "a day" },
  { value: "2592000", label: "30 days" },
  { value: "31536000", label: "a year" },
];
const USUAL = "2592000";

export function TokensSection({ userId }: { readonly userId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const tokens = useQuery(userTokensQuery(api, userId));
  const [life, setLife] = useState(USUAL);
  const [made, setMade] = useState<Token>();
  const renew = () => queries.invalidateQueries({ queryKey: ["tokens", "of", userId] });
  const add = (
    <FormDialog
      label="New token"
      size="xs"
      title="Make a user token"
      submitLabel="Make the token"
      act={() => api.users.createToken(userId, { expiresInSeconds: Number(life) })}
      onDone={(token) => {
        setMade(token);
        void renew();
      }}
    >
      {() => (
        <Select
          label="It is good for"
          description="One that your server makes lasts until it is revoked, unless your server says otherwise."
          data={LIVES}
          value={life}
          allowDeselect={false}
          onChange={(value) => setLife(value ?? USUAL)}
        />
      )}
    </FormDialog>
  );
  return (
    <Section title="Tokens" lead="A token calls the API as this user." actions={add}>
      {made?.token && <SecretOnce label="token" value={made.token} onPutAway={() => setMade(undefined)} />}
      <QueryView
        query={tokens}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No token">This user has no token yet.</Empty>}
      >
        {(data) => (
          <DataTable
            label="tokens of the user"
            rows={data}
            idOf={({ id }) => id}
            columns={[
              { name: "ID", cell: ({ id }) => <code className="mono">{id}</code> },
              { name: "Expires", cell: ({ expiresAt }) => <Until at={expiresAt} /> },
              { name: "Last used", cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} /> },
              { name: "API versions", cell: (token) => versionsOf(token).join(", ") || "–" },
              { name: "Created", cell: ({ createdAt }) => <Age at={createdAt} /> },
              {
                name: "Action",
                cell: ({ id }) => (
                  <Confirm
                    label="Revoke"
                    title="Revoke the token?"
                    act={() => api.users.deleteToken(userId, id)}
                    onDone={renew}
                  >
                    <Text size="sm">It ends at once, and what is open by it. The user keeps its access.</Text>
                  </Confirm>
                ),
              },
            ]}
          />
        )}
      </QueryView>
    </Section>
  );
}
