/** Tells the hub how the bridge is paired: a request of the hub's alone, which the public client does not have. */
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
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(`${url.replace(/\/+$/, "")}/api/matter-bridge`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...info, devices, controllers }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TRY_MS)]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the hub answers ${response.status}`);
}
