/**
 * Checks the fields of a node's message against the protocol's table and names the violated rule of each, where a decoder only reports
 * "malformed".
 */
import { isEdgeId, type Value } from "@porchlight/shared/model";
import { decodeCbor, MAX_ERROR_TEXT, MAX_PLACES } from "@porchlight/shared/wire";
import type { ProfileFault } from "./profile.ts";

type Fields = readonly Value[];
/** The violations in the fields after type and seq. */
export type Check = (fields: Fields) => ProfileFault[];

export const isUnsigned = (value: Value | undefined, most = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
export const isMap = (value: Value | undefined): value is { readonly [key: string]: Value } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const none: Check = () => [];
export const fault = (rule: string, what: string): ProfileFault[] => [{ rule, what }];
export const field = (name: string, isGood: boolean, must: string) =>
  isGood ? [] : fault("M4", `The field ${name} must be ${must}.`);

const value: Check = (fields) => field("value", fields.length >= 1, "there");

/** Fields of ERROR, which both sides send. */
export function errorFields([code, text]: Fields): ProfileFault[] {
  const isShort = typeof text === "string" && [...text].length <= MAX_ERROR_TEXT;
  return [
    ...field("code", isUnsigned(code), "unsigned"),
    ...field("text", isShort, "a text of at most 128 characters"),
  ];
}

/** Checks of a node's messages, by type. */
const CHECKS: Readonly<Record<number, Check>> = {
  1: ([info]) => (isMap(info) ? helloFaults(info) : fault("M6", "HELLO has no map.")),
  4: ([device, part, parts, services, about]) => [
    ...field("device", isUnsigned(device), "unsigned"),
    ...field("part", isUnsigned(part), "unsigned"),
    ...field("parts", isUnsigned(parts), "unsigned"),
    ...field("services", Array.isArray(services), "an array"),
    ...(part === 0 && !isMap(about) ? fault("D5", "Part 0 has no map about the device.") : []),
    ...(part !== 0 && about !== undefined ? fault("D5", "A part other than 0 has a map about the device.") : []),
    ...(isMap(about) ? keyOrder("about", about, ["mf", "mo", "fw", "sn", "nm"]) : []),
  ],
  6: value,
  8: value,
  9: ([device, service, index, property, ...more]) => [
    ...field("device", isUnsigned(device), "unsigned"),
    ...field("service", typeof service === "string", "text"),
    ...field("index", isUnsigned(index, 999), "0 to 999"),
    ...field("property", typeof property === "string", "text"),
    ...value(more),
  ],
  10: none,
  11: none,
  12: none,
  13: errorFields,
  14: ([devices]) => placesFaults(devices),
};

/** Violations in a node's message whose body conforms to the CBOR profile. */
export function shapeFaults(body: Uint8Array): ProfileFault[] {
  return shapeFaultsBy(CHECKS, "node", body);
}

/** Violations in a body, by the checks for its sender. */
export function shapeFaultsBy(
  checks: Readonly<Record<number, Check>>,
  sender: "hub" | "node",
  body: Uint8Array,
): ProfileFault[] {
  const decoded = decodeCbor(body);
  if (decoded.kind !== "value") return [];
  const items = decoded.value;
  if (!Array.isArray(items) || !isUnsigned(items[0]) || !isUnsigned(items[1], 0xffff))
    return fault("M1", "The body is not an array that begins with a type and a seq.");
  const check = checks[items[0]];
  return check ? check(items.slice(2)) : fault("M3", `A ${sender} must not send a message of type ${items[0]}.`);
}

function helloFaults(info: { readonly [key: string]: Value }): ProfileFault[] {
  const wants = (key: string, isGood: boolean, must: string) =>
    isGood ? [] : fault("M6", `HELLO's ${key} must be ${must}.`);
  const isShort = (stated: Value | undefined) =>
    stated === undefined || (typeof stated === "string" && [...stated].length <= 64);
  return [
    ...wants("v", info.v === 1, "1"),
    ...edgeIdFaults("id", info.id),
    ...placesFaults(info.devices),
    ...wants("boot", isUnsigned(info.boot, 0xffffffff), "unsigned, of 32 bits"),
    ...wants("max", isUnsigned(info.max, 4095) && info.max >= 128, "128 to 4095"),
    ...wants("win", info.win === undefined || (isUnsigned(info.win, 8) && info.win >= 1), "1 to 8, or left out"),
    ...["mf", "mo", "fw", "sn"].flatMap((key) => wants(key, isShort(info[key]), "a text of at most 64 characters")),
    ...keyOrder("HELLO", info, ["v", "id", "devices", "boot", "max", "win", "mf", "mo", "fw", "sn"]),
  ];
}

function placesFaults(devices: Value | undefined): ProfileFault[] {
  if (!Array.isArray(devices)) return fault("M6", "devices is not an array.");
  if (devices.length > MAX_PLACES) return fault("M6", `devices has more than ${MAX_PLACES} entries.`);
  return devices.flatMap((entry: Value) => (entry === null ? [] : edgeIdFaults("an entry of devices", entry)));
}

export function edgeIdFaults(what: string, id: Value | undefined): ProfileFault[] {
  return typeof id === "string" && isEdgeId(id) ? [] : fault("M5", `${JSON.stringify(id)} (${what}) is not an edgeId.`);
}

/** C3: known keys must be in the order of the document; unknown keys belong to later versions. */
export function keyOrder(
  what: string,
  map: { readonly [key: string]: Value },
  listed: readonly string[],
): ProfileFault[] {
  const stated = Object.keys(map).filter((key) => listed.includes(key));
  const ordered = listed.filter((key) => stated.includes(key));
  return stated.join() === ordered.join()
    ? []
    : fault("C3", `The keys of ${what} are in the order ${stated.join(", ")}.`);
}
