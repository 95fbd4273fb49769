/**
 * A connection to a network node, TCP with or without TLS: the node's end of a line, and the hub's end of one that requires TLS with a
 * shared key (L3).
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import * as tls from "node:tls";
import { type Clock, deadline, systemClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";

/** Bytes that may wait for a hub that does not read; further ones are lost, as in the small buffer of a microcontroller. */
const BACKLOG = 16 * 1024;

/** The line of a connected socket. */
export function socketLink(socket: Socket): ByteLink {
  socket.setNoDelay(true);
  // "close" follows and is reported.
  socket.on("error", () => undefined);
  return {
    listen: (onBytes, onClosed) => {
      socket.on("data", onBytes);
      socket.once("close", () => onClosed("closed by the hub"));
      if (socket.destroyed) queueMicrotask(() => onClosed("closed by the hub"));
    },
    write: (bytes) => {
      if (socket.destroyed || socket.writableEnded) return Promise.reject(new Error("closed"));
      if (socket.writableLength > BACKLOG) return Promise.resolve();
      return new Promise((resolve, reject) => {
        socket.write(bytes, (failure) => (failure ? reject(failure) : resolve()));
      });
    },
    close: () => {
      socket.end();
      socket.destroySoon();
    },
  };
}

/** A board on the network, as the hub's end of a connection to it. */
interface TcpPlace {
  readonly host: string;
  readonly port: number;
}

/** `HOST:PORT`, an IPv6 address in brackets; undefined when it is malformed. */
export function parseTcpPlace(text: string): TcpPlace | undefined {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

/** Time limit for a board's answer, ms. */
const ANSWERS_WITHIN = 10_000;

/** Connects. @throws OpenProblem */
export function connectTcp(place: TcpPlace, clock: Clock = systemClock): Promise<ByteLink> {
  return connected(place, connect(place), "connect", clock);
}

/**
 * The line of a socket once it is connected.
 * @param event the event that reports the connection: "secureConnect" with TLS
 * @throws OpenProblem
 */
async function connected(
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

/**
 * Why a board cannot be reached. `no_port`: the serial port does not exist. `locked`: another program uses it. `no_connection`: nothing
 * listens. `wrong_key`: TLS fails.
 */
export type OpenProblemKind = "no_port" | "locked" | "no_connection" | "wrong_key";

export class OpenProblem extends Error {
  override readonly name = "OpenProblem";
  readonly kind: OpenProblemKind;

  constructor(kind: OpenProblemKind, what: string) {
    super(what);
    this.kind = kind;
  }
}

/** Messages of the serial library and the file system, by a part of their text. */
const SERIAL: readonly (readonly [RegExp, OpenProblemKind, string])[] = [
  [/ENOENT|No such file/, "no_port", "there is no such port"],
  [/EACCES|Permission denied/, "no_port", "this account may not open it; on Linux, members of the group dialout may"],
  [/ENOTTY|Inappropriate ioctl|Not a typewriter|EISDIR|Is a directory/, "no_port", "it is no serial port"],
  [/EBUSY|Cannot lock|Resource temporarily unavailable|Resource busy/, "locked", "another program has it open"],
  [/baud/, "no_port", "it does not take this baud rate"],
];

/** The problem of a port that could not be opened. */
export function serialProblem(path: string, failure: unknown): OpenProblem {
  const text = textOf(failure);
  const [, kind, what] = SERIAL.find(([pattern]) => pattern.test(text)) ?? [undefined, "no_port" as const, text];
  return new OpenProblem(kind, `${path} cannot be opened: ${what}.`);
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such name",
  EAI_AGAIN: "there is no such name",
  EHOSTUNREACH: "there is no way to that address",
  ENETUNREACH: "there is no way to that address",
  ETIMEDOUT: "nothing answers",
};

/** The problem of a failed connection. @param isSecure whether TLS was required: then a connection that breaks off points to the keys */
function networkProblem(place: string, failure: unknown, isSecure: boolean): OpenProblem {
  const { code = "" } = failure instanceof Error ? (failure as NodeJS.ErrnoException) : {};
  const known = NETWORK[code];
  if (known !== undefined || !isSecure)
    return new OpenProblem("no_connection", `${place} cannot be reached: ${known ?? textOf(failure)}.`);
  return new OpenProblem("wrong_key", `${place} does not take this key for this edgeId.`);
}

function textOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

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
  const socket = tls.connect({
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
