/** The list of an environment's devices, with filters, sorting and selection, and each device's main control in its row. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { clientsQuery, devicesQuery, zonesQuery } from "../../data/queries.ts";
import { environmentServicesQuery } from "../../data/services.ts";
import { Page, Section } from "../../kit/display/page.tsx";
import { Loading, QueryView } from "../../kit/display/query-view.tsx";
import { inverted } from "../../kit/display/table-rows.ts";
import { useApi } from "../../session/context.tsx";
import { DeviceTable } from "./device-table.tsx";
import { FilterFields } from "./filter-fields.tsx";
import { filtered } from "./filters.ts";

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
