/** What an announced device is to the cloud: pure, with the rules of arrival, of belonging and of coming back (A2.1, T2.1). */

/** A device as a hub announces it. */
export interface Announced {
  readonly digest: string;
  readonly arrival: number;
}

/** What the cloud has under that edgeId in the hub's environment. */
export interface KnownDevice {
  readonly client_id: string | null;
  readonly arrival: number;
  readonly digest: string;
  readonly online: number;
  readonly gone_at: number | null;
  /** Of the hub that it lives on: 1 when the log calls it online, and since when it says what it says. */
  readonly hub_online: number | null;
  readonly hub_since: number | null;
}

export type DeviceDecision =
  /** Not known, or deleted and come again: made, under a new ID, once it is described. */
  | { readonly kind: "make"; readonly replaces: boolean }
  /** Deleted, and its hub has not announced it afresh: left alone. `arrival` to remember, when it is of another history. */
  | { readonly kind: "deleted"; readonly arrival?: number }
  /** Live on another hub, which it belongs to. */
  | { readonly kind: "claimed" }
  /** It is this hub's now, or again; `moved` when it was another's until now. */
  | { readonly kind: "ours"; readonly described: boolean; readonly moved: boolean };

/** Another hub may take a device over when its own has been offline for this long, ms. */
const TAKE_OVER_AFTER_MS = 60_000;
/** Arrival of a device whose hub has begun a new history: the first number that comes is taken as it is. */
export const NO_ARRIVAL = -1;

/** @param now wall clock, ms */
export function decideDevice(
  known: KnownDevice | undefined,
  announced: Announced,
  clientId: string,
  now: number,
): DeviceDecision {
  if (!known) return { kind: "make", replaces: false };
  if (known.gone_at !== null) {
    // Arrivals count on one hub: another one's is afresh with any number.
    if (known.client_id !== clientId) return { kind: "make", replaces: true };
    if (known.arrival === NO_ARRIVAL) return { kind: "deleted", arrival: announced.arrival };
    return announced.arrival > known.arrival ? { kind: "make", replaces: true } : { kind: "deleted" };
  }
  if (isAnothers(known, clientId, now)) return { kind: "claimed" };
  return { kind: "ours", described: known.digest === announced.digest, moved: known.client_id !== clientId };
}

/** Owned by another hub and not yet eligible for takeover. @param now wall clock, ms */
export function isAnothers(known: KnownDevice, clientId: string, now: number): boolean {
  return known.gone_at === null && known.client_id !== clientId && !mayTakeOver(known, now);
}

function mayTakeOver({ client_id, online, hub_online, hub_since }: KnownDevice, now: number): boolean {
  if (client_id === null || hub_online === null || online === 0) return true;
  return hub_online === 0 && hub_since !== null && now - hub_since >= TAKE_OVER_AFTER_MS;
}
