/** The account's log-ins: their list, their origins, and the button that ends one. */
import { Text } from "@mantine/core";
import type { LoginEntry } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { logInsQuery, ownLogInQuery } from "../../data/subjects.ts";
import { Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { Age } from "../../kit/text/age.tsx";
import { LastUsed, Until } from "../../kit/text/token-times.tsx";
import { useApi, useLogOut } from "../../session/context.tsx";
import { browserOf, kindOf } from "./log-in-words.ts";

export function LogIns() {
  const api = useApi();
  const queries = useQueryClient();
  const logIns = useQuery(logInsQuery(api));
  const own = useQuery(ownLogInQuery(api)).data?.id;
  const others = own === undefined ? [] : (logIns.data ?? []).filter(({ id }) => id !== own);
  const renew = () => queries.invalidateQueries({ queryKey: ["log-ins", "all"] });
  const endOthers = others.length > 0 && (
    <Confirm
      label="End other sessions"
      title="End other sessions?"
      act={async () => {
        for (const { id } of others) await api.account.endLogIn(id);
      }}
      onDone={renew}
    >
      {others.length === 1 ? "One session ends" : `${others.length} sessions end`} at once: other browsers, consoles and
      account tokens. This browser stays logged in.
    </Confirm>
  );
  return (
    <Section
      title="Sessions"
      lead="Where your account is logged in. Changing the password ends all sessions except this one."
      actions={endOthers}
    >
      <QueryView query={logIns}>
        {(data) => (
          <DataTable
            label="list of sessions"
            rows={data.toReversed()}
            idOf={({ id }) => id}
            columns={[
              { name: "Session", cell: (logIn) => <What logIn={logIn} isOwn={logIn.id === own} /> },
              { name: "Address", cell: ({ address }) => address ?? "–" },
              {
                name: "Last used",
                cell: ({ id, lastUsedAt }) => (id === own ? "now" : <LastUsed at={lastUsedAt} />),
              },
              { name: "Created", cell: ({ createdAt }) => <Age at={createdAt} /> },
              { name: "Expires", cell: ({ expiresAt }) => <Until at={expiresAt} /> },
              { name: "Action", cell: (logIn) => <End logIn={logIn} isOwn={logIn.id === own} onDone={renew} /> },
            ]}
          />
        )}
      </QueryView>
    </Section>
  );
}

interface RowProps {
  readonly logIn: LoginEntry;
  readonly isOwn: boolean;
}

function What({ logIn, isOwn }: RowProps) {
  const { userAgent } = logIn;
  return (
    <div title={userAgent}>
      {kindOf(logIn, isOwn)}
      <Text size="sm" c="dimmed">
        <bdi>{browserOf(userAgent)}</bdi>
      </Text>
    </div>
  );
}

function End({ logIn, isOwn, onDone }: RowProps & { readonly onDone: () => void }) {
  const api = useApi();
  const logOut = useLogOut();
  if (isOwn)
    return (
      <Confirm
        isInRow
        isDestructive={false}
        label="Log out"
        title="Log out of this browser?"
        act={() => logOut.mutateAsync()}
      >
        Your other sessions stay logged in.
      </Confirm>
    );
  return (
    <Confirm
      isInRow
      label="End session"
      title="End session?"
      act={() => api.account.endLogIn(logIn.id)}
      onDone={onDone}
    >
      Its token stops working at once, and its open connections end. To continue there, log in again.
    </Confirm>
  );
}
