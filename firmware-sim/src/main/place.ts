/** Where somebody else's board is, as a command line says it: `--serial PATH[@BAUD]` or `--tcp HOST:PORT`. */
import type { ByteLink } from "@porchlight/shared/wire";
import { openSerial, parseSerialPlace } from "../links/serial-link.ts";
import { connectTcp, parseTcpPlace } from "../links/tcp-link.ts";
import { UsageError } from "./usage.ts";

export interface PlaceOptions {
  readonly serial?: string | undefined;
  readonly tcp?: string | undefined;
}

export interface Place {
  /** As the person wrote it. */
  readonly name: string;
  /** @throws Error when nobody is there */
  open(): Promise<ByteLink>;
}

/** @throws UsageError for a place that is none, or for both */
export function placeOf({ serial, tcp }: PlaceOptions): Place | undefined {
  if (serial !== undefined && tcp !== undefined) throw new UsageError("--serial and --tcp: give one of them");
  if (serial !== undefined) {
    const place = parseSerialPlace(serial);
    if (!place) throw new UsageError(`--serial ${serial}: it is to be PATH or PATH@BAUD`);
    return { name: serial, open: () => openSerial(place) };
  }
  if (tcp === undefined) return undefined;
  const place = parseTcpPlace(tcp);
  if (!place) throw new UsageError(`--tcp ${tcp}: it is to be HOST:PORT`);
  return { name: tcp, open: () => connectTcp(place) };
}
