/** Whether two instances of one client keep throwing each other out: pure, fed with each takeover of a living tunnel. */

/** What is remembered of one client's takeovers. */
export interface Replacements {
  readonly takeovers: readonly { readonly at: number; readonly from: string; readonly to: string }[];
  /** The instance that is kept since the two were found out. */
  readonly kept?: string | undefined;
}

export const NO_REPLACEMENTS: Replacements = { takeovers: [] };

const WINDOW_MS = 10 * 60_000;
const LIMIT = 3;

export type Arrival =
  /** The newcomer takes over; `duplicate` when this is the takeover that gives the two away. */
  | { readonly kind: "takes_over"; readonly state: Replacements; readonly duplicate: boolean }
  /** The other of the two stays until it is gone. */
  | { readonly kind: "refused" };

/**
 * @param living instance of the client's living tunnel, if there is one
 * @param now monotonic, ms
 */
export function arrive(state: Replacements, living: string | undefined, instance: string, now: number): Arrival {
  if (living === undefined) {
    const takeovers = state.takeovers.filter(({ at }) => now - at < WINDOW_MS);
    return { kind: "takes_over", state: { takeovers }, duplicate: false };
  }
  if (living === instance) return { kind: "takes_over", state, duplicate: false };
  if (state.kept === living) return { kind: "refused" };
  const recent = state.takeovers.filter(({ at }) => now - at < WINDOW_MS);
  const takeovers = [...recent, { at: now, from: living, to: instance }];
  const betweenThem = takeovers.filter(
    ({ from, to }) => (from === living && to === instance) || (from === instance && to === living),
  );
  const duplicate = betweenThem.length >= LIMIT;
  return { kind: "takes_over", state: { takeovers, kept: duplicate ? instance : undefined }, duplicate };
}
