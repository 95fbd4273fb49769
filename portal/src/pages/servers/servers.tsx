/** Server keys: the operator's own programs with full access to an ecosystem. */
import { Alert, Anchor } from "@mantine/core";
import type { Server } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { serversQuery } from "../../data/queries.ts";
import { serverTokensQuery } from "../../data/subjects.ts";
import { Id } from "../../kit/display/id.tsx";
import { Page } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { ConsoleCommand } from "../../kit/display/shell-commands.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { AliasInput } from "../../kit/forms/alias-field.tsx";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { Age } from "../../kit/text/age.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { nameOf, titleOf } from "../../kit/text/names.ts";
import { CONSOLE_COMMANDS } from "../../kit/text/shell-commands.ts";
import { LastUsed } from "../../kit/text/token-times.tsx";
import { useApi } from "../../session/context.tsx";
import { latestUse } from "./latest-use.ts";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/servers");

export function ServersPage() {
  const { ecosystemId } = route.useParams();
  const api = useApi();
  const servers = useQuery(serversQuery(api, ecosystemId));
  return (
    <Page
      title="Server keys"
      lead="With a server key, your own server calls the API. Its tokens can do everything in this ecosystem."
      actions={servers.data?.length !== 0 && <NewServer ecosystemId={ecosystemId} />}
    >
      <NeverInAnApp />
      <QueryView
        query={servers}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty
            command={
              <ConsoleCommand command={CONSOLE_COMMANDS.servers(ecosystemId)}>From a terminal, run:</ConsoleCommand>
            }
            title="No server keys yet"
            action={<NewServer ecosystemId={ecosystemId} />}
          >
            Create one to call the API from your server. Its token is created with it, and you can read it on its page
            at any time.
          </Empty>
        }
      >
        {(data) => (
          <DataTable
            label="server keys"
            rows={data}
            idOf={({ id }) => id}
            textOf={(server) => `${nameOf(server)} ${server.id}`}
            columns={[
              { name: "Name", cell: (server) => <ServerLink server={server} /> },
              { name: "ID", cell: ({ id }) => <Id value={id} label="server ID" /> },
              { name: "Last used", cell: ({ id }) => <LastUse serverId={id} /> },
              { name: "Created", cell: ({ createdAt }) => <Age at={createdAt} /> },
            ]}
          />
        )}
      </QueryView>
    </Page>
  );
}

export function NeverInAnApp() {
  return (
    <Alert color="amber" variant="light" title="Use server keys on your servers only">
      Never put it into an app or a web page: anyone who finds it there can control every device of the ecosystem. Apps
      use <em>user</em> tokens.
    </Alert>
  );
}

function ServerLink({ server }: { readonly server: Server }) {
  const { ecosystemId, id: serverId } = server;
  return (
    <Anchor
      renderRoot={(props) => (
        <Link to="/ecosystems/$ecosystemId/servers/$serverId" params={{ ecosystemId, serverId }} {...props} />
      )}
    >
      <NameText text={titleOf(server, "Server")} />
    </Anchor>
  );
}

function LastUse({ serverId }: { readonly serverId: string }) {
  const tokens = useQuery({ ...serverTokensQuery(useApi(), serverId), refetchInterval: false });
  if (!tokens.data) return null;
  return <LastUsed at={latestUse(tokens.data)} />;
}

function NewServer({ ecosystemId }: { readonly ecosystemId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [alias, setAlias] = useState("");
  return (
    <FormDialog
      variant="filled"
      label="Create server key"
      title="Create server key"
      submitLabel="Create server key"
      atFields={["Alias Invalid", "Alias Exists"]}
      act={() => api.servers.create({ ecosystemId, ...(alias !== "" && { alias }) })}
      onDone={({ id: serverId }) => {
        void queries.invalidateQueries({ queryKey: ["servers"] });
        void navigate({ to: "/ecosystems/$ecosystemId/servers/$serverId", params: { ecosystemId, serverId } });
      }}
    >
      {(error) => (
        <AliasInput value={alias} onChange={setAlias} error={error} description="Optional. For example “backend”." />
      )}
    </FormDialog>
  );
}
