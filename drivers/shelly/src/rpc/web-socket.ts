/** The real network: HTTP and WebSockets, by `ws`. */
import { type ClientRequest, request as httpRequest } from "node:http";
import { type TextSocket, type TextSocketEvents, textSocket } from "@porchlight/driver-kit/links";
import { WebSocket } from "ws";
import { NoShelly, NotReached, type ShellyEndpoint, type ShellyNetwork, TooManyConnections } from "./shelly-network.ts";

/** Largest introduction, bytes. */
const LARGEST_INTRODUCTION = 16 * 1024;
/** Largest message, bytes: a larger one ends the connection. */
export const LARGEST_MESSAGE = 2 * 1024 * 1024;
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
