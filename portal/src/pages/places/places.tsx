/** All ecosystems of the account with their environments. */
import { Anchor, Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Ecosystem, Environment } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ecosystemsQuery, environmentsQuery } from "../../data/queries.ts";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { type Column, DataTable } from "../../kit/display/table.tsx";
import { ALIAS_ERRORS, AliasInput } from "../../kit/forms/alias-field.tsx";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { Age } from "../../kit/text/age.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { nameOf, titleOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import NewEnvironmentDialog from "./new-environment-dialog.tsx";

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

/** The button that creates an ecosystem. */
function NewEcosystem({ onMade }: { readonly onMade: (made: Ecosystem) => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [alias, setAlias] = useState("");
  const act = async () => {
    const made = await api.ecosystems.create(alias === "" ? {} : { alias });
    await queries.invalidateQueries({ queryKey: ["ecosystems"] });
    return made;
  };
  return (
    <FormDialog
      label="Create ecosystem"
      title="Create ecosystem"
      submitLabel="Create ecosystem"
      variant="default"
      atFields={ALIAS_ERRORS}
      act={act}
      onDone={onMade}
    >
      {(error) => (
        <AliasInput
          label="Name"
          description="Optional. An alias, unique in the account."
          value={alias}
          onChange={setAlias}
          error={error}
        />
      )}
    </FormDialog>
  );
}

/** The button that creates an environment in the ecosystem. */
export function NewEnvironment({ ecosystemId }: { readonly ecosystemId: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Create environment
      </Button>
      {isOpen && <NewEnvironmentDialog ecosystems={[]} ecosystemId={ecosystemId} onClose={close} />}
    </>
  );
}

/** The parts of an environment, with links. */
const PARTS = [
  { label: "Devices", to: "devices" },
  { label: "Zones", to: "zones" },
  { label: "Hubs", to: "hubs" },
] as const;

const COLUMNS: readonly Column<Environment>[] = [
  {
    name: "Name",
    cell: (environment) => (
      <Anchor
        renderRoot={(props) => (
          <Link to="/environments/$environmentId" params={{ environmentId: environment.id }} {...props} />
        )}
      >
        <NameText text={titleOf(environment, "Environment")} />
      </Anchor>
    ),
  },
  { name: "ID", cell: ({ id }) => <Id value={id} /> },
  {
    name: "Open",
    cell: ({ id }) => (
      <Group gap="xs">
        {PARTS.map(({ label, to }) => (
          <Anchor
            key={to}
            className="alone"
            renderRoot={(props) => <Link to={`/environments/${id}/${to}`} {...props} />}
          >
            {label}
          </Anchor>
        ))}
      </Group>
    ),
  },
  { name: "Created", cell: ({ createdAt }) => <Age at={createdAt} /> },
];

export function EnvironmentsTable({ environments }: { readonly environments: readonly Environment[] }) {
  if (environments.length === 0)
    return (
      <Empty title="No environments yet">
        An environment is one home or building, with its hubs, devices and zones.
      </Empty>
    );
  return (
    <DataTable
      label="Environments of the ecosystem"
      rows={environments}
      columns={COLUMNS}
      idOf={({ id }) => id}
      {...(environments.length > 5 && { textOf: (each: Environment) => `${nameOf(each)} ${each.id}` })}
    />
  );
}
