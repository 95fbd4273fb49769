/**
 * One connection to a device at its address: set up, identify, describe, and keep until it ends.
 *
 * Invariants: nothing is asked of a device that has not been admitted; a device with a key is never addressed without it.
 */
import {
  type DeviceLine,
  type DevicePlace,
  type DriverHost,
  describedServices,
  edgeIdOfEui,
  type LineConnection,
  SHARED_TROUBLES,
  serviceNames,
} from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import type { DeviceAbout } from "@porchlight/shared/model";
import type { Secret } from "@porchlight/shared/settings";
import type { ByteLink } from "@porchlight/shared/wire";
import { aboutEspHome } from "./description/describe.ts";
import type { EspHomeDescription } from "./description/esphome-property.ts";
import { type EspHomeCounters, EspHomeDevice } from "./esphome-device.ts";
import type { KeptDevices } from "./kept-devices.ts";
import { EspHomeTrouble, espHomeTroubleOf } from "./trouble.ts";
import { EspHomeChannel, type WireCounters } from "./wire/esphome-channel.ts";
import { askIntroduction } from "./wire/noise.ts";

export type EspHomeLine = DeviceLine<EspHomeDevice, EspHomeTrouble, EspHomePlace>;
type Connection = LineConnection<EspHomeDevice, EspHomePlace>;
type Line = Pick<EspHomeLine, "place" | "known">;

export interface EspHomeConnectionDeps {
  readonly clock: Clock;
  readonly host: DriverHost;
  readonly open: OpenEspHome;
  readonly clientName: string;
  readonly counters: WireCounters & EspHomeCounters;
  /** The key that a person entered. @param of edgeId, or the name of the place while the edgeId is unknown */
  readonly keyOf: (of: string) => Secret | undefined;
  /** Describes the device, with the stored addresses of its entities. */
  readonly describe: (channel: EspHomeChannel) => EspHomeDescription;
  readonly kept: Pick<KeptDevices, "firstAt" | "knownAt" | "sleeps">;
}

/** Longest wait for the first states before the device is offered without them, ms. */
const FIRST_STATES_MS = 2000;

/** @throws EspHomeTrouble, WireProblem, and what opening throws: why there is no connection, or no longer one */
export async function connectEspHome(connection: Connection, deps: EspHomeConnectionDeps): Promise<never> {
  try {
    return await connected(connection, deps);
  } catch (failure) {
    if (espHomeTroubleOf(failure).kind !== "needs_key" || connection.known) throw failure;
    await introduced(connection, deps);
    // The edgeId is known now, so a stored key may match.
    if (!keyOf(connection, deps)) throw failure;
    return await connected(connection, deps);
  }
}

/** Trouble for the end of a connection; a sleeping device counts as asleep, not as missing. */
export function troubleOfLine(failure: unknown, { place, known }: Line, kept: EspHomeConnectionDeps["kept"]) {
  const trouble = espHomeTroubleOf(failure);
  const edgeId = known?.edgeId ?? kept.knownAt(place.name);
  const maySleep = trouble.kind === "not_reached" || trouble.kind === "too_many_connections";
  if (!maySleep || edgeId === undefined || !kept.sleeps(edgeId)) return trouble;
  return new EspHomeTrouble("asleep", "It is asleep and wakes by itself.");
}

/** Name under which the device's key is stored. */
export function keyNameOf({ place, known }: Line): string {
  return known?.edgeId ?? place.name;
}

async function connected(connection: Connection, deps: EspHomeConnectionDeps): Promise<never> {
  noteAnnounced(connection, deps);
  const { endpoint } = connection;
  const { clock, counters, clientName } = deps;
  const key = keyOf(connection, deps);
  const wire = { clock, counters, clientName, key: key && Buffer.from(key.reveal(), "base64") };
  const channel = await connection.timely(async (until) =>
    EspHomeChannel.over(wire, await deps.open(endpoint, until), until),
  );
  using _closing = connection.closing(() => channel.close());
  const description = described(connection, channel, deps);
  connection.claim(description.edgeId);
  connection.admit(candidateOf(description));
  using device = new EspHomeDevice(description, transportOf(endpoint), channel, deps);
  await device.firstStates({ deadline: clock.monotonic() + FIRST_STATES_MS });
  if (channel.isClosed) throw await channel.closed;
  return await connection.live(device, channel.closed);
}

/** Stops early when the announcement alone shows that the hub may not have the device. @throws EspHomeTrouble */
function noteAnnounced(connection: Connection, deps: EspHomeConnectionDeps): void {
  const { edgeId, about = {}, encrypts = false } = connection.place.announced();
  if (edgeId === undefined) return;
  if (connection.known?.edgeId !== edgeId) connection.note({ edgeId, about, services: [] });
  const standing = connection.standing({ edgeId, services: [], isSensitive: false });
  if (standing === "notAdmitted") throw new EspHomeTrouble(...SHARED_TROUBLES.not_admitted);
  if (encrypts && !keyOf(connection, deps)) throw new EspHomeTrouble("needs_key", "It needs its encryption key.");
}

/** @throws EspHomeTrouble when another device than the expected one answers */
function described(
  connection: Connection,
  channel: EspHomeChannel,
  { describe, kept }: EspHomeConnectionDeps,
): EspHomeDescription {
  const { place } = connection;
  const edgeId = edgeIdOfEui(channel.info.mac);
  if (edgeId === undefined) throw new EspHomeTrouble("no_mac", "It does not report its MAC address.");
  const { edgeId: wanted } = place.announced();
  const expected = wanted ?? (place.isListed ? kept.firstAt(place.name, edgeId) : edgeId);
  connection.note({ edgeId, about: aboutEspHome(channel.info), services: [] });
  if (expected !== edgeId && !connection.isChosen(edgeId))
    throw new EspHomeTrouble("other_device", `A different device answers there (${edgeId}) than ${expected}.`);
  const description = describe(channel);
  const { about, properties } = description;
  connection.note({ edgeId, about, services: serviceNames(describedServices(properties)) });
  return description;
}

/** Reads the name and MAC address, which an encrypted device sends without a key. */
async function introduced(connection: Connection, { open }: EspHomeConnectionDeps): Promise<void> {
  try {
    const { name, mac = "" } = await connection.timely(async (until) =>
      askIntroduction(await open(connection.endpoint, until), until),
    );
    const edgeId = edgeIdOfEui(mac);
    if (edgeId !== undefined) connection.note({ edgeId, about: { manufacturer: "ESPHome", name }, services: [] });
  } catch {
    // The device then keeps the name of its place.
  }
}

function keyOf(line: Line, { keyOf: given }: EspHomeConnectionDeps): Secret | undefined {
  return line.place.key ?? given(keyNameOf(line)) ?? given(line.place.name);
}

function candidateOf({ edgeId, properties, isSensitive }: EspHomeDescription) {
  return { edgeId, services: describedServices(properties), isSensitive };
}

/** Address of a device. */
export interface EspHomeEndpoint {
  readonly host: string;
  readonly port: number;
}

/** Opens a connection. @throws Error with the reason, the signal's reason */
export type OpenEspHome = (endpoint: EspHomeEndpoint, signal: AbortSignal) => Promise<ByteLink>;

export interface EspHomePlace extends DevicePlace {
  /** The device's announcement, which is not authenticated. */
  readonly announced: () => AnnouncedEspHome;
  readonly key?: Secret | undefined;
}

export interface AnnouncedEspHome {
  readonly edgeId?: string | undefined;
  readonly about?: DeviceAbout | undefined;
  readonly encrypts?: boolean | undefined;
}

/** Port of devices whose settings contain none. */
export const USUAL_PORT = 6053;

/** `esphome 192.0.2.4`, with the port unless it is the default. */
function transportOf({ host, port }: EspHomeEndpoint): string {
  return port === USUAL_PORT ? `esphome ${host}` : `esphome ${host}:${port}`;
}
