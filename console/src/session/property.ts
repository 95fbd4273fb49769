/** One property of a device: its name and its value in the notation of users. */
import { type CallOptions, isPorchlightError, type PorchlightError } from "@porchlight/sdk";
import type { PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";
import { parseSelector } from "@porchlight/shared/model";
import type { Option, Parameter } from "./args.ts";
import type { Context } from "./command.ts";
import { Failure } from "./failure.ts";
import { jsonOrText } from "./fields.ts";

export const DEVICE: Parameter = { name: "DEVICE", summary: "ID of the device, or its alias or reference" };
export const WAIT: Option = {
  name: "wait",
  value: "SECONDS",
  summary: "How long to wait for the device, in seconds (10)",
  number: [1, 60],
};

/**
 * Reports an offline hub at once, although the client would retry for a while: the user waits, and can fix it. Other transient failures
 * are retried with the same key.
 */
export async function atOnce<T>(
  { random }: Pick<Context, "random">,
  call: (options: CallOptions) => Promise<T>,
): Promise<T> {
  const idempotencyKey = Buffer.from(random.bytes(16)).toString("hex");
  try {
    return await call({ idempotencyKey, retries: 0 });
  } catch (failure) {
    if (!isPorchlightError(failure) || isPorchlightError(failure, "Hub Offline") || !isPassing(failure)) throw failure;
    return call({ idempotencyKey });
  }
}

function isPassing({ name }: PorchlightError): boolean {
  return name === "Connection Failed" || name === "Service Unavailable" || name === "Rate Limit Exceeded";
}

interface Named {
  readonly service: string;
  readonly index: string;
  readonly property: string;
}

/** The name in a selector: `LightColor.hue`, `Switch:1.on`. */
export function nameOf({ service, index, property }: Named): string {
  return `${service}${index === "0" ? "" : `:${index}`}.${property}`;
}

/** The description of the property that a selector names; undefined when the device has none, or the selector names no single property. */
export function descriptionOf(
  services: readonly ServiceDescriptor[],
  selector: string,
): PropertyDescriptor | undefined {
  const { service, index, property } = parseSelector(selector) ?? {};
  const instance = services.find((each) => each.service === service && (index === undefined || each.index === index));
  return instance?.properties.find((each) => each.property === property);
}

/** A value as text: a text unchanged, anything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** A value for display: `120°`, `60 %`. */
export function withUnit(value: unknown, unit: string | undefined): string {
  if (unit === undefined) return valueText(value);
  return unit === "deg" ? `${valueText(value)}°` : `${valueText(value)} ${unit}`;
}

const TRUE = /^(true|on|yes)$/i;
const FALSE = /^(false|off|no)$/i;
/** Numbers as users write them; neither `0x10` nor an empty text. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Converts a user's text to the type of the property. The service checks the range.
 * @throws Failure "refused" when the text is no value of the property's type
 */
export function meantValue(text: string, description: PropertyDescriptor | undefined): unknown {
  switch (description?.type) {
    case "boolean":
      if (TRUE.test(text)) return true;
      if (FALSE.test(text)) return false;
      throw notA(text, "a boolean", description, "true or false (on, off, yes and no are the same)");
    case "integer":
    case "number":
      if (NUMBER.test(text)) return Number(text);
      throw notA(text, "a number", description, `a number${rangeText(description)}`);
    case "string":
      return text;
    default:
      return jsonOrText(text);
  }
}

function notA(text: string, kind: string, { property, type }: PropertyDescriptor, instead: string): Failure {
  return new Failure(
    "refused",
    `\`${text}\` is not ${kind}.`,
    `\`${property}\` is of type ${type}.`,
    `give ${instead}`,
  );
}

function rangeText({ min, max, unit }: PropertyDescriptor): string {
  const range = min !== undefined && max !== undefined ? ` from ${min} to ${max}` : "";
  return unit === undefined ? range : `${range} (${unit})`;
}
