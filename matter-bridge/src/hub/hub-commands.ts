/**
 * Carries out commands of controllers through the hub's API, which journals them like any command at home. A controller gets success only
 * after the hub has confirmed it.
 */
import { isPorchlightError, type Porchlight, type PorchlightError } from "@porchlight/sdk";
import { type Asked, DONE, type Verdict, type Write } from "../parts/part.ts";

/** How long the hub may wait for a device, seconds; shorter than any controller waits for the bridge. */
const WAIT_SECONDS = 8;

export type SetProperty = Pick<Porchlight["devices"], "set">;

/**
 * Sends the writes one after another; the first one without confirmation decides the verdict. No write is repeated, because a person who
 * waits presses again.
 * @param confirmed called with each value that a device confirms
 */
export async function carryOut(
  hub: SetProperty,
  deviceId: string,
  asked: Asked,
  confirmed: (item: Awaited<ReturnType<SetProperty["set"]>>["item"]) => void,
): Promise<Verdict> {
  if ("refused" in asked) return { kind: asked.refused, why: `the device cannot do that (${asked.refused})` };
  for (const [before, write] of asked.entries()) {
    const verdict = await one(hub, deviceId, write, confirmed);
    if (verdict.kind !== "done") return before === 0 ? verdict : partlyDone(verdict);
  }
  return DONE;
}

/** A first write was carried out, so the verdict cannot be "nothing happened". */
function partlyDone(verdict: Exclude<Verdict, { readonly kind: "done" }>): Verdict {
  return verdict.kind === "rejected" ? verdict : { kind: "unknown", why: `a part was carried out; ${verdict.why}` };
}

async function one(
  hub: SetProperty,
  deviceId: string,
  { key, value }: Write,
  confirmed: Parameters<typeof carryOut>[3],
): Promise<Verdict> {
  try {
    const { item } = await hub.set(deviceId, key, value, { wait: WAIT_SECONDS, retries: 0 });
    confirmed(item);
    return DONE;
  } catch (failure) {
    if (isPorchlightError(failure)) return verdictOf(failure);
    throw failure;
  }
}

/** Verdict for an error of the API. */
export function verdictOf({ name, outcome, message, status }: PorchlightError): Verdict {
  const why = `${name}: ${message}`;
  if (outcome === "unknown") return { kind: "unknown", why };
  if (outcome === "rejected") return { kind: "rejected", why };
  if (name === "Property Value Invalid") return { kind: "constraint", why };
  if (name === "Property Not Writable" || name === "Service Property Invalid") return { kind: "unsupported", why };
  if (outcome !== undefined) return { kind: "not_done", why };
  // The request may have arrived although no answer came.
  return status === 0 || status >= 500 ? { kind: "unknown", why } : { kind: "not_done", why };
}
