/** Encodes a device's description and its metadata as the parts of a DESCRIPTION that a node sends. DP4. */
import {
  type Access,
  type DeviceAbout,
  type DeviceDescription,
  type PropertyDescription,
  type ServiceDescription,
  standardProperty,
  type Value,
  valuesEqual,
} from "../model/index.ts";
import { encodeCbor } from "./cbor-encode.ts";
import { PROPERTY_KEYS } from "./description-keys.ts";
import type { WireMap } from "./message-types.ts";

/** Content of one DESCRIPTION besides its numbers. */
export interface DescriptionPart {
  readonly services: readonly Value[];
  readonly about?: WireMap | undefined;
}

const ACCESS_BITS: Readonly<Record<Access, number>> = { read: 1, write: 2, notify: 4 };

/** Array head, type, seq, device, part, parts, head of `services`, CRC, each at its maximum length. */
const FIXED_BYTES = 1 + 1 + 3 + 2 + 2 + 2 + 2 + 2;
/** Head of the map, the keys s, i and p, and the longest index and array head. */
const SERVICE_BYTES = 1 + 3 * 2 + 3 + 2;

/**
 * Splits a description into parts that each fit a frame.
 * @param max the largest frame, bytes, unescaped, CRC included
 * @throws RangeError when one property, or the device's metadata, does not fit a frame alone
 */
export function encodeServices(description: DeviceDescription, about: DeviceAbout, max: number): DescriptionPart[] {
  const first = encodeAbout(about);
  const cutter = new Cutter(max - FIXED_BYTES, encodeCbor(first).length);
  for (const service of description) cutter.add(service);
  return cutter.parts.map((services, part) => (part === 0 ? { services, about: first } : { services }));
}

type OpenService = {
  readonly s: string;
  readonly i: number;
  readonly p: Value[];
};

class Cutter {
  readonly parts: OpenService[][] = [[]];
  readonly #room: number;
  #left: number;

  constructor(room: number, reserved: number) {
    this.#room = room;
    this.#left = room - reserved;
    if (this.#left < 0) throw new RangeError("what the device says of itself does not fit a frame");
  }

  add({ service, index, properties }: ServiceDescription): void {
    const head = SERVICE_BYTES + encodeCbor(service).length;
    let open: OpenService | undefined;
    for (const description of properties) {
      const property = encodeProperty(service, description);
      const bytes = encodeCbor(property).length;
      if ((open ? 0 : head) + bytes > this.#left)
        open = this.#nextPart(head + bytes, `${service}.${description.property}`);
      if (!open) {
        open = { s: service, i: Number(index), p: [] };
        this.parts.at(-1)?.push(open);
        this.#left -= head;
      }
      open.p.push(property);
      this.#left -= bytes;
    }
  }

  /** Starts a part without an open service. */
  #nextPart(needed: number, what: string): undefined {
    if (needed > this.#room) throw new RangeError(`the description of ${what} does not fit a frame`);
    this.parts.push([]);
    this.#left = this.#room;
  }
}

/** Whether a property of a class equals the catalogue's description, so that its name is enough. */
export function isStandard(service: string, description: PropertyDescription): boolean {
  const standard = standardProperty(service, description.property);
  return standard !== undefined && valuesEqual(propertyMap(standard), propertyMap(description));
}

/** Only the name when the property equals the catalogue's description, else the whole map. */
function encodeProperty(service: string, description: PropertyDescription): Value {
  return isStandard(service, description) ? description.property : propertyMap(description);
}

function propertyMap(description: PropertyDescription): WireMap {
  const fields: { readonly [field: string]: Value | undefined } = {
    ...description,
    access: accessBits(description.access),
  };
  return present(Object.fromEntries(Object.entries(PROPERTY_KEYS).map(([field, key]) => [key, fields[field]])));
}

function encodeAbout({ manufacturer, model, firmware, serial, name }: DeviceAbout): WireMap {
  return present({ mf: manufacturer, mo: model, fw: firmware, sn: serial, nm: name });
}

/** The map without its undefined members. */
function present(map: { readonly [key: string]: Value | undefined }): WireMap {
  const said: Record<string, Value> = {};
  for (const [key, value] of Object.entries(map)) if (value !== undefined) said[key] = value;
  return said;
}

/** Access as the wire's sum of bits. */
export function accessBits(access: readonly Access[]): number {
  return access.reduce((bits, one) => bits | ACCESS_BITS[one], 0);
}

/** The access that a bit sum stands for, in the model's order; ignores bits of later versions. */
export function accessOf(bits: number): Access[] {
  const all: readonly Access[] = ["read", "write", "notify"];
  return all.filter((one) => (bits & ACCESS_BITS[one]) !== 0);
}
