/** A board on the network, as the hub's end of a connection to it. */
import { once } from "node:events";
import { connect } from "node:net";
import type { ByteLink } from "@porchlight/shared/wire";
import { socketLink } from "./socket-link.ts";

export interface TcpPlace {
  readonly host: string;
  readonly port: number;
}

/** `HOST:PORT`; an IPv6 address stands in brackets. Undefined when it is none. */
export function parseTcpPlace(text: string): TcpPlace | undefined {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

/** Connects. @throws Error that says why there is no answer */
export async function connectTcp({ host, port }: TcpPlace): Promise<ByteLink> {
  const socket = connect({ host, port });
  await once(socket, "connect");
  return socketLink(socket);
}
