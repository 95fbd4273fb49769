/**
 * One connection to a device at its address: identify, open, describe, and keep until it ends. Apart from the session, because a sleeping
 * device opens the channel itself.
 */
import {
  type DeviceAddresses,
  type DeviceLine,
  type DevicePlace,
  type DriverHost,
  describedServices,
  edgeIdOfEui,
  type KnownDevice,
  type LineConnection,
  serviceNames,
} from "@porchlight/driver-kit";
import type { Clock, Random } from "@porchlight/shared/kernel";
import type { Secret } from "@porchlight/shared/settings";
import type { DeviceInfo } from "./description/describe.ts";
import { placedShelly } from "./description/place.ts";
import type { ShellyDescription } from "./description/shelly-property.ts";
import { DeviceSession, type SessionCounters } from "./device-session.ts";
import { type ShellyCounters, ShellyDevice } from "./shelly-device.ts";
import { shellyOf, Trouble } from "./trouble.ts";
import type { ShellyEndpoint, ShellyNetwork } from "./web-socket.ts";

export interface ShellyPlace extends DevicePlace {
  readonly password?: Secret | undefined;
}

export type ShellyLine = DeviceLine<ShellyDevice, Trouble, ShellyPlace>;
type Connection = LineConnection<ShellyDevice, ShellyPlace>;

export interface ShellyConnectionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly host: DriverHost;
  readonly network: ShellyNetwork;
  readonly src: string;
  readonly counters: SessionCounters & ShellyCounters;
  /** Assigns the stored addresses to a device's properties. */
  readonly place: DeviceAddresses["place"];
  readonly passwordOf: (edgeId: string) => Secret | undefined;
  /** Called for a sleeping device, which cannot stay connected. @throws Trouble, always */
  readonly sleeps: () => never;
}

/** @throws Trouble, and the reason why the session ended: why there is no connection, or no longer one */
export async function connectShelly(connection: Connection, deps: ShellyConnectionDeps): Promise<never> {
  const { endpoint, place } = connection;
  const info = shellyOf(await connection.timely((until) => deps.network.introduce(endpoint, until)));
  const { edgeId } = noted(connection, info);
  connection.claim(edgeId);
  connection.admit({ edgeId, services: [], isSensitive: false });
  const password = place.password ?? deps.passwordOf(edgeId);
  if (info.auth_en && !password) throw new Trouble("needs_password", "It needs its password.");
  const redescribed = (description: ShellyDescription) => {
    if (isRedescribed(connection, description, deps)) return;
    session[Symbol.dispose]();
  };
  const { clock, random, src, counters, network } = deps;
  const opening = connection.timely((until) =>
    DeviceSession.start({ clock, random, src, info, password, counters, redescribed }, (events) =>
      network.open(endpoint, events, until),
    ),
  );
  using session = await opening;
  using _closing = connection.closing(() => session[Symbol.dispose]());
  const description = await session.describe();
  connection.note(knownOf(description));
  connection.admit(candidateOf(description));
  if (description.wakeupMs !== undefined) deps.sleeps();
  const device = new ShellyDevice(placedShelly(description, deps.place), transportOf(endpoint), deps);
  session.follow(device);
  return await connection.live(device, session.closed);
}

/** Returns false when the new description no longer lets the hub have the device. */
function isRedescribed(
  connection: Connection,
  description: ShellyDescription,
  { place }: Pick<ShellyConnectionDeps, "place">,
): boolean {
  if (!connection.device) return true;
  connection.note(knownOf(description));
  if (connection.standing(candidateOf(description)) !== "admitted") return false;
  connection.redescribed((device) => device.describe(placedShelly(description, place)));
  return true;
}

function noted(connection: Connection, info: DeviceInfo): KnownDevice {
  const edgeId = edgeIdOfEui(info.mac) ?? "";
  const about = { manufacturer: "Shelly", model: info.app ?? info.model, name: info.name ?? undefined };
  const known = connection.known?.edgeId === edgeId ? connection.known : { edgeId, about, services: [] };
  connection.note(known);
  return known;
}

function knownOf({ edgeId, about, properties }: ShellyDescription): KnownDevice {
  return { edgeId, about, services: serviceNames(describedServices(properties)) };
}

function candidateOf({ edgeId, properties }: ShellyDescription) {
  return { edgeId, services: describedServices(properties), isSensitive: false };
}

/** `shelly 192.0.2.4`, with the port unless it is 80. */
function transportOf({ host, port }: ShellyEndpoint): string {
  return port === 80 ? `shelly ${host}` : `shelly ${host}:${port}`;
}
