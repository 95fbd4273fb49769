/** Where somebody else's board is, as a command line says it: `--serial PATH[@BAUD]` or `--tcp HOST:PORT`. */
import type { ByteLink } from "@porchlight/shared/wire";
import { openSerial, parseSerialPlace } from "../simulator/links/serial-link.ts";
import { connectTcp, parseTcpPlace } from "../simulator/links/tcp-link.ts";
import { connectTls, type SharedKey } from "../simulator/links/tls-link.ts";
import { UsageError } from "./usage.ts";

export interface PlaceOptions {
  readonly serial?: string | undefined;
  readonly tcp?: string | undefined;
  /** Hex. */
  readonly psk?: string | undefined;
  readonly id?: string | undefined;
}

const KEY = /^([0-9a-f]{2}){16,64}$/i;

export interface Place {
  /** As the person wrote it. */
  readonly name: string;
  /** Whether another line can be opened beside one that is open. */
  readonly isShared: boolean;
  /** @throws OpenProblem */
  open(): Promise<ByteLink>;
}

/** The key of a board that wants TLS. @throws UsageError */
export function keyOf({ psk, id, tcp }: PlaceOptions): SharedKey | undefined {
  if (psk === undefined) return undefined;
  if (tcp === undefined) throw new UsageError("--psk: only a board on the network has a key");
  if (!KEY.test(psk)) throw new UsageError("--psk: it must be a key of 16 to 64 bytes in hex");
  if (id === undefined) throw new UsageError("--psk: say with --id whose key it is");
  return { identity: id, key: Buffer.from(psk, "hex") };
}

/** @throws UsageError for a place that is none, or for both */
export function placeOfOption(options: PlaceOptions): Place | undefined {
  const { serial, tcp } = options;
  const shared = keyOf(options);
  if (serial !== undefined && tcp !== undefined) throw new UsageError("--serial and --tcp: give one of them");
  if (serial !== undefined) {
    const place = parseSerialPlace(serial);
    if (!place) throw new UsageError(`--serial ${serial}: it must be PATH or PATH@BAUD`);
    return { name: serial, isShared: false, open: () => openSerial(place) };
  }
  if (tcp === undefined) return undefined;
  const place = parseTcpPlace(tcp);
  if (!place) throw new UsageError(`--tcp ${tcp}: it must be HOST:PORT`);
  const name = shared ? `${tcp} with TLS` : tcp;
  return { name, isShared: true, open: () => (shared ? connectTls(place, shared) : connectTcp(place)) };
}
