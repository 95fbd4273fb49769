/** The connection to a network board that requires TLS with the key that it shares with its hub (L3), as the hub's end of the line. */
import { connect } from "node:tls";
import { type Clock, systemClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { connected, type TcpPlace } from "./socket-link.ts";

/** The secret of a board and its hub. */
export interface SharedKey {
  /** The board's edgeId. */
  readonly identity: string;
  readonly key: Uint8Array;
}

/** TLS 1.3 external PSK, and TLS 1.2. */
const CIPHERS = "TLS_AES_128_GCM_SHA256:PSK-AES128-GCM-SHA256";

/** Connects. @throws OpenProblem, for example when the board has another key */
export function connectTls(
  { host, port }: TcpPlace,
  { identity, key }: SharedKey,
  clock: Clock = systemClock,
): Promise<ByteLink> {
  const socket = connect({
    host,
    port,
    ciphers: CIPHERS,
    minVersion: "TLSv1.2",
    // Trust no certificate, so that a board without the key cannot present one instead.
    ca: [],
    checkServerIdentity: (_host, certificate) =>
      Object.keys(certificate).length === 0 ? undefined : new Error("the board shows a certificate instead of its key"),
    pskCallback: () => ({ psk: key, identity }),
  });
  return connected({ host, port }, socket, "secureConnect", clock);
}
