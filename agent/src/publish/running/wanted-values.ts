/** What a message on a set topic asks for: properties and values, or why nothing is done. Pure. */
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";
import type { PropertyTarget } from "../../state/index.ts";
import { colourCommand, commandValue } from "../messages/payloads.ts";
import { COLOUR } from "../messages/topics.ts";
import type { ToldDevice } from "./told-devices.ts";

export interface WantedValue {
  readonly target: PropertyTarget;
  readonly value: Value;
}

export type WantedValues =
  | { readonly wanted: readonly WantedValue[] }
  /** `of`: properties that the sender may take for changed. */
  | { readonly refused: "unknownProperty" | "notWritable" | "badValue"; readonly of: readonly PropertyTarget[] };

/** All that the message asks for, or nothing of it. */
export function wantedValues(device: ToldDevice | undefined, address: PropertyAddress, text: string): WantedValues {
  if (!device) return { refused: "unknownProperty", of: [] };
  if (address.property !== COLOUR) return one(device, address, text);
  const colour = device.colours.get(addressKey(address));
  if (!colour) return { refused: "unknownProperty", of: [] };
  const numbers = colourCommand(text);
  if (!numbers) return { refused: "badValue", of: [targetOf(device, colour.hue)] };
  const hue = one(device, colour.hue, numbers[0]);
  if ("refused" in hue) return hue;
  const saturation = one(device, colour.saturation, numbers[1]);
  return "refused" in saturation ? saturation : { wanted: [...hue.wanted, ...saturation.wanted] };
}

function one(device: ToldDevice, address: PropertyAddress, text: string): WantedValues {
  const property = device.properties.get(addressKey(address));
  if (!property) return { refused: "unknownProperty", of: [] };
  const target = targetOf(device, address);
  if (!property.writable) return { refused: "notWritable", of: [target] };
  const value = commandValue(property.description, text);
  return value === undefined ? { refused: "badValue", of: [target] } : { wanted: [{ target, value }] };
}

function targetOf({ edgeId }: ToldDevice, { service, index, property }: PropertyAddress): PropertyTarget {
  return { device: edgeId, service, index, property };
}
