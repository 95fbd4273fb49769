/** How an attempt to be connected ended: what `reconnect.ts` decides by and `status` shows. */
import type { CloseReason } from "@porchlight/shared/tunnel";

export type Ending =
  /** Refused before the upgrade, with an HTTP status. `retryAfterMs`: what `retry-after` asked for, when it was there, ms. */
  | { readonly kind: "refused"; readonly status: number; readonly retryAfterMs?: number | undefined }
  /** No answer came. */
  | { readonly kind: "unreachable"; readonly detail: string }
  /**
   * It was open, and lived for so long after the welcome (0: it never came), ms. `awayMs`: the cloud had said goaway, and
   * after how long to come back, ms.
   */
  | {
      readonly kind: "closed";
      readonly reason: CloseReason | "lost";
      readonly lastedMs: number;
      readonly awayMs?: number | undefined;
    }
  /** The cloud knows more of this history than the hub does: a new one was begun. */
  | { readonly kind: "renewed" };
