/**
 * Fast checks of the frames that arrive thousands of times a second, without their schemas. Its own file because the schemas
 * (`frames.ts`) define what a frame must be, and this only accepts most valid frames faster. Everything else, such as a failure or an
 * unknown member, goes to the schemas.
 *
 * Invariant: the schema accepts every frame that is accepted here, and would return it unchanged.
 */
import { INDEX, isEdgeId, isName, valueBreach } from "../model/index.ts";
import { LONGEST_ID, MOST_RECORDS } from "./frame-bounds.ts";
import type { CommandAnswer, CommandFrame, HubRecord } from "./frame-types.ts";

/** An object parsed from JSON. */
type Members = Readonly<Record<string, unknown>>;

/** `params` of `command`. */
export function goodCommand(given: unknown): CommandFrame | undefined {
  if (!isObject(given)) return undefined;
  for (const name in given) {
    switch (name) {
      case "at":
      case "deadline":
      case "value":
      case "device":
      case "service":
      case "index":
      case "property":
        break;
      case "id":
      case "requestId":
        if (!isId(given[name])) return undefined;
        break;
      case "trace":
        if (typeof given[name] !== "boolean") return undefined;
        break;
      default:
        return undefined;
    }
  }
  const isGood = Number.isFinite(given.at) && Number.isFinite(given.deadline) && isId(given.id) && isTarget(given);
  // The checks above cover each member.
  return isGood && isScalar(given.value) ? (given as unknown as CommandFrame) : undefined;
}

/** The result of `command`. */
export function goodCommandAnswer(given: unknown): CommandAnswer | undefined {
  // The checks above cover each member.
  return isObject(given) && isResult(given, true) ? (given as unknown as CommandAnswer) : undefined;
}

/** The `records` of `records`. */
export function goodRecords(given: unknown): readonly HubRecord[] | undefined {
  if (!isObject(given)) return undefined;
  for (const name in given) if (name !== "records") return undefined;
  const { records } = given;
  if (!Array.isArray(records) || records.length === 0 || records.length > MOST_RECORDS) return undefined;
  for (const record of records) {
    if (!isObject(record)) return undefined;
    const isGood = record.kind === "value" ? isValue(record) : record.kind === "result" && isResult(record, false);
    if (!isGood) return undefined;
  }
  return records;
}

function isValue(given: Members): boolean {
  for (const name in given) {
    switch (name) {
      case "kind":
      case "n":
      case "device":
      case "service":
      case "index":
      case "property":
      case "value":
      case "observedAt":
        break;
      case "cause":
        if (given.cause !== "report" && given.cause !== "read" && given.cause !== "local") return false;
        break;
      default:
        return false;
    }
  }
  return (
    given.cause !== undefined &&
    isCount(given.n) &&
    Number.isFinite(given.observedAt) &&
    isTarget(given) &&
    isScalar(given.value)
  );
}

/** @param hasHops whether hops, the hub's times, are allowed */
function isResult(given: Members, hasHops: boolean): boolean {
  for (const name in given) {
    switch (name) {
      case "n":
      case "device":
      case "service":
      case "index":
      case "property":
      case "command":
      case "requested":
      case "observedAt":
        break;
      case "kind":
        if (given.kind !== "result") return false;
        break;
      case "outcome":
        if (given.outcome !== "confirmed") return false;
        break;
      case "value":
        if (!isScalar(given.value)) return false;
        break;
      case "hops":
        if (!hasHops || !isHops(given.hops)) return false;
        break;
      default:
        return false;
    }
  }
  return (
    given.kind === "result" &&
    given.outcome === "confirmed" &&
    isCount(given.n) &&
    isId(given.command) &&
    Number.isFinite(given.observedAt) &&
    isTarget(given) &&
    isScalar(given.requested)
  );
}

function isHops(given: unknown): boolean {
  if (!isObject(given)) return false;
  for (const name in given) {
    if (name !== "turn" && name !== "journal" && name !== "device") return false;
    const ms = given[name];
    if (typeof ms !== "number" || !(ms >= 0) || ms === Number.POSITIVE_INFINITY) return false;
  }
  return true;
}

function isTarget({ device, service, index, property }: Members): boolean {
  return (
    typeof device === "string" &&
    isEdgeId(device) &&
    typeof service === "string" &&
    isName(service) &&
    typeof index === "string" &&
    INDEX.test(index) &&
    typeof property === "string" &&
    isName(property)
  );
}

/** A value that needs no traversal. */
function isScalar(value: unknown): boolean {
  return (
    (typeof value === "number" || typeof value === "boolean" || typeof value === "string") &&
    valueBreach(value) === undefined
  );
}

function isCount(n: unknown): boolean {
  return Number.isSafeInteger(n) && (n as number) >= 0;
}

function isId(text: unknown): boolean {
  return typeof text === "string" && text.length <= LONGEST_ID;
}

function isObject(given: unknown): given is Members {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
