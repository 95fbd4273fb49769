/** Reads one device of a simulator file: its description, its behaviour, and every problem. */
import {
  addressKey,
  type DeviceAbout,
  type DeviceDescription,
  findProperty,
  type PropertyAddress,
  parseSelector,
  type ServiceDescription,
  standardProperty,
  type Value,
} from "@porchlight/shared/model";
import { decodeServices, encodeServices } from "@porchlight/shared/wire";
import { z } from "zod";
import type { DeviceFault } from "../device-fault.ts";
import { type ReadFault, readFault } from "../fault-words.ts";
import type { Behaviour } from "./fade.ts";
import { readBehaviours } from "./read-behaviours.ts";
import { behaviourEntry } from "./behaviour-schema.ts";
import type { DeviceDefinition } from "./definition.ts";
import { aboutKind, KINDS, kindBehaviours, standardService } from "./kinds.ts";
import { assertValue } from "./simulated-device.ts";
import { deviceEntry, type ServiceEntry, serviceEntry } from "./definition-schema.ts";
import { type FileProblem, type Path, salvage, unknownWord } from "./schema-problems.ts";

/** Reports a problem and its keys in the device. */
type Tell = (text: string, ...path: Path) => void;

/** @param at path of the device in the file @param found called for each problem; the device is usable when there is none */
export function readDevice(raw: unknown, at: Path, found: (problem: FileProblem) => void): DeviceDefinition {
  const tell: Tell = (text, ...path) => found({ path: [...at, ...path], text });
  const { entry, broken } = salvage(deviceEntry, raw, at, found);
  const kind = entry.kind === undefined ? undefined : KINDS.get(entry.kind);
  const isOfUnknownKind = entry.kind !== undefined && !kind;
  if (isOfUnknownKind) tell(unknownWord("kind", entry.kind ?? "", [...KINDS.keys()]), "kind");
  // References to properties can be checked only when all properties are known.
  const isDescribed = !isOfUnknownKind && !broken.has("kind") && !broken.has("services");
  if (isDescribed && !entry.kind && !entry.services) tell("a device needs a kind or services");
  if (entry.lively && isDescribed && !kind) tell("lively is for a kind; without one, say its behaviour", "lively");
  const services = [...(kind?.services ?? []), ...readServices(raw, tell)];
  const said: DeviceAbout = { ...entry.about, ...(entry.name === undefined ? {} : { name: entry.name }) };
  return {
    edgeId: entry.edgeId ?? "",
    services,
    about: kind ? aboutKind(kind, said) : said,
    values: isDescribed ? readValues({ ...kind?.values, ...entry.values }, services, tell) : [],
    behaviours: [
      ...(kind ? kindBehaviours(kind, entry.lively ?? false) : []),
      ...(isDescribed ? readOwnBehaviours(raw, services, tell) : []),
    ],
    fault: entry.fault === undefined ? undefined : readDeviceFault(entry.fault, tell),
  };
}

/** Parts of the description that a hub would leave out, or that do not fit the node's frames of `max` bytes. */
export function descriptionProblems(device: DeviceDefinition, max: number): readonly string[] {
  try {
    return decodeServices(encodeServices(device.services, device.about ?? {}, max)).problems;
  } catch (failure) {
    return [failure instanceof Error ? failure.message : String(failure)];
  }
}

/** The valid entries of a list with their positions: an invalid one does not hide the problems of the others. */
function entriesOf<Entry>(raw: unknown, key: string, schema: z.ZodType<Entry>): [number, Entry][] {
  const list = z.looseObject({ [key]: z.array(z.unknown()) }).safeParse(raw);
  return (list.data?.[key] ?? []).flatMap((item, at): [number, Entry][] => {
    const { data, success } = schema.safeParse(item);
    return success ? [[at, data]] : [];
  });
}

function readServices(raw: unknown, tell: Tell): ServiceDescription[] {
  return entriesOf(raw, "services", serviceEntry).map(([at, entry]) =>
    readService(entry, (text, ...path) => tell(text, "services", at, ...path)),
  );
}

function readService({ service, properties, ...entry }: ServiceEntry, tell: Tell): ServiceDescription {
  const index = String(entry.index);
  if (!properties) {
    const standard = standardService(service, index);
    if (standard.properties.length === 0) tell(`${service} is not a standard class: list its properties`, "service");
    return standard;
  }
  const described = properties.flatMap((property, at) => {
    if (typeof property !== "string") return property;
    const standard = standardProperty(service, property);
    if (!standard) tell(`${service}.${property} is not a standard property: describe it`, "properties", at);
    return standard ?? [];
  });
  return { service, index, properties: described };
}

function readOwnBehaviours(raw: unknown, services: DeviceDescription, tell: Tell): Behaviour[] {
  return entriesOf(raw, "behaviour", behaviourEntry).flatMap(([at, entry]) =>
    readBehaviours([entry], services, (text) => tell(text, "behaviour", at)),
  );
}

function readValues(
  given: Readonly<Record<string, Value>>,
  services: DeviceDescription,
  tell: Tell,
): [PropertyAddress, Value][] {
  const known = services.flatMap(({ service, index, properties }) =>
    properties.map(({ property }) => ({ service, index, property })),
  );
  // A later entry, such as the file's own, replaces an earlier one of the same property.
  const values = new Map<string, [PropertyAddress, Value]>();
  for (const [key, value] of Object.entries(given)) {
    const { service = "", index = "0", property = "" } = parseSelector(key) ?? {};
    const address = { service, index, property };
    const description = findProperty(services, address);
    if (!description) tell(unknownWord("property", key, known.map(addressKey)), "values", key);
    else {
      try {
        assertValue(description, value);
        values.set(addressKey(address), [address, value]);
      } catch (failure) {
        tell(`${key}: ${failure instanceof Error ? failure.message : String(failure)}`, "values", key);
      }
    }
  }
  return [...values.values()];
}

function readDeviceFault(text: string, tell: Tell): DeviceFault | undefined {
  const read = readFault(text);
  if (read.kind === "ok" && read.fault.of === "device") return read.fault.fault;
  tell(faultProblem(text, read, "a node: give it to one in its faults"), "fault");
  return undefined;
}

/** A sentence about an invalid fault. @param place the node or device with the fault, when it is another one */
export function faultProblem(text: string, read: ReadFault, place: string): string {
  if (read.kind === "unknown") return unknownWord("fault", read.word, read.known);
  return read.kind === "problem" ? read.problem : `fault ${text} is of ${place}`;
}
