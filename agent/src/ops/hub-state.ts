/** The state that a hub reports through the cloud: its status without its devices, and the machine that it runs on. */
import { freemem, machine, release, totalmem, type } from "node:os";
import type { HubState } from "@porchlight/shared/model";
import { problemsOf } from "./health.ts";
import type { AgentStatus } from "./status-schema.ts";

/** The machine, and the memory that the process uses. */
export interface Machine {
  /** `Linux 6.12.0` */
  readonly system: string;
  readonly architecture: string;
  /** `Node.js 24.11.0` */
  readonly runtime: string;
  memory(): HubState["memory"];
}

export function thisMachine(): Machine {
  return {
    system: `${type()} ${release()}`.slice(0, 256),
    architecture: machine().slice(0, 256),
    runtime: `Node.js ${process.versions.node}`,
    memory: () => ({ agentBytes: process.memoryUsage.rss(), freeBytes: freemem(), totalBytes: totalmem() }),
  };
}

/** @param uptimeMs how long the agent has been running */
export function hubStateOf(
  status: AgentStatus,
  about: { readonly uptimeMs: number; readonly dataFolder: string; readonly restart: HubState["restart"] },
  { system, architecture, runtime, memory }: Machine,
): HubState {
  const { version, queue, disk, clock, commandsWaiting, localApi } = status;
  const { records, bytes, droppedValues, gaps, full } = queue;
  const { freeBytes, totalBytes, databaseBytes, short } = disk;
  return {
    ...{ version, ...about, system, architecture, runtime },
    memory: memory(),
    disk: { freeBytes, totalBytes, databaseBytes, isFull: short },
    queue: { records, bytes, droppedValues, gaps, isFull: full },
    clock,
    commandsWaiting,
    localApi,
    problems: problemsOf(status)
      .slice(0, 64)
      .map(({ name, says, cure }) => ({ name, says: says.slice(0, 4096), cure: cure.slice(0, 4096) })),
  };
}
