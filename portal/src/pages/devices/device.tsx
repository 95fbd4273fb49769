/** The page of a device: its controls, with history and developer details in further tabs. */
import { Button, Stack, Tabs } from "@mantine/core";
import type { Device, ServiceDescriptor } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { catalogueQuery } from "../../data/catalogue.ts";
import { deviceQuery, servicesQuery } from "../../data/queries.ts";
import { iconOf, kindWord } from "../../devices/capability.ts";
import { Icon } from "../../kit/display/icon.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, Loading, QueryView } from "../../kit/display/query-view.tsx";
import { OnlineState, useIsCurrent } from "../../kit/display/state.tsx";
import { Age, clockOf } from "../../kit/text/age.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { nameOf } from "../../kit/text/names.ts";
import { useHistory, useWrites } from "../../live/context.tsx";
import { keyOf } from "../../live/target.ts";
import { useApi } from "../../session/context.tsx";
import type { LogBookScope } from "../log-book/sources.ts";
import { Away } from "./away.tsx";
import { DeviceFacts } from "./device-facts.tsx";
import classes from "./device-lead.module.css";
import { DevicePageProvider } from "./device-page-context.tsx";
import { Card, cardsOf, isOnlyOne } from "./service-card.tsx";
import { serviceKey, stillSo, useRefresh } from "./use-refresh.ts";
import { heard, latestOf } from "./words.ts";

// Lazy, because most visitors need only the controls.
const DeveloperTab = lazy(() => import("./developer-tab.tsx"));
const LogBook = lazy(() => import("../log-book/log-book.tsx"));
const RenameDevicesDialog = lazy(() => import("../../devices/rename-devices-dialog.tsx"));

const route = getRouteApi("/inside/environments/$environmentId/devices/$deviceId");

export function DevicePage() {
  const { deviceId } = route.useParams();
  const device = useQuery(deviceQuery(useApi(), deviceId));
  if (device.data) return <OfDevice device={device.data} answeredAt={device.dataUpdatedAt} key={deviceId} />;
  return (
    <Page title="Device">
      <QueryView query={device}>{() => null}</QueryView>
    </Page>
  );
}

function OfDevice({ device: fetched, answeredAt }: { readonly device: Device; readonly answeredAt: number }) {
  // Polls, because no event reports that a device confirmed an unchanged value, which affects the value's age.
  const services = useQuery({ ...servicesQuery(useApi(), fetched.id), refetchInterval: 20_000 });
  // Wait for the catalogue, so that the titles do not change while the user reads.
  const catalogue = useQuery(catalogueQuery(useApi()));
  const [ttlSeconds, setTtl] = useState<number>();
  const [isRenaming, setRenaming] = useState(false);
  const { tab = "controls" } = route.useSearch();
  const navigate = route.useNavigate();
  const { states, refreshed, refresh, dismiss } = useRefresh(fetched.id);
  const list = services.data?.items ?? [];
  const device = heard(fetched, list);
  const state = device.connection?.state;
  const scope = useMemo(() => logScopeOf(fetched), [fetched]);
  useBeginnings(device.id, list);
  const isAway = state === "unknown";
  const answer = { at: answeredAt, state };
  const heardAt = observedOf(list);
  const isBusy = [...states.values()].some(({ isPending }) => isPending);
  const actions = (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="edit" />}
        aria-haspopup="dialog"
        onClick={() => setRenaming(true)}
      >
        Rename
      </Button>
      {isRenaming && (
        <Suspense>
          <RenameDevicesDialog devices={[device]} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
      <Identify device={device} services={list} ttlSeconds={isAway ? ttlSeconds : undefined} />
      <Button
        variant="default"
        leftSection={<Icon name="refresh" />}
        loading={isBusy}
        onClick={() => refresh(list)}
        disabled={list.length === 0}
      >
        Refresh
      </Button>
    </>
  );
  return (
    <DevicePageProvider page={{ device, answer, heardAt, ttlSeconds: isAway ? ttlSeconds : undefined, refreshed }}>
      <Page
        title={nameOf(device)}
        icon={iconOf(services.data?.items)}
        lead={<DeviceLead device={device} services={list} heardAt={heardAt} />}
        actions={actions}
        aside={<DeviceFacts device={device} />}
      >
        <Away device={device} ttlSeconds={ttlSeconds} onWait={setTtl} />
        <QueryView
          query={{ ...services, isPending: services.isPending || catalogue.isPending }}
          isEmpty={({ items }) => items.length === 0}
          empty={NOTHING}
        >
          {({ items }) => (
            <Tabs
              value={tab}
              onChange={(next) =>
                void navigate({
                  search: { tab: next === "developer" || next === "log" ? next : undefined },
                  replace: true,
                })
              }
              keepMounted={false}
            >
              <Tabs.List mb="lg">
                <Tabs.Tab value="controls">Controls</Tabs.Tab>
                <Tabs.Tab value="log">Log book</Tabs.Tab>
                <Tabs.Tab value="developer">Developer</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="controls">
                <Stack gap="lg">
                  {cardsOf(items).map((services) => (
                    <Card key={services.map(serviceKey).join(" ")} services={services}>
                      {(service) => ({
                        isOnly: isOnlyOne(items, service),
                        refreshState: stillSo(states.get(serviceKey(service)), answer),
                        onDismiss: () => dismiss(service),
                      })}
                    </Card>
                  ))}
                </Stack>
              </Tabs.Panel>
              <Tabs.Panel value="log">
                <Suspense fallback={<Loading />}>
                  <LogBook scope={scope} />
                </Suspense>
              </Tabs.Panel>
              <Tabs.Panel value="developer">
                <Suspense fallback={<Loading />}>
                  <DeveloperTab services={items} />
                </Suspense>
              </Tabs.Panel>
            </Tabs>
          )}
        </QueryView>
      </Page>
    </DevicePageProvider>
  );
}

/** The scope of the device's log book. */
function logScopeOf({ id, ecosystemId, environmentId, clientId }: Device): LogBookScope {
  return { ecosystemId, environmentId, device: { id, hubId: clientId } };
}

/** Time of the latest observation of any value. */
function observedOf(services: readonly ServiceDescriptor[]): string | undefined {
  return latestOf(services.flatMap(({ properties }) => properties.map(({ observedAt }) => observedAt)));
}

const NOTHING = (
  <Section title="Services">
    <Empty title="No services">The device has not announced any services.</Empty>
  </Section>
);

/** Adds the fetched values to the history: as its first points, and after each gap. */
function useBeginnings(deviceId: string, services: readonly ServiceDescriptor[]): void {
  const history = useHistory();
  useEffect(() => {
    // A momentary occurrence has no lasting value.
    for (const { service, index, properties } of services)
      for (const known of properties)
        if (known.access.includes("read"))
          history.seen(keyOf({ deviceId, service, index, property: known.property }), known);
  }, [history, deviceId, services]);
}

interface IdentifyProps {
  readonly device: Device;
  readonly services: readonly ServiceDescriptor[];
  readonly ttlSeconds: number | undefined;
}

/** Makes the device identify itself, for example by blinking. */
function Identify({ device, services, ttlSeconds }: IdentifyProps) {
  const writes = useWrites();
  const found = services.find(({ service }) => service === "Identify");
  const active = found?.properties.find(({ property }) => property === "active");
  if (!found || !active?.access.includes("write")) return null;
  const target = { deviceId: device.id, service: "Identify", index: found.index, property: "active" };
  const isActive = active.value === true;
  return (
    <Button variant="default" onClick={() => writes.ask(target, !isActive, { ttlSeconds })}>
      {isActive ? "Stop identifying" : "Identify"}
    </Button>
  );
}

interface DeviceLeadProps {
  readonly device: Device;
  readonly services: readonly ServiceDescriptor[];
  /** Time of the latest observation of any value. */
  readonly heardAt: string | undefined;
}

/** The text under a device's name: alias, kind, connection, and once for the whole page the age of its values. */
function DeviceLead({ device, services, heardAt }: DeviceLeadProps) {
  const { alias, type, connection } = device;
  const isCurrent = useIsCurrent();
  const kind = kindWord(services);
  return (
    <span className={classes.lead}>
      {alias !== undefined && alias !== nameOf(device) && <NameText text={alias} />}
      {kind !== undefined && <span>{kind}</span>}
      {type === "virtual" ? (
        <span>virtual: its values are kept in the cloud</span>
      ) : (
        <OnlineState connection={connection} />
      )}
      {heardAt !== undefined &&
        (isCurrent ? (
          <span>
            updated <Age at={heardAt} />
          </span>
        ) : (
          <span>as of {clockOf(heardAt)}</span>
        ))}
    </span>
  );
}
