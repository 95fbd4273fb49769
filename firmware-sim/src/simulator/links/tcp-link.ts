/** A board on the network, as the hub's end of a connection to it. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Clock, deadline, systemClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { networkProblem } from "./open-problem.ts";
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

/** How long a board may take to answer, ms. */
const ANSWERS_WITHIN = 10_000;

/** Connects. @throws OpenProblem */
export function connectTcp(place: TcpPlace, clock: Clock = systemClock): Promise<ByteLink> {
  return connected(place, connect(place), "connect", clock);
}

/**
 * The line of a socket once it is connected.
 * @param event by which the socket says so: "secureConnect" with TLS
 * @throws OpenProblem
 */
export async function connected(
  { host, port }: TcpPlace,
  socket: Socket,
  event: "connect" | "secureConnect",
  clock: Clock,
): Promise<ByteLink> {
  const limit = deadline(clock, "connection to a board", ANSWERS_WITHIN, { reason: () => noAnswer() });
  try {
    await once(socket, event, { signal: limit.signal });
    return socketLink(socket);
  } catch (failure) {
    socket.destroy();
    const why = limit.isOver ? noAnswer() : failure;
    throw networkProblem(`${host}:${port}`, why, event === "secureConnect");
  } finally {
    limit.end();
  }
}

function noAnswer(): Error {
  return Object.assign(new Error("no answer"), { code: "ETIMEDOUT" });
}
