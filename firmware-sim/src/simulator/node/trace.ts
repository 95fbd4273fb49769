/** What passes on a node's line, for watchers. */
import type { Body, FrameDamage, Message } from "@porchlight/shared/wire";

export type TraceEvent =
  | { readonly direction: "out"; readonly message: Message; readonly frame: Uint8Array }
  | { readonly direction: "in"; readonly body: Body; readonly bytes: Uint8Array }
  /** Bytes that were no good frame. */
  | { readonly direction: "in"; readonly damage: FrameDamage };

export type Trace = (event: TraceEvent) => void;
