/**
 * Connections that were handed to a worker and not taken by it yet, closed when it ends. Node's `cluster` forgets them then, and keeps
 * them open: their callers would wait for an answer for ever. Its own file because it knows how `cluster` hands connections over.
 */
import type { ChildProcess } from "node:child_process";
import { z } from "zod";

/** By which the supervisor's process hands a connection over. */
const handedOver = z.object({ cmd: z.literal("NODE_CLUSTER"), act: z.literal("newconn"), seq: z.number() });
/** By which the worker says that it has taken it, or will not. */
const answered = z.object({ cmd: z.literal("NODE_CLUSTER"), ack: z.number() });
const closable = z.custom<{ close(): void }>(
  (handle) => typeof handle === "object" && handle !== null && "close" in handle && typeof handle.close === "function",
);

/** What is watched of the process of a worker. */
export interface WatchedProcess extends Pick<ChildProcess, "on" | "once"> {
  send?(...args: readonly unknown[]): boolean;
}

export function closeUntaken(process: WatchedProcess): void {
  const underWay = new Map<number, { close(): void }>();
  const send = process.send?.bind(process);
  if (send === undefined) throw new Error("the process has no channel");
  process.send = (...args) => {
    const [message, handle] = args;
    const { data } = handedOver.safeParse(message);
    const { data: connection } = closable.safeParse(handle);
    if (data && connection) underWay.set(data.seq, connection);
    return send(...args);
  };
  process.on("internalMessage", (message) => {
    const { data } = answered.safeParse(message);
    if (data) underWay.delete(data.ack);
  });
  process.once("exit", () => {
    for (const connection of underWay.values()) connection.close();
    underWay.clear();
  });
}
