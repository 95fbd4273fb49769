/** Counts down the wait that a rate limit error demands. */
import { isPorchlightError } from "@porchlight/sdk";
import { useEffect, useState } from "react";
import { useNow } from "../text/age.tsx";

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
