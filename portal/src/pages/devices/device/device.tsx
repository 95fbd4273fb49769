/** One device: everything that it can do as controls, and what it is. */
import { Button, Stack } from "@mantine/core";
import type { Device, ServiceDescriptor } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { deviceQuery, servicesQuery } from "../../../data/queries.ts";
import { Icon } from "../../../kit/display/icon.tsx";
import { Page, Section } from "../../../kit/display/page.tsx";
import { Empty, QueryView } from "../../../kit/display/query-view.tsx";
import { OnlineState } from "../../../kit/display/state.tsx";
import { nameOf } from "../../../kit/text/names.ts";
import { useHistory, useWrites } from "../../../live/context.tsx";
import { keyOf } from "../../../live/target.ts";
import { useApi } from "../../../session/context.tsx";
import { Away } from "./away.tsx";
import { DeviceFacts } from "./device-facts.tsx";
import { DevicePageProvider } from "./device-page-context.tsx";
import { RawJson } from "./raw-json.tsx";
import { ServiceCard } from "./service-card.tsx";
import { serviceKey, stillSo, useRefresh } from "./use-refresh.ts";

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

function OfDevice({ device, answeredAt }: { readonly device: Device; readonly answeredAt: number }) {
  // What a device confirms anew without a change is no event, so its age is asked for.
  const services = useQuery({ ...servicesQuery(useApi(), device.id), refetchInterval: 20_000 });
  const [ttlSeconds, setTtl] = useState<number>();
  const state = device.connection?.state;
  const { states, refreshed, refresh, dismiss } = useRefresh(device.id);
  const list = services.data?.items ?? [];
  useBeginnings(device.id, list);
  const isAway = state === "unknown";
  const answer = { at: answeredAt, state };
  const isBusy = [...states.values()].some(({ isPending }) => isPending);
  const actions = (
    <>
      <Identify device={device} services={list} ttlSeconds={isAway ? ttlSeconds : undefined} />
      <Button
        variant="default"
        leftSection={<Icon name="refresh" />}
        loading={isBusy}
        onClick={() => refresh(list)}
        disabled={list.length === 0}
      >
        Refresh all
      </Button>
    </>
  );
  const isVirtual = device.type === "virtual";
  const lead = isVirtual ? (
    "A virtual device: its values live in the service."
  ) : (
    <OnlineState connection={device.connection} />
  );
  return (
    <DevicePageProvider page={{ device, answer, ttlSeconds: isAway ? ttlSeconds : undefined, refreshed }}>
      <Page title={nameOf(device)} lead={lead} actions={actions} aside={<DeviceFacts device={device} />}>
        <Away device={device} ttlSeconds={ttlSeconds} onWait={setTtl} />
        <QueryView query={services} isEmpty={({ items }) => items.length === 0} empty={NOTHING}>
          {({ items }) => (
            <Stack gap="lg">
              {items.map((service) => (
                <ServiceCard
                  key={serviceKey(service)}
                  service={service}
                  isOnly={items.filter((each) => each.service === service.service).length === 1}
                  refreshState={stillSo(states.get(serviceKey(service)), answer)}
                  onRefresh={() => refresh([service])}
                  onDismiss={() => dismiss(service)}
                />
              ))}
              <RawJson device={device} services={items} />
            </Stack>
          )}
        </QueryView>
      </Page>
    </DevicePageProvider>
  );
}

const NOTHING = (
  <Section title="Services">
    <Empty title="No services">The device has announced nothing that it can do.</Empty>
  </Section>
);

/** What was fetched is where a history begins, and where it goes on after a time in which nothing was told. */
function useBeginnings(deviceId: string, services: readonly ServiceDescriptor[]): void {
  const history = useHistory();
  useEffect(() => {
    // What happens and is over does not hold on.
    for (const { service, index, properties } of services)
      for (const { property, value, access } of properties)
        if (access.includes("read")) history.seen(keyOf({ deviceId, service, index, property }), value);
  }, [history, deviceId, services]);
}

interface IdentifyProps {
  readonly device: Device;
  readonly services: readonly ServiceDescriptor[];
  readonly ttlSeconds: number | undefined;
}

/** Makes the device show itself: it blinks, for example. */
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
