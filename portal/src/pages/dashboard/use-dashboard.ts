/**
 * The displayed dashboard, whose changes are shown at once and reverted when the service refuses, and the devices and properties that
 * its cards can show.
 */
import type { Device, Environment, ServiceDescriptor } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Subject } from "../../charts/series-subject.ts";
import type { Titles } from "../../data/catalogue.ts";
import { environmentQuery } from "../../data/places.ts";
import { devicesQuery } from "../../data/queries.ts";
import { environmentServicesQuery } from "../../data/services.ts";
import { useTitles } from "../../devices/use-titles.ts";
import { nameOf } from "../../kit/text/names.ts";
import type { Target } from "../../live/target.ts";
import { useAccess, useApi } from "../../session/context.tsx";
import { changeDashboard, type Dashboard, type DashboardChange, dashboardOf, withDashboard } from "./cards.ts";

interface DashboardState {
  readonly environment: Environment | undefined;
  readonly dashboard: Dashboard;
  readonly change: (change: DashboardChange) => void;
  /** Settles when the change is saved. */
  readonly changeAsync: (change: DashboardChange) => Promise<void>;
  /** The error of the last change. */
  readonly error: Error | null;
  readonly forget: () => void;
  readonly query: {
    readonly data: Environment | undefined;
    readonly error: Error | null;
    readonly isPending: boolean;
    readonly refetch: () => unknown;
  };
}

const NONE: Dashboard = { cards: [], unread: [] };

/** Changes are shown at once, and reverted when the service refuses. */
export function useDashboard(environmentId: string): DashboardState {
  const { api, direct } = useAccess();
  const queries = useQueryClient();
  const asked = environmentQuery(api, environmentId);
  const query = useQuery(asked);
  const { mutate, mutateAsync, error, reset } = useMutation({
    mutationFn: (change: DashboardChange) => changeDashboard(direct.environments, environmentId, change),
    // Changes run one after the other, because each one applies to the result of the previous one.
    scope: { id: `dashboard ${environmentId}` },
    onMutate: async (change) => {
      await queries.cancelQueries({ queryKey: asked.queryKey });
      queries.setQueryData(asked.queryKey, (known) => known && changed(known, change));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: asked.queryKey }),
  });
  return {
    ...{ query, environment: query.data, dashboard: query.data ? dashboardOf(query.data.meta) : NONE },
    ...{ change: mutate, changeAsync: mutateAsync, error, forget: reset },
  };
}

function changed(environment: Environment, change: DashboardChange): Environment {
  return { ...environment, meta: withDashboard(environment.meta, change(dashboardOf(environment.meta))) };
}

/** A random card ID, so that two people who add cards at once get different IDs. */
export function newCardId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export interface Things {
  readonly isPending: boolean;
  readonly devices: readonly Device[];
  readonly servicesOf: (deviceId: string) => readonly ServiceDescriptor[];
  readonly titles: Titles;
}

export function useThings(environmentId: string): Things {
  const api = useApi();
  const devices = useQuery(devicesQuery(api, environmentId));
  const services = useQuery(environmentServicesQuery(api, environmentId));
  const titles = useTitles();
  return {
    isPending: devices.isPending || services.isPending,
    devices: devices.data ?? [],
    servicesOf: (deviceId) => services.data?.get(deviceId)?.items ?? [],
    titles,
  };
}

/** The display name of a property within its device: "Fan: Power". */
export function propertyName({ titles, servicesOf }: Things, { deviceId, service, index, property }: Target): string {
  const isOnly = servicesOf(deviceId).filter((each) => each.service === service).length <= 1;
  const title = `${titles.ofClass(service)}${isOnly ? "" : ` ${index}`}`;
  const own = titles.ofProperty(service, property);
  return own === title ? own : `${title}: ${own}`;
}

export function descriptorOf({ servicesOf }: Things, { deviceId, service, index, property }: Target) {
  const found = servicesOf(deviceId).find((each) => each.service === service && each.index === index);
  return found?.properties.find((each) => each.property === property);
}

/** The property as a chart subject; undefined when it no longer exists. @param withDevice prefix the device's name */
export function subjectOf(things: Things, target: Target, withDevice: boolean): Subject | undefined {
  const device = things.devices.find(({ id }) => id === target.deviceId);
  if (!device) return undefined;
  const own = propertyName(things, target);
  const { id, clientId, connection } = device;
  return {
    target,
    name: withDevice ? `${nameOf(device)}: ${own}` : own,
    descriptor: descriptorOf(things, target),
    device: { id, clientId, connection },
  };
}
