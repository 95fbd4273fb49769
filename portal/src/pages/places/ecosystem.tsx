/** The page of an ecosystem: environments, history, sink, name, metadata and deletion. */
import { Text } from "@mantine/core";
import type { Ecosystem } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { ecosystemQuery } from "../../data/places.ts";
import { ecosystemsQuery, environmentsQuery } from "../../data/queries.ts";
import { Facts } from "../../kit/display/facts.tsx";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { MetaEditor } from "../../kit/forms/meta-editor.tsx";
import { Age } from "../../kit/text/age.tsx";
import { titleOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { HistorySection } from "./history-section.tsx";
import { EnvironmentsTable, NewEnvironment } from "./places.tsx";
import { SinkSection } from "./sink-section.tsx";

const route = getRouteApi("/inside/ecosystems/$ecosystemId");

export function EcosystemPage() {
  const { ecosystemId } = route.useParams();
  const api = useApi();
  const ecosystem = useQuery(ecosystemQuery(api, ecosystemId));
  const all = useQuery(ecosystemsQuery(api));
  const environments = useQuery(environmentsQuery(api));
  const within = environments.data?.filter((each) => each.ecosystemId === ecosystemId) ?? [];
  return (
    <Page
      title={ecosystem.data ? titleOf(ecosystem.data, "Ecosystem") : "Ecosystem"}
      lead="An ecosystem holds environments, users, server keys and webhooks. Its data is separate from every other ecosystem."
      actions={
        ecosystem.data &&
        all.data && <Deletion ecosystem={ecosystem.data} isLast={all.data.length === 1} environments={within.length} />
      }
      aside={ecosystem.data && <About ecosystem={ecosystem.data} />}
    >
      <QueryView query={ecosystem}>
        {() => (
          <>
            <Section title="Environments" actions={<NewEnvironment ecosystemId={ecosystemId} />}>
              <QueryView query={environments}>{() => <EnvironmentsTable environments={within} />}</QueryView>
            </Section>
            <HistorySection key={`history ${ecosystemId}`} ecosystemId={ecosystemId} />
            <SinkSection key={`sink ${ecosystemId}`} ecosystemId={ecosystemId} />
            <Section title="Metadata">
              <MetaEditor kind="ecosystems" id={ecosystemId} source={api.ecosystems} />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

function About({ ecosystem: { id, alias, createdAt } }: { readonly ecosystem: Ecosystem }) {
  const api = useApi();
  return (
    <Section title="Details">
      <AliasField key={id} kind="ecosystems" id={id} alias={alias} source={api.ecosystems} />
      <Facts
        facts={[
          ["ID", <Id key="id" value={id} />],
          ["Created", <Age key="created" at={createdAt} />],
        ]}
      />
    </Section>
  );
}

interface DeletionProps {
  readonly ecosystem: Ecosystem;
  readonly isLast: boolean;
  readonly environments: number;
}

function Deletion({ ecosystem: { id }, isLast, environments }: DeletionProps) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  if (isLast)
    return (
      <Text size="sm" c="dimmed" maw="18rem">
        You cannot delete the account's last ecosystem, except by deleting the account.
      </Text>
    );
  const leave = async () => {
    await navigate({ to: "/places", ignoreBlocker: true });
    queries.removeQueries({ queryKey: ecosystemQuery(api, id).queryKey });
    await queries.invalidateQueries();
  };
  return (
    <Confirm
      label="Delete ecosystem"
      title="Delete ecosystem?"
      act={() => api.ecosystems.delete(id)}
      onDone={() => void leave()}
    >
      Deletes {counted(environments, "environment")} with all hubs, devices and zones in them, and all users, server
      keys and webhooks of the ecosystem. Their tokens stop working at once. This cannot be undone.
    </Confirm>
  );
}
