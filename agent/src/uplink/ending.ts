/** The end of an attempt to be connected: the input of `reconnect.ts`, and shown by `status`. */
import type { CloseReason } from "@porchlight/shared/tunnel";

export type Ending =
  /** Refused before the upgrade, with an HTTP status. `retryAfterMs`: the value of `retry-after`, if present, ms. */
  | { readonly kind: "refused"; readonly status: number; readonly retryAfterMs?: number | undefined }
  /** There was no answer. */
  | { readonly kind: "unreachable"; readonly detail: string }
  /**
   * The tunnel was open for `lastedMs` after the welcome (0: there was none), ms. `awayMs`: the cloud has sent goaway, with this time
   * before the hub may come back, ms.
   */
  | {
      readonly kind: "closed";
      readonly reason: CloseReason | "lost";
      readonly lastedMs: number;
      readonly awayMs?: number | undefined;
    }
  /** The cloud knows more of this history than the hub: a new history was begun. */
  | { readonly kind: "renewed" };
