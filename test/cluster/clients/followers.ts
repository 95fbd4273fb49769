/** The receivers of events: a reader of the stream that changes nodes as it likes, and the receiver of a webhook. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { rawStream } from "../../parts/raw-stream.ts";
import type { StreamSeen } from "../history/history.ts";
import { eventSeenIn } from "./event-seen.ts";
import type { Load } from "./load.ts";

/** A reader leaves its node by itself after up to so long, ms. */
const STAYS_MS = 6000;

/** Follows the stream over nodes and breaks, behind the last event that it received, until the signal. */
export async function follower(load: Load, name: string, after: number, signal: AbortSignal): Promise<void> {
  const seen: StreamSeen = { name, after, events: [], resets: 0 };
  load.history.streams.push(seen);
  const path = `/api/events?ecosystemId=${load.home.ecosystemId}`;
  while (!signal.aborted) {
    const { url } = load.where();
    const stays = load.isOver ? STAYS_MS : 500 + load.random.fraction() * STAYS_MS;
    const leave = AbortSignal.any([signal, AbortSignal.timeout(Math.round(stays))]);
    const last = seen.events.at(-1)?.sequence ?? after;
    try {
      for await (const { event, data } of rawStream(`${url}${path}`, load.home.token, last, leave))
        if (event === "reset") seen.resets += 1;
        else seen.events.push(eventSeenIn(load, JSON.stringify(data)));
    } catch {
      // It left, or the line broke: it goes on elsewhere, behind its last event.
    }
    if (!signal.aborted) await load.clockPause(50 + load.random.fraction() * 200);
  }
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
}

/** Takes every delivery, and notes it before it answers. */
export async function startReceiver(load: Load): Promise<Receiver> {
  const take = async (incoming: IncomingMessage) => {
    load.history.deliveries.push(eventSeenIn(load, await text(incoming)));
  };
  const server = createServer((incoming, answer) => {
    take(incoming).then(
      () => answer.writeHead(204).end(),
      () => answer.writeHead(400).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
