/** Shared state of all controls on a device's page: the device, the write options, and the values read from the device itself. */
import type { Device, PropertyDescriptor } from "@porchlight/shared/api";
import { createContext, type ReactNode, use } from "react";
import { useWritten, type Written } from "../../devices/main-control-view.tsx";
import { keyOf, type Target } from "../../live/target.ts";
import type { LaterAnswer } from "../../live/writes.ts";

interface DevicePageContext {
  readonly device: Device;
  /** The service's latest response about the device. */
  readonly answer: LaterAnswer;
  /** Time of the latest observation of any of its values; undefined without one. */
  readonly heardAt: string | undefined;
  /** How many seconds a change waits for an offline hub; undefined: it takes effect at once or fails. */
  readonly ttlSeconds: number | undefined;
  /** `observedAt` of the properties that this page has read from the device, by key. */
  readonly refreshed: ReadonlyMap<string, string>;
}

const PageContext = createContext<DevicePageContext | undefined>(undefined);

export function DevicePageProvider({
  page,
  children,
}: {
  readonly page: DevicePageContext;
  readonly children: ReactNode;
}) {
  return <PageContext value={page}>{children}</PageContext>;
}

export function useDevicePage(): DevicePageContext {
  const page = use(PageContext);
  if (!page) throw new Error("There is no DevicePageProvider above this component.");
  return page;
}

export interface Property extends Written {
  /** True when this page read the value from the device; false when the value is the service's stored one. */
  readonly isRefreshed: boolean;
}

/** The displayed state of a property and the function that sets it. */
export function useProperty(target: Target, descriptor: PropertyDescriptor): Property {
  const { device, ttlSeconds, refreshed } = useDevicePage();
  const written = useWritten(device, target, descriptor, ttlSeconds);
  const { observedAt } = written.known;
  return { ...written, isRefreshed: observedAt !== undefined && refreshed.get(keyOf(target)) === observedAt };
}
