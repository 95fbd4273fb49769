/** The table of devices. */
import type { Client, Device, Zone } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ServicesByDevice } from "../../data/services.ts";
import { iconOf, kindWord } from "../../devices/capability.ts";
import { servicesFor } from "../../devices/device-tiles.tsx";
import { mainControlsOf, shownBy } from "../../devices/main-control.ts";
import { MainControl } from "../../devices/main-control-view.tsx";
import { TellingValues } from "../../devices/telling-values.tsx";
import { Icon } from "../../kit/display/icon.tsx";
import { OnlineState } from "../../kit/display/state.tsx";
import { type Column, DataTable } from "../../kit/display/table.tsx";
import type { Selection } from "../../kit/display/table-rows.ts";
import { Age } from "../../kit/text/age.tsx";
import { Name, NameText } from "../../kit/text/name.tsx";
import { nameOf } from "../../kit/text/names.ts";
import classes from "./devices.module.css";
import { type DeviceFilters, zonesOf } from "./filters.ts";
import { latestOf } from "./words.ts";

interface DeviceTableProps {
  readonly devices: readonly Device[];
  readonly zones: readonly Zone[];
  readonly hubs: readonly Client[];
  /** Undefined while they load. */
  readonly services: ServicesByDevice | undefined;
  readonly filters: DeviceFilters;
  readonly onChange: (change: DeviceFilters) => void;
  readonly fields: ReactNode;
  readonly selection: Selection;
}

export function DeviceTable({
  devices,
  zones,
  hubs,
  services,
  filters,
  onChange,
  fields,
  selection,
}: DeviceTableProps) {
  const of = (id: string) => servicesFor(services, id);
  const reportedAt = ({ id, type }: Device) =>
    type === "physical"
      ? latestOf((of(id) ?? []).flatMap(({ properties }) => properties.map((each) => each.observedAt)))
      : undefined;
  const zoneNames = ({ id }: Device) => zonesOf(id, zones).map((zone) => nameOf(zone));
  const hubName = ({ clientId }: Device) =>
    clientId && nameOf(hubs.find(({ id }) => id === clientId) ?? { id: clientId });
  const columns: Column<Device>[] = [
    { name: "Device", sortBy: nameOf, cell: (device) => <DeviceName device={device} services={of(device.id)} /> },
    {
      name: "Control",
      cell: (device) => {
        const own = of(device.id);
        return own && hasControl(device.id, own) && <MainControl device={device} services={own} />;
      },
    },
    {
      name: "Values",
      cell: ({ id }) => <TellingValues services={of(id)} without={shownBy(mainControlsOf(id, of(id) ?? []))} />,
    },
    { name: "State", sortBy: stateOf, cell: (device) => <DeviceState device={device} /> },
    {
      name: "Zones",
      sortBy: (device) => zoneNames(device)[0],
      cell: ({ id }) => <ZoneLinks zones={zonesOf(id, zones)} />,
    },
    { name: "Hub", sortBy: hubName, cell: (device) => <HubLink device={device} name={hubName(device)} /> },
    {
      name: "Last report",
      sortBy: reportedAt,
      cell: (device) => {
        const at = reportedAt(device);
        return at !== undefined && <Age at={at} />;
      },
    },
  ];
  const { sort } = filters;
  const by = columns.find(({ name }) => name.toLowerCase() === sort?.replace(/^-/, ""))?.name;
  return (
    <DataTable
      label="devices"
      rows={devices}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={nameOf}
      textOf={textOf}
      text={{ value: filters.text ?? "", onChange: (text) => onChange({ text: text || undefined }) }}
      filters={fields}
      selection={selection}
      sorting={{
        ...(by !== undefined && { by, isDescending: sort?.startsWith("-") ?? false }),
        onSort: (order) => onChange({ sort: `${order.isDescending ? "-" : ""}${order.by.toLowerCase()}` }),
      }}
    />
  );
}

function hasControl(id: string, services: NonNullable<ReturnType<typeof servicesFor>>): boolean {
  const { toggles, level } = mainControlsOf(id, services);
  return toggles.length > 0 || level !== undefined;
}

/** The sort key of the state column: devices with problems come first. */
function stateOf({ connection, type }: Device): string {
  if (type === "virtual") return "4 virtual";
  return { offline: "1 offline", unknown: "2 unknown", online: "3 online" }[connection?.state ?? "unknown"];
}

/** The text that the filter searches: all names and IDs of the device. */
function textOf(device: Device): string {
  const { id, alias, edgeId, meta } = device;
  return [id, alias, edgeId, nameOf(device), meta["$.model"], meta["$.manufacturer"]].join(" ");
}

interface DeviceNameProps {
  readonly device: Device;
  readonly services: ReturnType<typeof servicesFor>;
}

function DeviceName({ device, services }: DeviceNameProps) {
  const { id, environmentId, alias, meta, type } = device;
  const name = nameOf(device);
  const model = meta["$.model"];
  const beside = [
    alias !== name && alias,
    typeof model === "string" && model !== "" ? model : services && kindWord(services),
    type === "virtual" && "virtual",
  ];
  return (
    <div className={classes.device}>
      <span className={classes.icon}>
        <Icon name={iconOf(services)} />
      </span>
      <div className={classes.name}>
        <Link
          to="/environments/$environmentId/devices/$deviceId"
          params={{ environmentId, deviceId: id }}
          title={name}
          className="alone"
        >
          <NameText text={name} />
        </Link>
        <span className={classes.beside}>
          <NameText text={beside.filter((each) => typeof each === "string").join(" · ")} />
        </span>
      </div>
    </div>
  );
}

function DeviceState({ device: { connection, type } }: { readonly device: Device }) {
  if (type === "virtual") return <span className={classes.beside}>in the cloud</span>;
  return <OnlineState connection={connection} />;
}

function ZoneLinks({ zones }: { readonly zones: readonly Zone[] }) {
  if (zones.length === 0) return null;
  return (
    <span className={classes.list}>
      {zones.map((zone) => (
        <Link
          key={zone.id}
          to="/environments/$environmentId/devices"
          params={{ environmentId: zone.environmentId }}
          search={(before) => ({ ...before, zone: zone.id })}
          className="alone"
        >
          <Name of={zone} />
        </Link>
      ))}
    </span>
  );
}

function HubLink({ device, name }: { readonly device: Device; readonly name: string | undefined }) {
  const { clientId, environmentId } = device;
  if (clientId === undefined) return null;
  return (
    <Link to="/environments/$environmentId/hubs/$clientId" params={{ environmentId, clientId }} className="alone">
      <NameText text={name ?? clientId} />
    </Link>
  );
}
