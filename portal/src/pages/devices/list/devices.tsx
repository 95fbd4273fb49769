/** All devices of an environment, with what tells most of each, as it changes. */
import { Button, Select } from "@mantine/core";
import type { Client, Device, PropertyItem, Zone } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { clientsQuery, devicesQuery, zonesQuery } from "../../../data/queries.ts";
import { valuesQuery } from "../../../data/values.ts";
import { Page, Section } from "../../../kit/display/page.tsx";
import { QueryView } from "../../../kit/display/query-view.tsx";
import { OnlineState } from "../../../kit/display/state.tsx";
import { type Column, DataTable } from "../../../kit/display/table.tsx";
import { Age } from "../../../kit/text/age.tsx";
import { nameOf } from "../../../kit/text/names.ts";
import { useApi } from "../../../session/context.tsx";
import { latestOf } from "../words.ts";
import classes from "./devices.module.css";
import { type DeviceFilters, filtered, zonesOf } from "./filters.ts";
import { NoDevices } from "./no-devices.tsx";
import { TellingValues } from "./telling-values.tsx";

const route = getRouteApi("/inside/environments/$environmentId/devices");

export function DevicesPage() {
  const api = useApi();
  const { environmentId } = route.useParams();
  const devices = useQuery(devicesQuery(api, environmentId));
  const make = (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link to="/environments/$environmentId/devices/new" params={{ environmentId }} {...props} />
      )}
    >
      New virtual device
    </Button>
  );
  return (
    <Page title="Devices" actions={make}>
      <Section title="All devices">
        <QueryView
          query={devices}
          isEmpty={(all) => all.length === 0}
          empty={<NoDevices environmentId={environmentId} />}
        >
          {(all) => <DeviceTable devices={all} environmentId={environmentId} />}
        </QueryView>
      </Section>
    </Page>
  );
}

interface TableProps {
  readonly devices: readonly Device[];
  readonly environmentId: string;
}

function DeviceTable({ devices, environmentId }: TableProps) {
  const api = useApi();
  const filters = route.useSearch();
  const zones = useQuery(zonesQuery(api, environmentId)).data ?? [];
  const hubs = useQuery(clientsQuery(api, environmentId)).data ?? [];
  const values = useQuery(valuesQuery(api, environmentId));
  const columns: Column<Device>[] = [
    { name: "Device", cell: (device) => <DeviceName device={device} /> },
    { name: "State", cell: (device) => <DeviceState device={device} /> },
    {
      name: "Values",
      cell: ({ id }) => <TellingValues items={values.data?.get(id) ?? []} isLoading={values.isPending} />,
    },
    { name: "Zones", cell: ({ id }) => <ZoneLinks zones={zonesOf(id, zones)} /> },
    { name: "Hub", cell: (device) => <HubLink device={device} hubs={hubs} /> },
    { name: "Last report", cell: (device) => <LastReport device={device} items={values.data?.get(device.id) ?? []} /> },
  ];
  return (
    <DataTable
      label="devices"
      rows={filtered(devices, filters, zones)}
      columns={columns}
      idOf={({ id }) => id}
      textOf={textOf}
      filters={<Filters filters={filters} zones={zones} />}
    />
  );
}

/** What a device is found by. */
function textOf(device: Device): string {
  return [device.id, device.alias, device.edgeId, nameOf({ ...device, alias: undefined }), device.meta["$.model"]].join(
    " ",
  );
}

function DeviceName({ device }: { readonly device: Device }) {
  const { id, environmentId, alias, meta, type } = device;
  const told = nameOf({ id: "", meta });
  const beside = [alias !== undefined && told, meta["$.model"]].filter(
    (each) => typeof each === "string" && each !== "",
  );
  return (
    <div className={classes.name}>
      <Link to="/environments/$environmentId/devices/$deviceId" params={{ environmentId, deviceId: id }}>
        <bdi>{nameOf(device)}</bdi>
      </Link>
      <span className={classes.beside}>
        <bdi>{[...new Set(beside), ...(type === "virtual" ? ["virtual"] : [])].join(" · ")}</bdi>
      </span>
    </div>
  );
}

function DeviceState({ device: { connection, type } }: { readonly device: Device }) {
  if (type === "virtual") return <span className={classes.beside}>in the service</span>;
  return <OnlineState connection={connection} />;
}

function ZoneLinks({ zones }: { readonly zones: readonly Zone[] }) {
  return (
    <span className={classes.list}>
      {zones.map((zone) => (
        <Link
          key={zone.id}
          to="/environments/$environmentId/devices"
          params={{ environmentId: zone.environmentId }}
          search={(before) => ({ ...before, zone: zone.id })}
        >
          <bdi>{nameOf(zone)}</bdi>
        </Link>
      ))}
    </span>
  );
}

function HubLink({ device, hubs }: { readonly device: Device; readonly hubs: readonly Client[] }) {
  const { clientId, environmentId } = device;
  if (clientId === undefined) return null;
  const hub = hubs.find(({ id }) => id === clientId) ?? { id: clientId };
  return (
    <Link to="/environments/$environmentId/hubs/$clientId" params={{ environmentId, clientId }}>
      <bdi>{nameOf(hub)}</bdi>
    </Link>
  );
}

/** When it last told a value: one that is online and has nothing new to tell says nothing. */
function LastReport({ device, items }: { readonly device: Device; readonly items: readonly PropertyItem[] }) {
  const at = latestOf(items.map(({ observedAt }) => observedAt));
  return device.type === "physical" && at !== undefined && <Age at={at} />;
}

/** They stand in the address, so that a list can be linked to as it is looked at. */
function Filters({ filters, zones }: { readonly filters: DeviceFilters; readonly zones: readonly Zone[] }) {
  const navigate = route.useNavigate();
  const set = (change: DeviceFilters) =>
    void navigate({ search: { ...filters, ...change }, replace: true, resetScroll: false });
  const known = zones.map((zone) => ({ value: zone.id, label: nameOf(zone) }));
  const gone = filters.zone !== undefined && !zones.some(({ id }) => id === filters.zone);
  return (
    <>
      <Select
        className={classes.filter}
        size="xs"
        aria-label="Zone"
        placeholder="Any zone"
        clearable
        searchable
        data={gone ? [...known, { value: filters.zone ?? "", label: "a zone that is not here" }] : known}
        value={filters.zone ?? null}
        onChange={(zone) => set({ zone: zone ?? undefined })}
      />
      <Select
        className={classes.filter}
        size="xs"
        aria-label="Type"
        placeholder="Any type"
        clearable
        data={["physical", "virtual"]}
        value={filters.type ?? null}
        onChange={(type) => set({ type: type ?? undefined })}
      />
      <Select
        className={classes.filter}
        size="xs"
        aria-label="State"
        placeholder="Any state"
        clearable
        data={["online", "offline", "unknown"]}
        value={filters.state ?? null}
        onChange={(state) => set({ state: state ?? undefined })}
      />
    </>
  );
}
