/** The list of an environment's devices, with filters, sorting and selection, and each device's main control in its row. */
import { Button, NativeSelect } from "@mantine/core";
import type { Client, Zone } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { clientsQuery, devicesQuery, zonesQuery } from "../../data/queries.ts";
import { environmentServicesQuery, type ServicesByDevice } from "../../data/services.ts";
import { CAPABILITIES } from "../../devices/capability.ts";
import { Page, Section } from "../../kit/display/page.tsx";
import { Loading, QueryView } from "../../kit/display/query-view.tsx";
import { inverted } from "../../kit/display/table-rows.ts";
import { cut, nameOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import { DeviceTable } from "./device-table.tsx";
import classes from "./devices.module.css";
import { capabilitiesAmong, type DeviceFilters, filtered } from "./filters.ts";

const NoDevices = lazy(() => import("../../devices/no-devices.tsx"));
// Loads when the first device is selected.
const SelectedActions = lazy(() => import("./selected-actions.tsx"));

const route = getRouteApi("/inside/environments/$environmentId/devices");

export function DevicesPage() {
  const api = useApi();
  const { environmentId } = route.useParams();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const devices = useQuery(devicesQuery(api, environmentId));
  const zones = useQuery(zonesQuery(api, environmentId)).data ?? [];
  const hubs = useQuery(clientsQuery(api, environmentId)).data ?? [];
  const services = useQuery(environmentServicesQuery(api, environmentId));
  const set = (change: typeof filters) =>
    void navigate({ search: { ...filters, ...change }, replace: true, resetScroll: false });
  const make = (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link to="/environments/$environmentId/devices/new" params={{ environmentId }} {...props} />
      )}
    >
      Create virtual device
    </Button>
  );
  return (
    <Page title="Devices" actions={devices.data?.length !== 0 && make}>
      <Section title="All devices">
        {services.error && <QueryView query={services}>{() => null}</QueryView>}
        <QueryView
          query={devices}
          isEmpty={(all) => all.length === 0}
          empty={
            <Suspense fallback={<Loading />}>
              <NoDevices environmentId={environmentId} />
            </Suspense>
          }
        >
          {(all) => {
            const chosen = all.filter(({ id }) => selected.has(id));
            return (
              <>
                <DeviceTable
                  devices={filtered(all, filters, { zones, services: services.data })}
                  {...{ zones, hubs, filters }}
                  services={services.data}
                  onChange={set}
                  fields={<FilterFields {...{ filters, zones, hubs }} services={services.data} onChange={set} />}
                  selection={{
                    ids: new Set(chosen.map(({ id }) => id)),
                    onToggle: (ids) => setSelected((before) => inverted(before, ids)),
                  }}
                />
                {chosen.length > 0 && (
                  <Suspense>
                    <SelectedActions
                      {...{ environmentId, zones }}
                      devices={chosen}
                      services={services.data}
                      onClear={() => setSelected(new Set())}
                    />
                  </Suspense>
                )}
              </>
            );
          }}
        </QueryView>
      </Section>
    </Page>
  );
}

interface FilterFieldsProps {
  readonly filters: DeviceFilters;
  readonly zones: readonly Zone[];
  readonly hubs: readonly Client[];
  readonly services: ServicesByDevice | undefined;
  readonly onChange: (change: DeviceFilters) => void;
}

function FilterFields({ filters, zones, hubs, services, onChange }: FilterFieldsProps) {
  const { capability, zone, hub, type, state } = filters;
  const kinds = new Set([...capabilitiesAmong(services), ...(capability ? [capability] : [])]);
  return (
    <>
      <Field
        label="Capability"
        placeholder="Any capability"
        data={[...kinds].map((each) => ({ value: each, label: CAPABILITIES[each].many }))}
        value={capability}
        onChange={(next) => onChange({ capability: [...kinds].find((each) => each === next) })}
      />
      <Field
        label="Zone"
        placeholder="Any zone"
        data={named(zones, zone, "a deleted zone")}
        value={zone}
        onChange={(next) => onChange({ zone: next })}
      />
      {(hubs.length > 1 || hub !== undefined) && (
        <Field
          label="Hub"
          placeholder="Any hub"
          data={named(hubs, hub, "a removed hub")}
          value={hub}
          onChange={(next) => onChange({ hub: next })}
        />
      )}
      <Field
        label="Type"
        placeholder="Any type"
        data={["physical", "virtual"]}
        value={type}
        onChange={(next) => onChange({ type: next === "physical" || next === "virtual" ? next : undefined })}
      />
      <Field
        label="State"
        placeholder="Any state"
        data={STATES}
        value={state}
        onChange={(next) => onChange({ state: STATES.find((each) => each === next) })}
      />
    </>
  );
}

const STATES: ("online" | "offline" | "unknown")[] = ["online", "offline", "unknown"];

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Lists the current choice even when its object no longer exists. */
function named(all: readonly (Zone | Client)[], asked: string | undefined, gone: string): Choice[] {
  const known = all.map((each) => ({ value: each.id, label: cut(nameOf(each), 60) }));
  return asked === undefined || all.some(({ id }) => id === asked) ? known : [...known, { value: asked, label: gone }];
}

interface FieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly data: string[] | Choice[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A native select: it is familiar on phones and needs no script. */
function Field({ label, placeholder, data, value, onChange }: FieldProps) {
  return (
    <NativeSelect
      className={classes.filter}
      size="xs"
      aria-label={label}
      data={[{ value: "", label: placeholder }, ...data]}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? undefined : currentTarget.value)}
    />
  );
}
