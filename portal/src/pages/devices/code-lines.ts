/** Code samples of the page's actions on a property, for curl and the console. */
import { selectorOf, type Target } from "../../live/target.ts";

interface CodeOptions {
  /** The service's address, without `/api`. */
  readonly origin: string;
  readonly target: Target;
  /** The device has a single instance of the service, so the selector needs no index. */
  readonly isOnly: boolean;
  readonly value: unknown;
  /** On a virtual device: report the value as its own sensor would. */
  readonly report?: boolean;
}

/** A shell variable: the samples never contain a real token. */
const AUTH = `-H "authorization: Bearer $TOKEN"`;

export function curlRead({ origin, target, isOnly }: Omit<CodeOptions, "value" | "report">, refresh = false): string {
  const query = refresh ? "?refresh=true" : "";
  return `curl -s ${AUTH} ${quoted(`${addressOf(origin, target, isOnly)}${query}`)}`;
}

export function curlSet({ origin, target, isOnly, value, report }: CodeOptions): string {
  const body = JSON.stringify({ value, ...(report && { report: true }) });
  return `curl -s -X PUT ${AUTH} -H 'content-type: application/json' -d ${quoted(body)} ${quoted(addressOf(origin, target, isOnly))}`;
}

export function consoleGet({ target, isOnly }: Pick<CodeOptions, "target" | "isOnly">): string {
  return `porchlight get ${target.deviceId} ${shortSelector(target, isOnly)}`;
}

export function consoleSet({ target, isOnly, value }: Omit<CodeOptions, "origin" | "report">): string {
  const words = typeof value === "string" ? value : JSON.stringify(value);
  // A leading hyphen would make the value an option.
  const end = words.startsWith("-") ? "-- " : "";
  return `porchlight set ${target.deviceId} ${shortSelector(target, isOnly)} ${end}${quoted(words)}`;
}

function addressOf(origin: string, target: Target, isOnly: boolean): string {
  return `${origin}/api/devices/${target.deviceId}/services/${shortSelector(target, isOnly)}`;
}

function shortSelector(target: Target, isOnly: boolean): string {
  return isOnly ? `${target.service}.${target.property}` : selectorOf(target);
}

/** Quotes a text as one word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
