/** What is done with a command whose turn has come: pure, the one place that says when hardware may be touched. */
import type { JournalEntry, StoredResult } from "../state/index.ts";

export interface CommandSituation {
  /** What the journal knows of the command's id. */
  readonly entry: JournalEntry | undefined;
  /** Now and the deadline, on the monotonic clock, ms. */
  readonly now: number;
  readonly deadline: number;
  /** Nobody waits for it any more. */
  readonly cancelled: boolean;
  /** The tunnel by which it came stands, and its lease is live as the hub sees it. */
  readonly mayTouch: boolean;
  /** The device is live on a link. */
  readonly live: boolean;
}

/** Why a command is not begun; the hardware has not been touched. */
export type Refusal = "cancelled" | "late" | "lease" | "unreachable" | "overloaded" | "journal";

export type Decision =
  | { readonly kind: "begin" }
  | { readonly kind: "answer"; readonly result: StoredResult }
  | { readonly kind: "unknown" }
  | { readonly kind: "refuse"; readonly why: Refusal };

/** The journal speaks first: what has been begun is never begun again, and how it ended stays true however late it is asked. */
export function decide({ entry, now, deadline, cancelled, mayTouch, live }: CommandSituation): Decision {
  if (entry?.kind === "ended") return { kind: "answer", result: entry.result };
  if (entry?.kind === "begun") return { kind: "unknown" };
  if (cancelled) return { kind: "refuse", why: "cancelled" };
  if (now >= deadline) return { kind: "refuse", why: "late" };
  if (!mayTouch) return { kind: "refuse", why: "lease" };
  return live ? { kind: "begin" } : { kind: "refuse", why: "unreachable" };
}
