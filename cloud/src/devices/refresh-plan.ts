/** Which properties a refresh asks the hubs for, and which it takes from the cache: pure, with the errors of contract 3. */
import { NamedError } from "@porchlight/shared/kernel";
import { parseSelector } from "@porchlight/shared/model";
import type { EnvironmentState, Selected } from "./environment-state.ts";

export interface RefreshPlan {
  /** In the order of the answer. */
  readonly selected: readonly Selected[];
  /** Those of them that are read from their devices. */
  readonly read: readonly Selected[];
}

export interface RefreshAsked {
  readonly selector: string;
  /** IDs of the devices that are meant; undefined: all of the environment. */
  readonly among?: readonly string[] | undefined;
  /** What was observed within this time is taken from the cache, ms; undefined: nothing is. */
  readonly maxAgeMs?: number | undefined;
}

/**
 * @param now wall clock, ms
 * @throws "Service Not Found", "Service Property Invalid"
 */
export function planRefresh(environment: EnvironmentState, asked: RefreshAsked, now: number): RefreshPlan {
  const { among, maxAgeMs } = asked;
  const selector = parseSelector(asked.selector);
  if (!selector) throw new NamedError("Service Not Found", "The selector is to be SERVICE[:INDEX][.PROPERTY].");
  if (!environment.hasService(selector, among))
    throw new NamedError("Service Not Found", `No device here has the service ${asked.selector}.`);
  const defined = environment.select(selector, among);
  if (defined.length === 0)
    throw new NamedError("Service Property Invalid", `${selector.service} has no property ${selector.property} here.`);
  const selected = defined.filter(({ property }) => property.readable);
  if (selected.length === 0 && selector.property !== undefined)
    throw new NamedError("Service Property Invalid", `${asked.selector} tells of itself and cannot be read.`);
  const isYoung = ({ device, property }: Selected) => {
    const stored = environment.stored(device.id, property.key);
    return maxAgeMs !== undefined && stored !== undefined && now - stored.observedAt <= maxAgeMs;
  };
  // What has no hub has its value here.
  return { selected, read: selected.filter((each) => each.device.clientId !== null && !isYoung(each)) };
}
