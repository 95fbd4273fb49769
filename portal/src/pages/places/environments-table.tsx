/** Environments of one ecosystem. */
import { Anchor } from "@mantine/core";
import type { Environment } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import { Id } from "../../kit/display/id.tsx";
import { Empty } from "../../kit/display/query-view.tsx";
import { type Column, DataTable } from "../../kit/display/table.tsx";
import { Age } from "../../kit/text/age.tsx";
import { nameOf, titleOf } from "../../kit/text/names.ts";

const COLUMNS: readonly Column<Environment>[] = [
  {
    name: "Name",
    cell: (environment) => (
      <Anchor
        renderRoot={(props) => (
          <Link to="/environments/$environmentId" params={{ environmentId: environment.id }} {...props} />
        )}
      >
        <bdi>{titleOf(environment, "Environment")}</bdi>
      </Anchor>
    ),
  },
  { name: "ID", cell: ({ id }) => <Id value={id} /> },
  {
    name: "Open",
    cell: ({ id }) => (
      <>
        <Anchor renderRoot={(props) => <Link to={`/environments/${id}/devices`} {...props} />}>Devices</Anchor>
        {" · "}
        <Anchor renderRoot={(props) => <Link to={`/environments/${id}/zones`} {...props} />}>Zones</Anchor>
        {" · "}
        <Anchor renderRoot={(props) => <Link to={`/environments/${id}/hubs`} {...props} />}>Hubs</Anchor>
      </>
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
