/** What the page does with a property, as lines to be pasted: for curl, and for the console. */
import { selectorOf, type Target } from "../../../live/target.ts";

export interface CodeOptions {
  /** The service's address, without `/api`. */
  readonly origin: string;
  readonly target: Target;
  /** The device has one instance of the service, so none need be named. */
  readonly isOnly: boolean;
  readonly value: unknown;
  /** Of a virtual device: as its own sensor would. */
  readonly report?: boolean;
}

/** `TOKEN` is the reader's own: none is ever put into a line. */
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
  // What begins with a hyphen would be taken for an option.
  const end = words.startsWith("-") ? "-- " : "";
  return `porchlight set ${target.deviceId} ${shortSelector(target, isOnly)} ${end}${quoted(words)}`;
}

function addressOf(origin: string, target: Target, isOnly: boolean): string {
  return `${origin}/api/devices/${target.deviceId}/services/${shortSelector(target, isOnly)}`;
}

function shortSelector(target: Target, isOnly: boolean): string {
  return isOnly ? `${target.service}.${target.property}` : selectorOf(target);
}

/** As one word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
