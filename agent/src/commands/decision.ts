/** What is done with a command whose turn has come: pure, the one place that says when hardware may be touched. */
import type { JournalEntry, StoredResult } from "../state/index.ts";
import type { Where } from "./device-availability.ts";

export interface CommandSituation {
  /** Now and the deadline, on the monotonic clock, ms. */
  readonly now: number;
  readonly deadline: number;
  /** Its caller no longer waits. */
  readonly cancelled: boolean;
  /** The tunnel by which it came stands, and its lease is live as the hub sees it. */
  readonly mayTouch: boolean;
  /** An answer can still reach who asked. */
  readonly mayAnswer: boolean;
  /** Where the device is, as far as the hub knows. */
  readonly where: Where;
  /** Whether the device describes the property; true while the hub does not know its description. */
  readonly isDescribed: boolean;
}

/** Why a command is not begun; the hardware has not been touched. */
export type Refusal =
  | "undescribed"
  | "cancelled"
  | "late"
  | "lease"
  | "unreachable"
  | "unmet"
  | "overloaded"
  | "journal";

/**
 * Whether the device may be touched; `wait`: it has not been met yet, and must be waited for; `unheard`: there is no listener, and a
 * refusal that is not heard would stand against a caller that asks again.
 */
export type Permission =
  | { readonly kind: "begin" }
  | { readonly kind: "unheard" }
  | { readonly kind: "wait" }
  | { readonly kind: "refuse"; readonly why: Refusal };

export type Decision =
  | Permission
  | { readonly kind: "answer"; readonly result: StoredResult }
  | { readonly kind: "unknown" };

/**
 * The journal speaks first: what has been begun is never begun again, and how it ended stays true however late it is asked.
 * @param entry what the journal knows of the command's id
 */
export function decide(entry: JournalEntry | undefined, situation: CommandSituation): Decision {
  if (entry?.kind === "ended") return { kind: "answer", result: entry.result };
  if (entry?.kind === "begun") return { kind: "unknown" };
  return permissionFor(situation);
}

/** The same for a read, of which no journal knows. */
export function permissionFor(situation: CommandSituation): Permission {
  const { now, deadline, cancelled, mayTouch, mayAnswer, where, isDescribed } = situation;
  if (!mayAnswer) return { kind: "unheard" };
  if (cancelled) return { kind: "refuse", why: "cancelled" };
  if (now >= deadline) return { kind: "refuse", why: where === "unmet" ? "unmet" : "late" };
  if (!mayTouch) return { kind: "refuse", why: "lease" };
  switch (where) {
    case "there":
      // What stood behind the address has gone: nothing else may be touched in its place.
      return isDescribed ? { kind: "begin" } : { kind: "refuse", why: "undescribed" };
    case "unmet":
      return { kind: "wait" };
    case "gone":
      return { kind: "refuse", why: "unreachable" };
  }
}
