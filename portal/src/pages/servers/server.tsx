/** One server: its tokens, which can be read again, and how one is replaced. */
import { Button, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { serverQuery, serverTokensQuery } from "../../data/subjects.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { CodeBlock, Id } from "../../kit/display/id.tsx";
import { Masked } from "../../kit/display/masked.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { MetaEditor } from "../../kit/metadata/meta-editor.tsx";
import { Age } from "../../kit/text/age.tsx";
import { LastUsed } from "../../kit/text/last-used.tsx";
import { cut, titleOf } from "../../kit/text/names.ts";
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
  const name = cut(titleOf(server.data ?? { id: serverId }, "Server"));
  const remove = (
    <Confirm
      label="Delete"
      title="Delete the server?"
      act={() => api.servers.delete(serverId)}
      onDone={() => {
        void navigate({ to: "/ecosystems/$ecosystemId/servers", params: { ecosystemId }, ignoreBlocker: true });
        void queries.invalidateQueries({ queryKey: ["servers"] });
      }}
    >
      All of its tokens end at once, and what it has open by them. Programs that use them get 401 “Token Invalid”.
    </Confirm>
  );
  return (
    <Page title={name} lead={<Id value={serverId} label="server ID" />} actions={remove}>
      <NeverInAnApp />
      <QueryView query={server}>{() => <Tokens serverId={serverId} />}</QueryView>
      <Section title="A call with it">
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
      New token
    </Button>
  );
  return (
    <Section
      title="Tokens"
      lead="To replace one without a gap: make a new one, give it to your server, see here that it is used, then revoke the old one."
      actions={add}
    >
      {make.error && <Failure error={make.error} />}
      <QueryView
        query={tokens}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty title="No token" action={add}>
            This server has no token. Make one to let it call again.
          </Empty>
        }
      >
        {(data) => (
          <DataTable
            label="tokens of the server"
            rows={data}
            idOf={({ id }) => id}
            columns={[
              { name: "Token", cell: ({ token }) => token && <Masked value={token} label="token" /> },
              { name: "Last used", cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} /> },
              { name: "API versions", cell: (token) => versionsOf(token).join(", ") || "–" },
              { name: "Created", cell: ({ createdAt }) => <Age at={createdAt} /> },
              {
                name: "Action",
                cell: (token) => (
                  <Confirm
                    label="Revoke"
                    title="Revoke the token?"
                    act={() => api.servers.deleteToken(serverId, token.id)}
                    onDone={renew}
                  >
                    <Text size="sm">
                      {token.lastUsedAt === undefined ? (
                        "It has not been used yet. "
                      ) : (
                        <>
                          It was last used <Age at={token.lastUsedAt} />.{" "}
                        </>
                      )}
                      It ends at once, and what is open by it; the server stays, and its other tokens too.
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
