/** The wait that a refusal asks for, counted down in sight. */
import { isPorchlightError } from "@porchlight/sdk";
import { useEffect, useState } from "react";
import { useNow } from "../text/age.tsx";

/** Whole seconds until what was refused for its rate may be tried again; 0 when it may be now. @param error of the last try */
export function useCountdown(error: unknown): number {
  const [until, setUntil] = useState(0);
  useEffect(() => setUntil(endOf(error, Date.now())), [error]);
  return secondsLeft(until, useNow());
}

/** When the wait that an error asks for is over, ms; 0 when it asks for none: a clock of whole seconds makes a wait of any part of one. */
export function endOf(error: unknown, now: number): number {
  const wait = waitOf(error);
  return wait === 0 ? 0 : now + wait * 1000;
}

/** Seconds that an error asks to wait: 0 when it asks for none. */
export function waitOf(error: unknown): number {
  return isPorchlightError(error, "Rate Limit Exceeded") ? (error.retryAfter ?? 1) : 0;
}

export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000));
}
