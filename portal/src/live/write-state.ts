/**
 * The state machine of a write to one property, separate from sending it. It determines the displayed value: a requested value is never
 * shown as reported, and an older value never replaces the last reported one.
 */
import type { PorchlightError } from "@porchlight/sdk";
import type { Command } from "@porchlight/shared/api";

/** A value that the device reported, with its times. */
export interface Known {
  readonly value?: unknown;
  readonly modifiedAt?: string | undefined;
  readonly observedAt?: string | undefined;
  /** Set on a value of unknown age. */
  readonly source?: "retained" | undefined;
}

/** Why a write was rejected. */
export interface Refusal {
  /** The error's name. */
  readonly name: string;
  readonly detail: string;
  readonly outcome: PorchlightError["outcome"];
  readonly commandId: string | undefined;
  readonly requestId: string | undefined;
}

export type WriteState =
  | { readonly kind: "still" }
  /** In flight or queued in this tab. `heard`: commands whose events have arrived meanwhile. */
  | { readonly kind: "asking"; readonly asked: unknown; readonly since: number; readonly heard: readonly string[] }
  /** Confirmed, with its own event still to come: any event before that one is older. */
  | { readonly kind: "settling"; readonly reported: Known; readonly commandId: string; readonly until: number }
  /** Queued by the service until the hub returns. `until` is set once it is confirmed and its event is still to come. */
  | {
      readonly kind: "waiting";
      readonly asked: unknown;
      readonly command: Command;
      readonly until?: number | undefined;
    }
  | { readonly kind: "refused"; readonly asked: unknown; readonly refusal: Refusal; readonly at: number };

export type WriteInput =
  | { readonly kind: "ask"; readonly value: unknown; readonly at: number }
  /** @param isLast no newer value has been requested meanwhile */
  | {
      readonly kind: "confirmed";
      readonly reported: Known;
      readonly commandId: string;
      readonly isLast: boolean;
      readonly at: number;
    }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly isLast: boolean; readonly at: number }
  | { readonly kind: "queued"; readonly command: Command; readonly isLast: boolean }
  /** The property's value has changed. */
  | { readonly kind: "event"; readonly commandId: string | undefined }
  | { readonly kind: "completed"; readonly command: Command; readonly at: number }
  | { readonly kind: "passed"; readonly at: number }
  | { readonly kind: "dismissed" };

export const STILL: WriteState = { kind: "still" };

/** Maximum wait for the event after the response, in ms. Without one the value was already the same. */
export const SETTLES_WITHIN = 2000;
const MOST_HEARD = 200;

export function nextState(state: WriteState, input: WriteInput): WriteState {
  switch (input.kind) {
    case "ask": {
      const { value, at } = input;
      if (state.kind === "asking") return { ...state, asked: value };
      return { kind: "asking", asked: value, since: at, heard: [] };
    }
    case "confirmed": {
      const { reported, commandId, isLast, at } = input;
      if (state.kind !== "asking" || !isLast) return state;
      // The write's event arrived before its response, so the events after it are newer.
      if (state.heard.includes(commandId)) return STILL;
      return { kind: "settling", reported, commandId, until: at + SETTLES_WITHIN };
    }
    case "refused": {
      const { refusal, isLast, at } = input;
      if (state.kind !== "asking" || !isLast) return state;
      if (refusal.commandId !== undefined && state.heard.includes(refusal.commandId)) return STILL;
      return { kind: "refused", asked: state.asked, refusal, at };
    }
    case "queued": {
      const { command, isLast } = input;
      if (state.kind !== "asking" || !isLast) return state;
      if (state.heard.includes(command.id)) return STILL;
      return { kind: "waiting", asked: state.asked, command };
    }
    case "event":
      return afterEvent(state, input.commandId);
    case "completed":
      return afterEnd(state, input.command, input.at);
    case "passed": {
      const ends = state.kind === "settling" || state.kind === "waiting" ? state.until : undefined;
      return ends !== undefined && input.at >= ends ? STILL : state;
    }
    case "dismissed":
      return state.kind === "refused" ? STILL : state;
  }
}

function afterEvent(state: WriteState, commandId: string | undefined): WriteState {
  if (commandId === undefined) return state;
  switch (state.kind) {
    case "asking":
      return { ...state, heard: [...state.heard, commandId].slice(-MOST_HEARD) };
    case "settling":
      return state.commandId === commandId ? STILL : state;
    case "waiting":
      return state.command.id === commandId ? STILL : state;
    case "refused":
      // The outcome was unknown; the event shows that the device executed the command.
      return state.refusal.commandId === commandId ? STILL : state;
    case "still":
      return state;
  }
}

function afterEnd(state: WriteState, command: Command, at: number): WriteState {
  if (state.kind === "refused" && state.refusal.commandId === command.id)
    return command.state === "confirmed" ? STILL : { ...state, refusal: refusalOf(command) };
  if (state.kind !== "waiting" || state.command.id !== command.id || state.until !== undefined) return state;
  if (command.state === "queued" || command.state === "sent") return { ...state, command };
  if (command.state === "confirmed") return { ...state, command, until: at + SETTLES_WITHIN };
  return { kind: "refused", asked: state.asked, refusal: refusalOf(command), at };
}

function refusalOf({ id, state, outcome, error }: Command): Refusal {
  const unreported =
    state === "expired"
      ? { name: "Expired", detail: "The hub did not reconnect in time." }
      : { name: "Failed", detail: "The service gives no reason." };
  return { ...(error ?? unreported), outcome, commandId: id, requestId: undefined };
}

/** The displayed state of a property. */
export interface Shown {
  readonly value: unknown;
  /** The last reported value; equals `value` unless a write is pending. */
  readonly known: Known;
  readonly isPending: boolean;
}

/** @param known the latest value from the service */
export function shownOf(state: WriteState, known: Known): Shown {
  switch (state.kind) {
    case "asking":
    case "waiting":
      return { value: state.asked, known, isPending: true };
    case "settling":
      return { value: state.reported.value, known: state.reported, isPending: false };
    case "refused":
    case "still":
      return { value: known.value, known, isPending: false };
  }
}
