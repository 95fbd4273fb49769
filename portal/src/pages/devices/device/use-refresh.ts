/** Asking a device for its values now, service by service, and what could not be read. */
import type { PropertyFailure, ServiceDescriptor, ServiceList } from "@porchlight/shared/api";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { withValue } from "../../../live/changes.ts";
import { keyOf } from "../../../live/target.ts";
import { useAccess } from "../../../session/context.tsx";

/** How the last refresh of a service went. */
export interface RefreshState {
  readonly isPending: boolean;
  /** Of some properties. */
  readonly failures: readonly PropertyFailure[];
  /** Nothing of it was read. */
  readonly error: unknown;
}

export interface Refreshing {
  readonly states: ReadonlyMap<string, RefreshState>;
  /** `observedAt` of what was read, by the property's key. */
  readonly refreshed: ReadonlyMap<string, string>;
  readonly refresh: (services: readonly ServiceDescriptor[]) => void;
  readonly dismiss: (service: ServiceDescriptor) => void;
}

export function serviceKey({ service, index }: Pick<ServiceDescriptor, "service" | "index">): string {
  return `${service}:${index}`;
}

export function canRefresh({ properties }: ServiceDescriptor): boolean {
  return properties.some(({ access }) => access.includes("read"));
}

/** @param isOnline when it becomes so, what could not be read before is said no more: that the hub is away would not be true */
export function useRefresh(deviceId: string, isOnline: boolean): Refreshing {
  const { direct } = useAccess();
  const queries = useQueryClient();
  const [states, setStates] = useState<ReadonlyMap<string, RefreshState>>(new Map());
  const [refreshed, setRefreshed] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (isOnline) setStates((before) => new Map([...before].filter(([, { isPending }]) => isPending)));
  }, [isOnline]);
  const put = (key: string, state: RefreshState | undefined) =>
    setStates((before) => {
      const after = new Map(before);
      if (state) after.set(key, state);
      else after.delete(key);
      return after;
    });
  const one = async (service: ServiceDescriptor) => {
    const key = serviceKey(service);
    put(key, { isPending: true, failures: [], error: undefined });
    try {
      const { items, failures = [] } = await direct.devices.properties(deviceId, key, { refresh: true });
      for (const item of items)
        queries.setQueryData<ServiceList>(["services", deviceId], (list) => list && withValue(list, item));
      setRefreshed(
        (before) => new Map([...before, ...items.map((item) => [keyOf(item), item.observedAt ?? ""] as const)]),
      );
      put(key, failures.length > 0 ? { isPending: false, failures, error: undefined } : undefined);
    } catch (error) {
      put(key, { isPending: false, failures: [], error });
    }
  };
  const refresh = (services: readonly ServiceDescriptor[]) => {
    for (const service of services.filter(canRefresh)) void one(service);
  };
  return { states, refreshed, refresh, dismiss: (service) => put(serviceKey(service), undefined) };
}
