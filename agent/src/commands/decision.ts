/** The decision about a command at its turn: pure, the one place that permits to touch hardware. */
import type { JournalEntry, StoredResult } from "../state/index.ts";
import type { Where } from "./device-availability.ts";

export interface CommandSituation {
  /** The current time and the deadline, on the monotonic clock, ms. */
  readonly now: number;
  readonly deadline: number;
  /** Its caller no longer waits. */
  readonly cancelled: boolean;
  /** The tunnel by which it came is open, and its lease is live as the hub sees it. */
  readonly mayTouch: boolean;
  /** The caller can still receive an answer. */
  readonly mayAnswer: boolean;
  /** The availability of the device, as far as the hub knows. */
  readonly where: Where;
  /** Whether the device describes the property; true while the hub does not know its description. */
  readonly isDescribed: boolean;
}

/** The reason why a command is not begun; the hardware has not been touched. */
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
 * Whether the device may be touched. `wait`: the device is unmet, and the command must wait for it; `unheard`: the caller is gone, and a
 * refusal that it does not receive would also apply to its next attempt.
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
 * Decides by the journal first: a command that was begun is never begun again, and its recorded end stays valid however late a repeat
 * comes.
 * @param entry the journal's entry of the command's id
 */
export function decide(entry: JournalEntry | undefined, situation: CommandSituation): Decision {
  if (entry?.kind === "ended") return { kind: "answer", result: entry.result };
  if (entry?.kind === "begun") return { kind: "unknown" };
  return permissionFor(situation);
}

/** The same decision for a read, which has no journal entry. */
export function permissionFor(situation: CommandSituation): Permission {
  const { now, deadline, cancelled, mayTouch, mayAnswer, where, isDescribed } = situation;
  if (!mayAnswer) return { kind: "unheard" };
  if (cancelled) return { kind: "refuse", why: "cancelled" };
  if (now >= deadline) return { kind: "refuse", why: where === "unmet" ? "unmet" : "late" };
  if (!mayTouch) return { kind: "refuse", why: "lease" };
  switch (where) {
    case "there":
      // The property at this address is gone: nothing else may be touched in its place.
      return isDescribed ? { kind: "begin" } : { kind: "refuse", why: "undescribed" };
    case "unmet":
      return { kind: "wait" };
    case "gone":
      return { kind: "refuse", why: "unreachable" };
  }
}
