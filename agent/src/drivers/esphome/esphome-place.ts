/** Where a device is looked for, how it is reached there, and what is known of it. */
import type { DeviceAbout, DeviceDescription } from "@porchlight/shared/model";
import type { Secret } from "@porchlight/shared/settings";
import type { ByteLink } from "@porchlight/shared/wire";

export interface EspHomeEndpoint {
  readonly host: string;
  readonly port: number;
}

/** Opens a connection. @throws Error that says why it cannot be opened, the signal's reason */
export type OpenEspHome = (endpoint: EspHomeEndpoint, signal: AbortSignal) => Promise<ByteLink>;

/** Where a device is looked for. */
export interface EspHomePlace {
  /** For people, and for logs: the address that the settings name, or the name that is announced. */
  readonly name: string;
  /** Its address now; undefined when it is not announced any more: the line ends with its connection. */
  readonly endpoint: () => EspHomeEndpoint | undefined;
  /** What is announced of it, which nobody has proved. */
  readonly announced: () => AnnouncedEspHome;
  /** Somebody has named it in the settings: that admits it as `all` would. */
  readonly isListed: boolean;
  readonly key?: Secret | undefined;
}

export interface AnnouncedEspHome {
  readonly edgeId?: string | undefined;
  readonly about?: DeviceAbout | undefined;
  readonly encrypts?: boolean | undefined;
}

/** What is known of the device of a line. */
export interface KnownEspHome {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  /** As far as it has been described. */
  readonly services: readonly string[];
}

export interface EspHomeCandidate {
  readonly edgeId: string;
  readonly services: DeviceDescription;
  readonly isSensitive: boolean;
  readonly isListed: boolean;
}

/** Of devices whose settings name no other. */
export const USUAL_PORT = 6053;

/** `esphome 192.0.2.4`; with the port where it is not the usual one. */
export function transportOf({ host, port }: EspHomeEndpoint): string {
  return port === USUAL_PORT ? `esphome ${host}` : `esphome ${host}:${port}`;
}
