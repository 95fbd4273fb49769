/** The page of a server: its tokens, which can be read again, and their rotation. */
import { Button, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { readServerToken, serverQuery, serverTokensQuery } from "../../data/subjects.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { CodeBlock, Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { Masked } from "../../kit/display/secret.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { MetaEditor } from "../../kit/forms/meta-editor.tsx";
import { Age } from "../../kit/text/age.tsx";
import { cut, titleOf } from "../../kit/text/names.ts";
import { LastUsed } from "../../kit/text/token-times.tsx";
import { versionsOf } from "../../kit/text/versions.ts";
import { useApi } from "../../session/context.tsx";
import { NeverInAnApp } from "./servers.tsx";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/servers/$serverId");

export function ServerPage() {
  const { ecosystemId, serverId } = route.useParams();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const server = useQuery(serverQuery(api, serverId));
  const name = cut(titleOf(server.data ?? { id: serverId }, "Server key"));
  const remove = (
    <Confirm
      label="Delete server key"
      title="Delete server key?"
      act={() => api.servers.delete(serverId)}
      onDone={() => {
        void navigate({ to: "/ecosystems/$ecosystemId/servers", params: { ecosystemId }, ignoreBlocker: true });
        void queries.invalidateQueries({ queryKey: ["servers"] });
      }}
    >
      All of its tokens stop working at once, and their open connections end. Programs that use them get 401 “Token
      Invalid”.
    </Confirm>
  );
  return (
    <Page title={name} lead={<Id value={serverId} label="server ID" />} actions={remove}>
      <NeverInAnApp />
      <QueryView query={server}>{() => <Tokens serverId={serverId} />}</QueryView>
      <Section title="Example request">
        <CodeBlock
          label="curl line"
          code={`SERVER_TOKEN=plt_srv_…   # copy it from above
curl -s -H "authorization: Bearer $SERVER_TOKEN" ${location.origin}/api/environments`}
        />
      </Section>
      {server.data && (
        <Section title="Alias and metadata">
          <AliasField kind="servers" id={serverId} alias={server.data.alias} source={api.servers} />
          <MetaEditor kind="servers" id={serverId} source={api.servers} />
        </Section>
      )}
    </Page>
  );
}

function Tokens({ serverId }: { readonly serverId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const tokens = useQuery(serverTokensQuery(api, serverId));
  const renew = () => queries.invalidateQueries({ queryKey: ["tokens", "of", serverId] });
  const make = useMutation({ mutationFn: () => api.servers.createToken(serverId), onSuccess: renew });
  const add = (
    <Button size="xs" loading={make.isPending} onClick={() => make.mutate()}>
      Create token
    </Button>
  );
  return (
    <Section
      title="Tokens"
      lead="To replace a token without an interruption, create a new one, give it to your server, check here that it is in use, then revoke the old one. Each time a token is read, the audit log has an entry."
      actions={add}
    >
      {make.error && <Failure error={make.error} />}
      <QueryView
        query={tokens}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title="No tokens" action={add}>
            Without a token, your server cannot call the API. Create one.
          </Empty>
        }
      >
        {(data) => (
          <DataTable
            label="tokens of the server key"
            rows={data}
            idOf={({ id }) => id}
            columns={[
              {
                name: "Token",
                cell: ({ id }) => (
                  <Masked
                    start="plt_srv_"
                    label="token"
                    load={() => readServerToken(api, serverId, id).finally(() => void renew())}
                  />
                ),
              },
              { name: "Last used", cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} /> },
              { name: "Last read", cell: ({ lastReadAt }) => <LastUsed at={lastReadAt} /> },
              { name: "API versions", cell: (token) => versionsOf(token).join(", ") || "–" },
              { name: "Created", cell: ({ createdAt }) => <Age at={createdAt} /> },
              {
                name: "Action",
                cell: (token) => (
                  <Confirm
                    label="Revoke token"
                    isInRow
                    title="Revoke token?"
                    act={() => api.servers.deleteToken(serverId, token.id)}
                    onDone={renew}
                  >
                    <Text size="sm">
                      {token.lastUsedAt === undefined ? (
                        "It was never used. "
                      ) : (
                        <>
                          It was last used <Age at={token.lastUsedAt} />.{" "}
                        </>
                      )}
                      It stops working at once, and its open connections end. The server key and its other tokens stay.
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
