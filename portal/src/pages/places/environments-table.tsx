/** Environments of one ecosystem. */
import { Anchor, Group } from "@mantine/core";
import type { Environment } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import { Id } from "../../kit/display/id.tsx";
import { Empty } from "../../kit/display/query-view.tsx";
import { type Column, DataTable } from "../../kit/display/table.tsx";
import { Age } from "../../kit/text/age.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { nameOf, titleOf } from "../../kit/text/names.ts";

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
