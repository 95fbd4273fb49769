/** Several processes of the service on one port of one machine. */
export { ownChannel, ownNumber, startProcesses } from "./cluster-process.ts";
export { Supervisor, WorkerFailed } from "./supervisor.ts";
export { WorkerLink } from "./worker-link.ts";
