/** Parsers of single message fields: each returns the typed field, or undefined when it breaks the protocol. */
import { isEdgeId, isStorable, type Value } from "../model/index.ts";
import {
  MAX_ERROR_TEXT,
  MAX_FRAME_LIMIT,
  MAX_INDEX,
  MAX_PLACES,
  MAX_TEXT,
  MAX_WINDOW,
  MIN_FRAME_LIMIT,
} from "./limits.ts";
import type { HelloAckInfo, HelloInfo, Places, WireMap } from "./message-types.ts";

/** A whole number from 0 to `max`. */
export function unsigned(value: Value | undefined, max = Number.MAX_SAFE_INTEGER): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= max ? value : undefined;
}

export function text(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function index(value: Value | undefined): number | undefined {
  return unsigned(value, MAX_INDEX);
}

export function list(value: Value | undefined): readonly Value[] | undefined {
  return isArray(value) ? value : undefined;
}

export function map(value: Value | undefined): WireMap | undefined {
  return typeof value === "object" && value !== null && !isArray(value) ? value : undefined;
}

/** Whether `value` is a text within the protocol's bound: at most `max` characters, all storable. */
export function isShortText(value: Value | undefined, max = MAX_TEXT): value is string {
  return typeof value === "string" && characters(value) <= max && isStorable(value);
}

/** The text of an ERROR. A longer one is cut, not rejected, because the code still settles the request. */
export function errorText(value: Value | undefined): string | undefined {
  return typeof value === "string" ? cutErrorText(value) : undefined;
}

/** The first 128 characters of a sentence. */
export function cutErrorText(sentence: string): string {
  return sentence.length <= MAX_ERROR_TEXT ? sentence : [...sentence].slice(0, MAX_ERROR_TEXT).join("");
}

export function places(value: Value | undefined): Places | undefined {
  if (!isArray(value) || value.length > MAX_PLACES || !value.every(isPlace)) return undefined;
  return value;
}

export function helloInfo(value: Value | undefined): HelloInfo | undefined {
  const info = map(value);
  if (!info) return undefined;
  const v = unsigned(own(info, "v"));
  const id = edgeId(own(info, "id"));
  const devices = places(own(info, "devices"));
  const boot = unsigned(own(info, "boot"), 0xffffffff);
  const max = unsigned(own(info, "max"), MAX_FRAME_LIMIT);
  const win = unsigned(own(info, "win") ?? 1, MAX_WINDOW);
  if (v === undefined || id === undefined || devices === undefined || boot === undefined) return undefined;
  if (max === undefined || max < MIN_FRAME_LIMIT || win === undefined || win < 1) return undefined;
  const texts: { mf?: string; mo?: string; fw?: string; sn?: string } = {};
  for (const key of ["mf", "mo", "fw", "sn"] as const) {
    const given = own(info, key);
    if (given !== undefined && typeof given !== "string") return undefined;
    if (isShortText(given)) texts[key] = given;
  }
  return { v, id, devices, boot, max, win, ...texts };
}

export function helloAckInfo(value: Value | undefined): HelloAckInfo | undefined {
  const info = map(value);
  if (!info) return undefined;
  const v = unsigned(own(info, "v"));
  const hub = edgeId(own(info, "hub"));
  if (v === undefined || hub === undefined) return undefined;
  const given = own(info, "now");
  const now = unsigned(given);
  if (given !== undefined && now === undefined) return undefined;
  return now === undefined ? { v, hub } : { v, hub, now };
}

/** The version in an info map, when it states one. */
export function statedVersion(value: Value | undefined): number | undefined {
  const info = map(value);
  return info && unsigned(own(info, "v"));
}

/** An own member of a map from outside, never an inherited one. */
export function own(from: WireMap, key: string): Value | undefined {
  return Object.hasOwn(from, key) ? from[key] : undefined;
}

function edgeId(value: Value | undefined): string | undefined {
  return typeof value === "string" && isEdgeId(value) ? value : undefined;
}

function isPlace(value: Value): value is string | null {
  return value === null || (typeof value === "string" && isEdgeId(value));
}

function isArray(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** Number of code points: close enough to the characters that people count. */
function characters(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}
