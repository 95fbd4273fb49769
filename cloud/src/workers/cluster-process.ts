/**
 * Processes of workers by Node's `cluster`: the supervisor's process has the port, and hands each new connection to the next worker that has
 * taken the one before. Its own file because all that is of the system is here.
 */
import cluster from "node:cluster";
import { isSea } from "node:sea";
import { HandedConnections } from "./handed-connections.ts";
import type { StartProcess } from "./running-worker.ts";
import type { Channel } from "./worker-link.ts";

/** The variable by which a process knows that it is a worker, and which. */
const NUMBER = "PORCHLIGHT_WORKER_NUMBER";

/** Workers that are this program with the same arguments. */
export function startProcesses(): StartProcess {
  // As one executable there is no script to name, and the first argument comes in its place.
  const [exec = "", ...others] = process.argv.slice(isSea() ? 2 : 1);
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec, args: others });
  const connections = new HandedConnections();
  return (number, { heard, ended }) => {
    const worker = cluster.fork({ [NUMBER]: String(number) });
    connections.watch(worker.process);
    worker.on("message", heard);
    worker.once("exit", (code: number | null, signal: string | null) => ended({ code, signal: signal || null }));
    // It could not be started, or not be told something: in the first case there is no exit.
    worker.on("error", () => {
      if (worker.process.pid === undefined) ended({ code: null, signal: null });
    });
    return {
      pid: worker.process.pid ?? 0,
      tell: (message) => {
        if (worker.isConnected()) worker.send(message, () => undefined);
      },
      kill: () => void worker.process.kill("SIGKILL"),
    };
  };
}

/** The number of the worker that this process is; undefined when it is none. */
export function ownNumber(): number | undefined {
  const number = Number(process.env[NUMBER]);
  return cluster.isWorker && Number.isInteger(number) ? number : undefined;
}

/** The channel of this process, which is a worker. Without its supervisor it ends at once: `cluster` sees to that. */
export function ownChannel(): Channel {
  return {
    tell: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    hear: (listener) => void process.on("message", listener),
  };
}
