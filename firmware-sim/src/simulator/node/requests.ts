/** A node's answers to the hub's requests for a device: the checks in their order, and the execution. */
import {
  findProperty,
  type PropertyAddress,
  type PropertyDescription,
  type PropertyType,
  type Value,
  valueProblem,
} from "@porchlight/shared/model";
import {
  addressOf,
  ERROR_CODE,
  encodeServices,
  type Message,
  type MessageOf,
  type WireAddress,
} from "@porchlight/shared/wire";
import type { SimulatedDevice } from "../devices/simulated-device.ts";

/** A request about a device. */
export type DeviceRequest = MessageOf<"DESCRIBE" | "READ" | "WRITE" | "IDENTIFY">;

export interface CarriedOut {
  readonly answer: Message;
  /** Set when a WRITE was applied: the property's reported value. */
  readonly written?: { readonly address: PropertyAddress; readonly value: Value } | undefined;
}

/** Whether the node remembers the answer, so that a repetition is not executed twice. */
export function isRemembered(request: DeviceRequest): boolean {
  return request.type === "WRITE" || request.type === "IDENTIFY";
}

/** The ERROR that answers the request with that seq. */
export function errorAnswer(seq: number, code: number, text: string): MessageOf<"ERROR"> {
  return { type: "ERROR", seq, code, text };
}

/**
 * Executes a request and returns its answer.
 * @param max the largest frame for a DESCRIPTION, bytes
 */
export function carryOut(request: DeviceRequest, device: SimulatedDevice, max: number): CarriedOut {
  switch (request.type) {
    case "DESCRIBE":
      return { answer: describe(request, device, max) };
    case "IDENTIFY":
      device.identify(request.seconds);
      return { answer: { type: "ACK", seq: request.seq } };
    case "READ":
      return read(request, device);
    case "WRITE":
      return write(request, device);
  }
}

function describe({ seq, device: place, part }: MessageOf<"DESCRIBE">, device: SimulatedDevice, max: number): Message {
  const parts = encodeServices(device.services, device.about, max);
  const asked = parts[part];
  if (!asked) return errorAnswer(seq, ERROR_CODE.malformed, `There are ${parts.length} parts.`);
  return { type: "DESCRIPTION", seq, device: place, part, parts: parts.length, ...asked };
}

function read(request: MessageOf<"READ">, device: SimulatedDevice): CarriedOut {
  const found = look(request, device);
  if (found.kind === "missing") return { answer: found.answer };
  if (!found.description.access.includes("read")) {
    return { answer: errorAnswer(request.seq, ERROR_CODE.notReadable, `${request.property} cannot be read.`) };
  }
  const value = sentValue(device, found.description, device.read(found.address));
  return { answer: { type: "VALUE", seq: request.seq, value } };
}

function write(request: MessageOf<"WRITE">, device: SimulatedDevice): CarriedOut {
  const { seq } = request;
  const found = look(request, device);
  if (found.kind === "missing") return { answer: found.answer };
  const { address, description } = found;
  if (!description.access.includes("write")) {
    return { answer: errorAnswer(seq, ERROR_CODE.notWritable, `${request.property} cannot be written.`) };
  }
  const problem = valueProblem(description, request.value);
  if (problem !== undefined) return { answer: errorAnswer(seq, ERROR_CODE.valueRefused, problem) };
  const value = device.apply(address, request.value);
  return {
    answer: { type: "WRITTEN", seq, value: sentValue(device, description, value) },
    written: { address, value },
  };
}

type Found =
  | { readonly kind: "found"; readonly address: PropertyAddress; readonly description: PropertyDescription }
  | { readonly kind: "missing"; readonly answer: Message };

function look(request: WireAddress & { readonly seq: number }, device: SimulatedDevice): Found {
  const address = addressOf(request);
  const description = findProperty(device.services, address);
  if (description) return { kind: "found", address, description };
  const { service, index, property } = address;
  const has = device.services.some((one) => one.service === service && one.index === index);
  const answer = has
    ? errorAnswer(request.seq, ERROR_CODE.unknownProperty, `${service}:${index} has no ${property}.`)
    : errorAnswer(request.seq, ERROR_CODE.unknownService, `There is no ${service}:${index}.`);
  return { kind: "missing", answer };
}

/** The value that the device sends: of another type than described, when that is its fault. */
export function sentValue(device: SimulatedDevice, description: PropertyDescription | undefined, value: Value): Value {
  return device.fault.mode === "wrong" && description ? WRONG[description.type] : value;
}

const WRONG: Readonly<Record<PropertyType, Value>> = {
  boolean: "on",
  integer: 0.5,
  number: "12",
  string: 12,
  json: null,
};
