/** A board on the network that wants TLS with the key that it shares with its hub (L3), as the hub's end of a connection to it. */
import { once } from "node:events";
import { connect } from "node:tls";
import type { ByteLink } from "@porchlight/shared/wire";
import { socketLink } from "./socket-link.ts";

/** What the board and its hub both know. */
export interface SharedKey {
  /** The board's edgeId. */
  readonly identity: string;
  readonly key: Uint8Array;
}

/** TLS 1.3 external PSK, and TLS 1.2. */
const CIPHERS = "TLS_AES_128_GCM_SHA256:PSK-AES128-GCM-SHA256";

/** Connects. @throws Error that says why it cannot, as when the board has another key */
export async function connectTls(
  { host, port }: { readonly host: string; readonly port: number },
  { identity, key }: SharedKey,
): Promise<ByteLink> {
  const socket = connect({
    host,
    port,
    ciphers: CIPHERS,
    minVersion: "TLSv1.2",
    // Whoever has no key may not come with a certificate instead: none is trusted.
    ca: [],
    checkServerIdentity: (_host, certificate) =>
      Object.keys(certificate).length === 0 ? undefined : new Error("the board shows a certificate instead of its key"),
    pskCallback: () => ({ psk: key, identity }),
  });
  await once(socket, "secureConnect");
  return socketLink(socket);
}
