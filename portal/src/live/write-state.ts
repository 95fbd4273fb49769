/**
 * How a write to one property stands, decided apart from sending it. What is shown of a value follows from it: what was asked for is never
 * taken for what the device said, and a value that is older than the last one the device told never takes its place.
 */

import type { PorchlightError } from "@porchlight/sdk";
import type { Command } from "@porchlight/shared/api";

/** What the device said, and when. */
export interface Known {
  readonly value?: unknown;
  readonly modifiedAt?: string | undefined;
  readonly observedAt?: string | undefined;
  /** Of a value of unknown age. */
  readonly source?: "retained" | undefined;
}

/** Why a value was not taken. */
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
  /** On its way, or waiting for its turn. `heard`: commands of which events have come meanwhile. */
  | { readonly kind: "asking"; readonly asked: unknown; readonly since: number; readonly heard: readonly string[] }
  /** Confirmed, and its own event is still to come: events before that one are older. */
  | { readonly kind: "settling"; readonly said: Known; readonly commandId: string; readonly until: number }
  /** Kept by the service until the hub is back. `until`: it was carried out, and its event is still to come. */
  | {
      readonly kind: "waiting";
      readonly asked: unknown;
      readonly command: Command;
      readonly until?: number | undefined;
    }
  | { readonly kind: "refused"; readonly asked: unknown; readonly refusal: Refusal; readonly at: number };

export type WriteInput =
  | { readonly kind: "ask"; readonly value: unknown; readonly at: number }
  /** @param isLast nothing newer has been asked for meanwhile */
  | {
      readonly kind: "confirmed";
      readonly said: Known;
      readonly commandId: string;
      readonly isLast: boolean;
      readonly at: number;
    }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly isLast: boolean; readonly at: number }
  | { readonly kind: "queued"; readonly command: Command; readonly isLast: boolean }
  /** The property has changed. */
  | { readonly kind: "event"; readonly commandId: string | undefined }
  | { readonly kind: "completed"; readonly command: Command; readonly at: number }
  | { readonly kind: "passed"; readonly at: number }
  | { readonly kind: "dismissed" };

export const STILL: WriteState = { kind: "still" };

/** An event that has not come so long after the answer will not: the value was the same as before, ms. */
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
      const { said, commandId, isLast, at } = input;
      if (state.kind !== "asking" || !isLast) return state;
      // Its event was faster than the answer: what came after that is newer.
      if (state.heard.includes(commandId)) return STILL;
      return { kind: "settling", said, commandId, until: at + SETTLES_WITHIN };
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
      // Nobody knew, and it was carried out after all.
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
  const untold =
    state === "expired"
      ? { name: "Expired", detail: "The hub did not reconnect in time." }
      : { name: "Failed", detail: "The service gives no reason." };
  return { ...(error ?? untold), outcome, commandId: id, requestId: undefined };
}

/** What is shown of a property. */
export interface Shown {
  readonly value: unknown;
  /** What the device said last; the same as `value` unless something is pending. */
  readonly known: Known;
  readonly isPending: boolean;
}

/** @param known as the service has told it so far */
export function shownOf(state: WriteState, known: Known): Shown {
  switch (state.kind) {
    case "asking":
    case "waiting":
      return { value: state.asked, known, isPending: true };
    case "settling":
      return { value: state.said.value, known: state.said, isPending: false };
    case "refused":
    case "still":
      return { value: known.value, known, isPending: false };
  }
}
