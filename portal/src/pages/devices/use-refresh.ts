/** Refreshes the values from the device, service by service, and reports the properties that could not be read. */
import { isPorchlightError } from "@porchlight/sdk";
import type { PropertyFailure, ServiceDescriptor, ServiceList } from "@porchlight/shared/api";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { withValue } from "../../data/services.ts";
import { lookAround } from "../../live/context.tsx";
import { keyOf } from "../../live/target.ts";
import { isContradicted, isOfReach, type LaterAnswer } from "../../live/writes.ts";
import { useAccess } from "../../session/context.tsx";

/** The state of a service's last refresh. */
export interface RefreshState {
  readonly isPending: boolean;
  /** Failures of single properties. */
  readonly failures: readonly PropertyFailure[];
  /** The error of a refresh that read no property. */
  readonly error: unknown;
  /** Time of the refresh by the browser's clock, in ms since 1970. */
  readonly at: number;
}

interface Refreshing {
  readonly states: ReadonlyMap<string, RefreshState>;
  /** `observedAt` of the refreshed values, by property key. */
  readonly refreshed: ReadonlyMap<string, string>;
  readonly refresh: (services: readonly ServiceDescriptor[]) => void;
  readonly dismiss: (service: ServiceDescriptor) => void;
}

export function serviceKey({ service, index }: Pick<ServiceDescriptor, "service" | "index">): string {
  return `${service}:${index}`;
}

function canRefresh({ properties }: ServiceDescriptor): boolean {
  return properties.some(({ access }) => access.includes("read"));
}

/** The part of a refresh result that the service's later response does not contradict; undefined when nothing remains. */
export function stillSo(state: RefreshState | undefined, later: LaterAnswer): RefreshState | undefined {
  if (!state || state.isPending) return state;
  const { failures, error, at } = state;
  if (error !== undefined) return isContradicted(nameOfError(error), at, later) ? undefined : state;
  const left = failures.filter(({ name }) => !isContradicted(name, at, later));
  return left.length === 0 ? undefined : { ...state, failures: left };
}

function nameOfError(error: unknown): string {
  return isPorchlightError(error) ? error.name : "";
}

export function useRefresh(deviceId: string): Refreshing {
  const { direct } = useAccess();
  const queries = useQueryClient();
  const [states, setStates] = useState<ReadonlyMap<string, RefreshState>>(new Map());
  const [refreshed, setRefreshed] = useState<ReadonlyMap<string, string>>(new Map());
  const put = (key: string, state: RefreshState | undefined) =>
    setStates((before) => {
      const after = new Map(before);
      if (state) after.set(key, state);
      else after.delete(key);
      return after;
    });
  const one = async (service: ServiceDescriptor) => {
    const key = serviceKey(service);
    put(key, { isPending: true, failures: [], error: undefined, at: Date.now() });
    try {
      const { items, failures = [] } = await direct.devices.properties(deviceId, key, { refresh: true });
      for (const item of items)
        queries.setQueryData<ServiceList>(["services", deviceId], (list) => list && withValue(list, item));
      setRefreshed(
        (before) => new Map([...before, ...items.map((item) => [keyOf(item), item.observedAt ?? ""] as const)]),
      );
      if (failures.some(({ name }) => isOfReach(name))) lookAround(queries);
      put(key, failures.length > 0 ? { isPending: false, failures, error: undefined, at: Date.now() } : undefined);
    } catch (error) {
      if (isPorchlightError(error) && isOfReach(error.name)) lookAround(queries);
      put(key, { isPending: false, failures: [], error, at: Date.now() });
    }
  };
  const refresh = (services: readonly ServiceDescriptor[]) => {
    for (const service of services.filter(canRefresh)) void one(service);
  };
  return { states, refreshed, refresh, dismiss: (service) => put(serviceKey(service), undefined) };
}
