/** All ecosystems of the account with their environments. */
import { Anchor } from "@mantine/core";
import type { Ecosystem, Environment } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ecosystemsQuery, environmentsQuery } from "../../data/queries.ts";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { titleOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import { EnvironmentsTable } from "./environments-table.tsx";
import { NewEcosystem, NewEnvironment } from "./new-place.tsx";

export function PlacesPage() {
  const api = useApi();
  const navigate = useNavigate();
  const ecosystems = useQuery(ecosystemsQuery(api));
  const environments = useQuery(environmentsQuery(api));
  return (
    <Page
      title="Ecosystems"
      lead="An ecosystem holds all data of one product or household, separate from every other. Each of its environments is one home or building."
      actions={
        <NewEcosystem
          onMade={({ id }) => void navigate({ to: "/ecosystems/$ecosystemId", params: { ecosystemId: id } })}
        />
      }
    >
      <QueryView query={ecosystems}>
        {(all) => (
          <QueryView query={environments}>
            {(within) => all.map((each) => <EcosystemSection key={each.id} ecosystem={each} environments={within} />)}
          </QueryView>
        )}
      </QueryView>
    </Page>
  );
}

interface EcosystemSectionProps {
  readonly ecosystem: Ecosystem;
  readonly environments: readonly Environment[];
}

function EcosystemSection({ ecosystem, environments }: EcosystemSectionProps) {
  const { id } = ecosystem;
  return (
    <Section
      title={titleOf(ecosystem, "Ecosystem")}
      lead={<Id value={id} />}
      actions={
        <>
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/ecosystems/$ecosystemId" params={{ ecosystemId: id }} {...props} />}
          >
            Ecosystem settings
          </Anchor>
          <NewEnvironment ecosystemId={id} />
        </>
      }
    >
      <EnvironmentsTable environments={environments.filter(({ ecosystemId }) => ecosystemId === id)} />
    </Section>
  );
}
