/** The real network: HTTP, and WebSockets by `ws`. */

import { once } from "node:events";
import { type ClientRequest, request as httpRequest } from "node:http";
import { type TextSocket, type TextSocketEvents, textSocket } from "@porchlight/driver-kit/links";
import { WebSocket, WebSocketServer } from "ws";

/** Largest answer to `GET /shelly`, bytes. */
const LARGEST_INTRODUCTION = 16 * 1024;
/** Largest message, bytes; a larger one closes the connection. */
const LARGEST_MESSAGE = 2 * 1024 * 1024;
/** HTTP statuses of a device without a free channel. */
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
    // Stays for the socket's life: an error without a listener would end the process. `close` follows the error.
    socket.on("error", (failure) => {
      settled();
      reject(reasonOf(failure, signal));
    });
  });
}

const NO_ROOM_TEXT = "All connections that the device allows are in use.";

/** An IPv6 address needs brackets. */
function authority({ host, port }: ShellyEndpoint): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function reasonOf(failure: Error, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (failure instanceof NoShelly || failure instanceof TooManyConnections) return failure;
  return new NotReached(failure.message || "it does not answer");
}

/** The network interface of the driver: identify a device, open a channel. Tests have an implementation in memory. */
export interface ShellyEndpoint {
  /** Host name or address. */
  readonly host: string;
  readonly port: number;
}

export interface ShellyNetwork {
  /** Identity that a device publishes without a password (`GET /shelly`), as JSON. @throws NotReached, NoShelly, the signal's reason */
  introduce(endpoint: ShellyEndpoint, signal: AbortSignal): Promise<unknown>;
  /** Opens a channel (`/rpc`). @throws NotReached, TooManyConnections, the signal's reason */
  open(endpoint: ShellyEndpoint, events: TextSocketEvents, signal: AbortSignal): Promise<TextSocket>;
}

/** No host answers at that address. */
export class NotReached extends Error {}

/** Another kind of device answers there. */
export class NoShelly extends Error {}

/** All of the device's channels are in use; other clients can have 6. */
export class TooManyConnections extends Error {}

/** Accepts an incoming channel of a device (outbound WebSocket); no event is delivered before. */
export type OpenCalled = (events: TextSocketEvents) => TextSocket;

/**
 * Listens for channels that devices open, because sleeping devices cannot be called, until it is disposed of. @throws Error when it
 * cannot listen
 */
export type ListenForDevices = (take: (open: OpenCalled) => void) => Promise<AsyncDisposable>;

/** Maximum concurrent incoming channels: each costs memory before the device is known. */
const MOST_CALLS = 64;

export function listenOn({ host, port }: { readonly host: string; readonly port: number }): ListenForDevices {
  return async (take) => {
    const server = new WebSocketServer({ host, port, maxPayload: LARGEST_MESSAGE, perMessageDeflate: false });
    server.on("connection", (socket) => {
      if (server.clients.size > MOST_CALLS) {
        // Later errors of a rejected socket have no reader.
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
