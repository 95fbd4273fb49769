/**
 * Whether two instances of one client keep throwing each other out: pure, from the client's last connections as the store has
 * them, so that it is the same on every node.
 */

/** A connection of the client, as its row has it. */
export interface PastTunnel {
  /** The start of the agent that it was of; null of one from before this was stored. */
  readonly instance: string | null;
  /** When a newer connection took over from it while it lived, wall-clock ms; undefined where it ended otherwise, or has not. */
  readonly takenOverAt: number | undefined;
  /** Since it opened, two instances are found out, and this one is the one that stays. */
  readonly kept: boolean;
}

export type Arrival =
  | {
      readonly kind: "takes_over";
      /** This takeover gives two instances away. */
      readonly duplicate: boolean;
      /** The newcomer is the one that stays. */
      readonly kept: boolean;
    }
  /** The other of the two stays until it is gone. */
  | { readonly kind: "refused" };

const WINDOW_MS = 10 * 60_000;
const LIMIT = 3;

/**
 * @param past connections of the client before this one, the newest first
 * @param lives whether the newest of them lives
 * @param now wall clock, ms
 */
export function arrive(past: readonly PastTunnel[], lives: boolean, instance: string, now: number): Arrival {
  const living = lives ? past[0] : undefined;
  if (!living) return { kind: "takes_over", duplicate: false, kept: false };
  if (living.instance === instance) return { kind: "takes_over", duplicate: false, kept: living.kept };
  if (living.kept) return { kind: "refused" };
  const betweenThem = past.filter(({ instance: from, takenOverAt }, place) => {
    if (takenOverAt === undefined || now - takenOverAt >= WINDOW_MS) return false;
    const to = past[place - 1]?.instance;
    return (from === living.instance && to === instance) || (from === instance && to === living.instance);
  });
  const duplicate = betweenThem.length + 1 >= LIMIT;
  return { kind: "takes_over", duplicate, kept: duplicate };
}
