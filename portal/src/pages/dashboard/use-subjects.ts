/** The devices and properties of a dashboard with their display names. */
import type { Device, ServiceDescriptor } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import type { Subject } from "../../charts/series-subject.ts";
import type { Titles } from "../../data/catalogue.ts";
import { devicesQuery } from "../../data/queries.ts";
import { environmentServicesQuery } from "../../data/services.ts";
import { useTitles } from "../../devices/use-titles.ts";
import { nameOf } from "../../kit/text/names.ts";
import type { Target } from "../../live/target.ts";
import { useApi } from "../../session/context.tsx";

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
