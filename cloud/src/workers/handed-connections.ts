/**
 * Connections that were handed to a worker and that no worker will take, closed: those under way to a worker that ends, and those that the
 * last worker which listened has handed back. Node's `cluster` forgets the first and keeps the second until the process ends, and keeps
 * both open: their callers would wait for an answer. Its own file because it knows how `cluster` hands connections over.
 */
import type { ChildProcess } from "node:child_process";
import { z } from "zod";

/** By which the supervisor's process hands a connection over. */
const handedOver = z.object({ cmd: z.literal("NODE_CLUSTER"), act: z.literal("newconn"), seq: z.number() });
/** What a worker says of connections: that it has taken one or will not; that it wants some; that it wants no more. */
const said = z.union([
  z.object({ cmd: z.literal("NODE_CLUSTER"), ack: z.number(), accepted: z.boolean() }),
  z.object({ cmd: z.literal("NODE_CLUSTER"), act: z.enum(["queryServer", "close"]) }),
]);
const closable = z.custom<Connection>(
  (handle) => typeof handle === "object" && handle !== null && "close" in handle && typeof handle.close === "function",
);

interface Connection {
  close(): void;
}

/** What is watched of the process of a worker. */
export interface WatchedProcess extends Pick<ChildProcess, "on" | "once"> {
  send?(...args: readonly unknown[]): boolean;
}

/** Of all workers of this process, which listen on one port. */
export class HandedConnections {
  readonly #listening = new Set<WatchedProcess>();
  /** Handed back, and not handed on since. */
  readonly #back = new Set<Connection>();

  /** @param process of a worker that was just started */
  watch(process: WatchedProcess): void {
    const underWay = new Map<number, Connection>();
    const send = process.send?.bind(process);
    if (send === undefined) throw new Error("the process has no channel");
    process.send = (...args) => {
      const [message, handle] = args;
      const { data } = handedOver.safeParse(message);
      const { data: connection } = closable.safeParse(handle);
      if (data && connection) {
        this.#back.delete(connection);
        underWay.set(data.seq, connection);
      }
      return send(...args);
    };
    process.on("internalMessage", (message) => {
      const { data } = said.safeParse(message);
      if (data === undefined) return;
      if ("ack" in data) {
        const connection = underWay.get(data.ack);
        underWay.delete(data.ack);
        if (connection && !data.accepted) this.#back.add(connection);
      } else if (data.act === "queryServer") this.#listening.add(process);
      else this.#listening.delete(process);
      this.#settle();
    });
    process.once("exit", () => {
      for (const connection of underWay.values()) connection.close();
      underWay.clear();
      this.#listening.delete(process);
      this.#settle();
    });
  }

  /** Nobody will take what was handed back when nobody listens. `cluster` hears the same message after this, and may hand it on. */
  #settle(): void {
    setImmediate(() => {
      if (this.#listening.size > 0) return;
      for (const connection of this.#back) connection.close();
      this.#back.clear();
    });
  }
}
