/** The tokens of a user: create with a lifetime, show once, list and revoke. */
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
import { LastUsed, Until } from "../../kit/text/token-times.tsx";
import { versionsOf } from "../../kit/text/versions.ts";
import { useApi } from "../../session/context.tsx";

/** Lifetimes in seconds, with their labels. */
const LIVES = [
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "1 day" },
  { value: "2592000", label: "30 days" },
  { value: "31536000", label: "1 year" },
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
      label="Create token"
      size="xs"
      title="Create token"
      submitLabel="Create token"
      act={() => api.users.createToken(userId, { expiresInSeconds: Number(life) })}
      onDone={(token) => {
        setMade(token);
        void renew();
      }}
    >
      {() => (
        <Select
          label="Expires after"
          description="Tokens that your server creates do not expire, unless it sets an expiry."
          data={LIVES}
          value={life}
          allowDeselect={false}
          onChange={(value) => setLife(value ?? USUAL)}
        />
      )}
    </FormDialog>
  );
  return (
    <Section title="Tokens" lead="Apps call the API as this user with one of these tokens." actions={add}>
      {made?.token && <SecretOnce label="token" value={made.token} onPutAway={() => setMade(undefined)} />}
      <QueryView
        query={tokens}
        isEmpty={(data) => data.length === 0}
        empty={<Empty title="No tokens">Create a token for the app of this user.</Empty>}
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
                    label="Revoke token"
                    isInRow
                    title="Revoke token?"
                    act={() => api.users.deleteToken(userId, id)}
                    onDone={renew}
                  >
                    <Text size="sm">
                      It stops working at once, and its open connections end. The user keeps its access.
                    </Text>
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
