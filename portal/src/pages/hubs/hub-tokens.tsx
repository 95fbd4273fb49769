/** The tokens that a hub may connect with: another is made, given to the hub, and then the old one is revoked. */
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
      lead="Which of them the hub connects with, it says itself. Replacing one needs no new pairing."
      actions={
        <Button size="xs" variant="default" loading={making.isPending} onClick={() => making.mutate()}>
          New token
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
              { name: "Token", cell: ({ id }) => <Id value={id} label="token's ID" /> },
              { name: "Created", cell: ({ createdAt }) => <Age at={createdAt} /> },
              { name: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt ? <Age at={lastUsedAt} /> : "not yet") },
              {
                name: "Action",
                cell: ({ id }) => (
                  <Confirm
                    label="Revoke"
                    title="Revoke the token?"
                    act={async () => {
                      await api.clients.deleteToken(clientId, id);
                      await renew();
                    }}
                  >
                    A hub that is connected with it is disconnected within five seconds, and stays away until it has
                    another token or is paired anew. Its devices stay, as unknown.
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
          Put it into the token file. The agent comes back with it, and is away for a moment only:
          <CodeBlock
            code={
              "sudo tee /var/lib/porchlight-agent/token >/dev/null   # paste the token, then Ctrl-D\nsudo systemctl kill --signal=HUP porchlight-agent"
            }
            label="the commands"
          />
        </li>
        <li>When “Last used” of the new one says so, revoke the old one here. Until then either is good.</li>
      </ol>
    </Text>
  );
}

function NoTokens() {
  return (
    <Empty title="It has no token">
      Without one the hub cannot connect. Make one and put it into the hub's token file, or pair the hub anew.
    </Empty>
  );
}
