/** The identity of the device of a group of entities, and the device's facts: independent of the entities' order of arrival. */
import { derivedEdgeId, edgeIdOfEui } from "@porchlight/driver-kit";
import type { DeviceAbout } from "@porchlight/shared/model";
import { type DescribedEntity, type DeviceBlock, shownText } from "./discovery-payload.ts";

/** Kinds of connections whose addresses are the device's own EUI. */
const OWN_ADDRESSES = new Set(["mac", "zigbee"]);

/** An EUI-48 or EUI-64 at the end of an identifier, by itself or behind a separator. */
const EUI_AT_END = /(?:^|[^0-9a-z])((?:0x)?(?:[0-9a-f]{16}|[0-9a-f]{12})|(?:[0-9a-f]{2}[:-]){5,7}[0-9a-f]{2})$/i;
const LONGEST_ABOUT = 64;

/** The device's own EUI if its entities contain it; otherwise an EUI derived from their identifiers. */
export function edgeIdOf(entities: readonly DescribedEntity[], scope: string): string {
  const blocks = entities.flatMap(({ device }) => device ?? []);
  const connections = blocks.flatMap((block) => block.connections);
  const addresses = connections.flatMap(([kind, address]) => (OWN_ADDRESSES.has(kind) ? [address] : []));
  const identifiers = blocks.flatMap((block) => block.identifiers);
  const eui = least(addresses.flatMap(euiOf)) ?? least(identifiers.flatMap(euiInIdentifier));
  return eui ?? identityOf(entities, scope);
}

/** The device's identity when its entities contain no EUI, or no longer contain it: derived from their identifiers. */
export function identityOf(entities: readonly DescribedEntity[], scope: string): string {
  const blocks = entities.flatMap(({ device }) => device ?? []);
  const connections = blocks.flatMap((block) => block.connections);
  const first = least(blocks.flatMap((block) => block.identifiers.slice(0, 1)));
  if (first !== undefined) return derivedEdgeId("mqtt", scope, first);
  const connection = least(connections.map(connectionKey));
  const own = connection ?? least(entities.map(ownId)) ?? "";
  // The leading space keeps it different from the identifiers of other programs, none of which begins with one.
  return derivedEdgeId("mqtt", scope, ` ${own}`);
}

/** A connection in one spelling: addresses come in upper and lower case. */
export function connectionKey([kind, address]: DeviceBlock["connections"][number]): string {
  return `${kind} ${address.toLowerCase()}`;
}

/** Distinguishes an entity without a device from all others. */
function ownId({ component, options, id }: DescribedEntity): string {
  const unique = options.get("unique_id");
  return typeof unique === "string" && unique !== "" ? `${component} ${unique}` : `topic ${id}`;
}

function euiInIdentifier(identifier: string): string[] {
  const found = EUI_AT_END.exec(identifier)?.[1] ?? "";
  // Digits alone are as likely a serial number.
  return /^\d+$/.test(found) ? [] : euiOf(found);
}

/** Empty for an address that no single device has: groups, all zeros, all ones. */
function euiOf(address: string): string[] {
  const edgeId = edgeIdOfEui(address);
  if (edgeId === undefined || /^[0-9A-F][13579BDF]/.test(edgeId)) return [];
  return /^00(?:-00)+$/.test(edgeId) ? [] : [edgeId];
}

/** Each fact from the first entity that has it. */
export function aboutOf(entities: readonly DescribedEntity[]): DeviceAbout {
  const first = (key: "name" | "manufacturer" | "model" | "sw_version" | "serial_number") => {
    for (const { device } of entities) {
      const text = shownText(device?.[key], LONGEST_ABOUT);
      if (text !== undefined) return text;
    }
    return undefined;
  };
  const about = {
    name: first("name") ?? nameOfEntity(entities),
    manufacturer: first("manufacturer"),
    model: first("model"),
    firmware: first("sw_version"),
    serial: first("serial_number"),
  };
  return Object.fromEntries(Object.entries(about).filter(([, text]) => text !== undefined));
}

/** An entity without a device block is itself the device. */
function nameOfEntity([first]: readonly DescribedEntity[]): string | undefined {
  const name = first?.device ? undefined : first?.options.get("name");
  return typeof name === "string" ? shownText(name, LONGEST_ABOUT) : undefined;
}

function least(texts: readonly string[]): string | undefined {
  return texts.reduce<string | undefined>((low, text) => (low === undefined || text < low ? text : low), undefined);
}
