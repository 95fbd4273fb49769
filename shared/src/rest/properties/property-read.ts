/**
 * Reads of properties (A3): their parameters, which properties the hub reads from devices, and what the answer contains. Pure, with the
 * errors of A3.4.
 */

import type { PropertyFailure, PropertyItem, PropertyList, PropertyWithoutValue } from "../../api/index.ts";
import { NamedError } from "../../kernel/index.ts";
import { type DescribedProperty, parseSelector, type Selector } from "../../model/index.ts";
import { readBoolean } from "../request/query.ts";

/** Query parameters of every read of properties. */
export const READ_QUERY = ["refresh", "maxAge"] as const;

const LONGEST_AGE = 86_400;

/** The mode of a property read. */
export type ReadAsked = { readonly kind: "cached" } | { readonly kind: "refresh"; readonly maxAgeMs?: number };

/** @param query the parameters @throws "Query Parameter Invalid" */
export function readAsked({ refresh, maxAge }: Readonly<Record<string, string | undefined>>): ReadAsked {
  const asksNow = readBoolean("refresh", refresh) ?? false;
  if (maxAge !== undefined) {
    const seconds = /^\d{1,5}$/.test(maxAge) ? Number(maxAge) : Number.POSITIVE_INFINITY;
    if (seconds > LONGEST_AGE)
      throw new NamedError(
        "Query Parameter Invalid",
        `\`maxAge\` must be a whole number of seconds from 0 to ${LONGEST_AGE}.`,
      );
    return { kind: "refresh", maxAgeMs: seconds * 1000 };
  }
  return asksNow ? { kind: "refresh" } : { kind: "cached" };
}

/** The devices of an environment, for selection. */
export interface Selectable<S> {
  /** Every property that a selector matches, on all devices or on those with these IDs. */
  select(selector: Selector, among?: readonly string[]): readonly S[];
  /** Whether any device has the selector's service instance, regardless of the property. */
  hasService(selector: Selector, among?: readonly string[]): boolean;
}

interface RefreshPlan<S> {
  /** In the order of the answer. */
  readonly selected: readonly S[];
  /** The selected properties that are read from their devices. */
  readonly read: readonly S[];
}

interface RefreshAsked {
  readonly selector: string;
  /** IDs of the selected devices; undefined: all of the environment. */
  readonly among?: readonly string[] | undefined;
}

/**
 * @param isFresh whether a property needs no read: it was observed recently enough, or has no device to read from
 * @throws "Service Not Found", "Service Property Invalid"
 */
export function planRefresh<S extends { readonly property: DescribedProperty }>(
  environment: Selectable<S>,
  asked: RefreshAsked,
  isFresh: (selected: S) => boolean,
): RefreshPlan<S> {
  const defined = selectDefined(environment, asked);
  const selected = defined.filter(({ property }) => property.readable);
  if (selected.length === 0 && parseSelector(asked.selector)?.property !== undefined)
    throw new NamedError("Service Property Invalid", `${asked.selector} is only reported, and cannot be refreshed.`);
  return { selected, read: selected.filter((each) => !isFresh(each)) };
}

/**
 * Every property that a selector matches, at least one.
 * @throws "Service Not Found", "Service Property Invalid"
 */
export function selectDefined<S>(environment: Selectable<S>, { selector: text, among }: RefreshAsked): readonly S[] {
  const selector = parseSelector(text);
  if (!selector) throw new NamedError("Service Not Found", "The selector must be SERVICE[:INDEX][.PROPERTY].");
  if (!environment.hasService(selector, among))
    throw new NamedError("Service Not Found", `No device here has the service ${text}.`);
  const defined = environment.select(selector, among);
  if (defined.length > 0) return defined;
  throw new NamedError("Service Property Invalid", `${selector.service} has no property ${selector.property} here.`);
}

/** Why a property could not be read. */
export type ReadFailure = Pick<PropertyFailure, "name" | "detail">;

/** Answer to a refresh: the read values, the properties without a value, and the failed reads. */
export function refreshAnswer<S extends Named>(
  selected: readonly S[],
  failed: ReadonlyMap<S, ReadFailure>,
  itemOf: (selected: S) => PropertyItem | undefined,
): PropertyList {
  const items: PropertyItem[] = [];
  const withoutValue: PropertyWithoutValue[] = [];
  const failures: PropertyFailure[] = [];
  for (const each of selected) {
    const failure = failed.get(each);
    const item = itemOf(each);
    if (failure) failures.push(failureItem(each, failure, item));
    else if (item) items.push(item);
    else withoutValue.push(named(each));
  }
  return {
    items,
    ...(withoutValue.length > 0 && { withoutValue }),
    ...(failures.length > 0 && { failures }),
  };
}

interface Named {
  readonly device: { readonly id: string };
  readonly property: DescribedProperty;
}

function named({ device, property: { service, index, property } }: Named): PropertyWithoutValue {
  return { deviceId: device.id, service, index, property };
}

function failureItem(asked: Named, { name, detail }: ReadFailure, known: PropertyItem | undefined): PropertyFailure {
  return {
    ...named(asked),
    name,
    detail,
    ...(known && { lastKnown: lastKnownOf(known) }),
  };
}

/** The last known value of a property whose read or write failed. */
export function lastKnownOf({ value, modifiedAt, observedAt, source }: PropertyItem) {
  return { value, ...(source ? { source } : { modifiedAt, observedAt }) };
}
