/** Where the hub stands with the cloud, as `status` shows it: pure, a state and what happened give the next state. */

import type { WaitReason } from "./reconnect.ts";
import type { Ending } from "./tunnel/ending.ts";

export type TunnelState =
  | { readonly kind: "connecting"; readonly since: number }
  | { readonly kind: "opening"; readonly since: number }
  | { readonly kind: "online"; readonly since: number; readonly epoch: number }
  /** The cloud has said goaway; it still serves until `until`. */
  | { readonly kind: "leaving"; readonly since: number; readonly epoch: number; readonly until: number }
  | {
      readonly kind: "waiting";
      readonly since: number;
      readonly until: number;
      readonly reason: WaitReason;
      readonly after: Ending;
    }
  | { readonly kind: "stopped"; readonly since: number };

export type TunnelInput =
  | { readonly kind: "dial" }
  | { readonly kind: "socket" }
  | { readonly kind: "welcome"; readonly epoch: number }
  | { readonly kind: "goaway"; readonly afterMs: number }
  | { readonly kind: "ended"; readonly ending: Ending; readonly reason: WaitReason; readonly waitMs: number }
  | { readonly kind: "stop" };

/**
 * The next state. What cannot happen in a state (a welcome to a hub that waits) changes nothing.
 * @param now wall-clock time, ms since 1970
 */
export function step(state: TunnelState, input: TunnelInput, now: number): TunnelState {
  if (state.kind === "stopped") return state;
  switch (input.kind) {
    case "dial":
      return { kind: "connecting", since: now };
    case "socket":
      return state.kind === "connecting" ? { kind: "opening", since: now } : state;
    case "welcome":
      return state.kind === "opening" ? { kind: "online", since: now, epoch: input.epoch } : state;
    case "goaway":
      return state.kind === "online"
        ? { kind: "leaving", since: state.since, epoch: state.epoch, until: now + input.afterMs }
        : state;
    case "ended":
      return { kind: "waiting", since: now, until: now + input.waitMs, reason: input.reason, after: input.ending };
    case "stop":
      return { kind: "stopped", since: now };
  }
}
