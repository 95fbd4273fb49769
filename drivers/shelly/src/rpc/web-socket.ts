/** The real network: HTTP and WebSockets, by `ws`. */

import { once } from "node:events";
import { type ClientRequest, request as httpRequest } from "node:http";
import { type TextSocket, type TextSocketEvents, textSocket } from "@porchlight/driver-kit/links";
import { WebSocket, WebSocketServer } from "ws";

/** Largest introduction, bytes. */
const LARGEST_INTRODUCTION = 16 * 1024;
/** Largest message, bytes: a larger one ends the connection. */
const LARGEST_MESSAGE = 2 * 1024 * 1024;
/** What a device answers when it has no channel left. */
const NO_ROOM: ReadonlySet<number> = new Set([429, 503]);

export const realNetwork: ShellyNetwork = { introduce, open };

async function introduce(endpoint: ShellyEndpoint, signal: AbortSignal): Promise<unknown> {
  const body = await bodyOf(httpRequest(`http://${authority(endpoint)}/shelly`, { agent: false, signal }), signal);
  try {
    return JSON.parse(body);
  } catch {
    throw new NoShelly("The device at this address is not a Shelly device.");
  }
}

function bodyOf(request: ClientRequest, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    request.once("response", (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on("data", (part: Buffer) => {
        size += part.byteLength;
        parts.push(part);
        if (size > LARGEST_INTRODUCTION)
          request.destroy(new NoShelly("The device at this address is not a Shelly device."));
      });
      response.once("end", () => {
        const { statusCode = 0 } = response;
        if (statusCode === 200) resolve(Buffer.concat(parts).toString("utf8"));
        else if (NO_ROOM.has(statusCode)) reject(new TooManyConnections(NO_ROOM_TEXT));
        else reject(new NoShelly(`The device at this address is not a Shelly device (status ${statusCode}).`));
      });
      response.once("error", (failure) => reject(reasonOf(failure, signal)));
    });
    request.once("error", (failure) => reject(reasonOf(failure, signal)));
    request.end();
  });
}

function open(endpoint: ShellyEndpoint, events: TextSocketEvents, signal: AbortSignal): Promise<TextSocket> {
  return new Promise((resolve, reject) => {
    const options = { perMessageDeflate: false, maxPayload: LARGEST_MESSAGE };
    const socket = new WebSocket(`ws://${authority(endpoint)}/rpc`, options);
    const giveUp = () => {
      reject(signal.reason);
      socket.terminate();
    };
    const settled = () => signal.removeEventListener("abort", giveUp);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    socket.once("open", () => {
      settled();
      resolve(textSocket(socket, events, "the device"));
    });
    socket.once("unexpected-response", (_request, response) => {
      settled();
      const { statusCode = 0 } = response;
      if (NO_ROOM.has(statusCode)) reject(new TooManyConnections(NO_ROOM_TEXT));
      else reject(new NotReached(`The device refuses a connection (status ${statusCode}).`));
      response.resume();
      socket.terminate();
    });
    // Stays for the socket's life: an error without a listener would end the process; `close` follows it.
    socket.on("error", (failure) => {
      settled();
      reject(reasonOf(failure, signal));
    });
  });
}

const NO_ROOM_TEXT = "All connections that the device allows are in use.";

/** An address of version 6 stands in brackets. */
function authority({ host, port }: ShellyEndpoint): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function reasonOf(failure: Error, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (failure instanceof NoShelly || failure instanceof TooManyConnections) return failure;
  return new NotReached(failure.message || "it does not answer");
}

/** What the driver needs of the network: an introduction, a socket for its channel. A test has another one in memory. */
export interface ShellyEndpoint {
  /** Name or address. */
  readonly host: string;
  readonly port: number;
}

export interface ShellyNetwork {
  /** What a device says of itself to everybody (`GET /shelly`), as JSON. @throws NotReached, NoShelly, the signal's reason */
  introduce(endpoint: ShellyEndpoint, signal: AbortSignal): Promise<unknown>;
  /** Opens a channel (`/rpc`). @throws NotReached, TooManyConnections, the signal's reason */
  open(endpoint: ShellyEndpoint, events: TextSocketEvents, signal: AbortSignal): Promise<TextSocket>;
}

/** Nobody answers at that address. */
export class NotReached extends Error {}

/** Something else answers there. */
export class NoShelly extends Error {}

/** The device has no channel left: 6 that are not its own. */
export class TooManyConnections extends Error {}

// Channels that devices open to the hub (outbound WebSocket): those that sleep cannot be called.

/** Takes the socket over: nothing is heard before. */
export type OpenCalled = (events: TextSocketEvents) => TextSocket;

/** Listens until it is disposed of, and hands on each channel at once. @throws Error when it cannot listen */
export type ListenForDevices = (take: (open: OpenCalled) => void) => Promise<AsyncDisposable>;

/** Channels at once: each costs memory before it is known who calls. */
const MOST_CALLS = 64;

export function listenOn({ host, port }: { readonly host: string; readonly port: number }): ListenForDevices {
  return async (take) => {
    const server = new WebSocketServer({ host, port, maxPayload: LARGEST_MESSAGE, perMessageDeflate: false });
    server.on("connection", (socket) => {
      if (server.clients.size > MOST_CALLS) {
        // Its error after that is nobody's.
        socket.on("error", () => undefined);
        socket.terminate();
      } else take((events) => textSocket(socket, events, "the device"));
    });
    await once(server, "listening");
    server.on("error", () => undefined);
    const end = async () => {
      for (const client of server.clients) client.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    return { [Symbol.asyncDispose]: end };
  };
}
