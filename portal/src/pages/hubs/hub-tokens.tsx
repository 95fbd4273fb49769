/** The hub's tokens, and their rotation: create a new one, give it to the hub, then revoke the old one. */
import { Button, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { tokensOfClientQuery } from "../../data/hubs.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { CodeBlock, Id } from "../../kit/display/id.tsx";
import { Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { SecretOnce } from "../../kit/display/secret.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { Age } from "../../kit/text/age.tsx";
import { useApi } from "../../session/context.tsx";

export function HubTokens({ clientId }: { readonly clientId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const tokens = useQuery(tokensOfClientQuery(api, clientId));
  const renew = () => queries.invalidateQueries({ queryKey: ["clients", "tokens", clientId] });
  const making = useMutation({ mutationFn: () => api.clients.createToken(clientId), onSuccess: renew });
  const made = making.data?.token;
  return (
    <Section
      title="Tokens"
      lead="The hub connects with one of these tokens. You can replace a token without pairing the hub again."
      actions={
        <Button size="xs" variant="default" loading={making.isPending} onClick={() => making.mutate()}>
          Create token
        </Button>
      }
    >
      {making.error && <Failure error={making.error} />}
      {made !== undefined && (
        <>
          <SecretOnce label="token" value={made} onPutAway={() => making.reset()} />
          <HowToReplace />
        </>
      )}
      <QueryView query={tokens} isEmpty={(all) => all.length === 0} empty={<NoTokens />}>
        {(all) => (
          <DataTable
            label="Tokens of the hub"
            rows={all}
            idOf={({ id }) => id}
            columns={[
              { name: "Token", cell: ({ id }) => <Id value={id} label="token ID" /> },
              { name: "Created", cell: ({ createdAt }) => <Age at={createdAt} /> },
              { name: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt ? <Age at={lastUsedAt} /> : "never") },
              {
                name: "Action",
                cell: ({ id }) => (
                  <Confirm
                    label="Revoke token"
                    isInRow
                    title="Revoke token?"
                    act={async () => {
                      await api.clients.deleteToken(clientId, id);
                      await renew();
                    }}
                  >
                    If the hub uses this token, it is disconnected within five seconds and stays offline until it has
                    another token or is paired again. Its devices stay, with their state unknown.
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

function HowToReplace() {
  return (
    <Text size="sm" component="div">
      <p>Then, on the hub:</p>
      <ol>
        <li>
          Put the token into the token file. The agent reconnects with it within seconds:
          <CodeBlock
            code={
              "sudo tee /var/lib/porchlight-agent/token >/dev/null   # paste the token, then Ctrl-D\nsudo systemctl kill --signal=HUP porchlight-agent"
            }
            label="the commands"
          />
        </li>
        <li>When “Last used” shows that the new token is in use, revoke the old one here. Until then both work.</li>
      </ol>
    </Text>
  );
}

function NoTokens() {
  return (
    <Empty title="No tokens">
      Without a token the hub cannot connect. Create one and put it into the hub's token file, or pair the hub again.
    </Empty>
  );
}
