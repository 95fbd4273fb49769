/** One attempt to reproduce a finding, apart from the search: it proves a fix. */
import type { Health, Peer } from "./peer.ts";

/** Sends inputs to a peer that was just greeted, restarted where possible, and checks it; `silent`: no answer at the start. */
export async function repeat(peer: Peer, inputs: readonly Uint8Array[]): Promise<Health | { readonly kind: "silent" }> {
  const isThere = await (peer.renew ? peer.renew() : peer.meet());
  if (!isThere) return { kind: "silent" };
  for (const input of inputs) await peer.send(input);
  return peer.look();
}
