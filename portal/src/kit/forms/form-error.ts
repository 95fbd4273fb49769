/** What a form does with an error: which field shows it, and how long to wait after a rate limit error. */
import { isPorchlightError, type PorchlightErrorName } from "@porchlight/sdk";
import { useEffect, useState } from "react";
import { useNow } from "../text/age.tsx";

/** The error's message when it has one of these names; undefined otherwise. */
export function saysWhen(error: unknown, ...names: readonly PorchlightErrorName[]): string | undefined {
  return isPorchlightError(error) && names.includes(error.name) ? error.message : undefined;
}

/** The error, unless a field already shows it because it has one of these names. */
export function unlessNamed(error: Error | null, ...names: readonly PorchlightErrorName[]): Error | undefined {
  if (error === null) return undefined;
  return isPorchlightError(error) && names.includes(error.name) ? undefined : error;
}

/** Whole seconds until a rate-limited request can be retried; 0 when it can be retried now. @param error of the last attempt */
export function useCountdown(error: unknown): number {
  const [until, setUntil] = useState(0);
  useEffect(() => setUntil(endOf(error, Date.now())), [error]);
  return secondsLeft(until, useNow());
}

/**
 * End of the wait that an error demands, in ms since 1970; 0 without a wait. Waits are whole seconds, so a fraction counts as a full
 * second.
 */
export function endOf(error: unknown, now: number): number {
  const wait = waitOf(error);
  return wait === 0 ? 0 : now + wait * 1000;
}

/** The wait that an error demands, in seconds; 0 without a wait. */
export function waitOf(error: unknown): number {
  return isPorchlightError(error, "Rate Limit Exceeded") ? (error.retryAfter ?? 1) : 0;
}

export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000));
}
