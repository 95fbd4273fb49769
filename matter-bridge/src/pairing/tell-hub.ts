/** Tells the hub how the bridge is paired: a request of the hub's alone, which the public client does not have. */
import { type Clock, deadline } from "@porchlight/shared/kernel";
import type { PairingInfo } from "./pairing-info.ts";

/** How long it may take, ms. */
const TRY_MS = 10_000;

export interface HubPlace {
  readonly url: string;
  readonly token: string;
}

/** @throws Error when the hub does not take it, or does not answer */
export async function tellHub(
  { url, token }: HubPlace,
  { controllers, devices, ...info }: PairingInfo & { readonly devices: number },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const limit = deadline(clock, "how the bridge is paired is told", TRY_MS, { signal });
  try {
    const response = await fetch(`${url.replace(/\/+$/, "")}/api/matter-bridge`, {
      method: "PUT",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ ...info, devices, controllers }),
      signal: limit.signal,
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the hub answers ${response.status}`);
  } finally {
    limit.end();
  }
}
