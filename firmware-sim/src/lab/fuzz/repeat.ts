/** One try of what a finding was: apart from the hunt, since it is what a fix is proved by. */
import type { Health, Peer } from "./peer.ts";

/** Says inputs to a party that has just been met, started anew where that can be done, and looks; `silent`: there is no answer at the beginning. */
export async function repeat(peer: Peer, inputs: readonly Uint8Array[]): Promise<Health | { readonly kind: "silent" }> {
  const isThere = await (peer.renew ? peer.renew() : peer.meet());
  if (!isThere) return { kind: "silent" };
  for (const input of inputs) await peer.send(input);
  return peer.look();
}
