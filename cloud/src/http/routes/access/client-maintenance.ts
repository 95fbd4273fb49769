/** `/api/clients/:id/status`, `…/doctor`, `…/logs`, `…/backups`, `…/restart`: the condition of a hub, and its maintenance. */
import {
  hubBackupList,
  hubDoctor,
  hubLog,
  hubRestart,
  hubStatus,
  LOG_LEVELS,
  type LogLevel,
  newHubBackup,
} from "@porchlight/shared/api";
import { type Clock, type ErrorName, formatTime, NamedError } from "@porchlight/shared/kernel";
import {
  type KeptBackup,
  type MaintenanceAnswer,
  type MaintenanceQuestion,
  MOST_LOG_MINUTES,
} from "@porchlight/shared/model";
import type { Caller } from "../../../access/index.ts";
import type { Devices } from "../../../devices/index.ts";
import type { Clients } from "../../../places/index.ts";
import { A_S_U, created, defineRoute, ok, type Route } from "../../routing/route.ts";

const PATH = "/api/clients/:id";
const ERRORS: readonly ErrorName[] = [
  ...(["Client Invalid", "Client Not Found", "Access Denied"] as const),
  ...(["Hub Offline", "Hub Timeout", "Hub Outdated", "Hub Rejected"] as const),
];
/** Defaults of the query. */
const DEFAULT_MINUTES = 15;
const DEFAULT_LEVEL: LogLevel = "info";

interface AskedBy {
  readonly caller: Caller;
  readonly params: { readonly id: string };
}

export interface ClientMaintenanceDeps {
  readonly clients: Clients;
  readonly devices: Devices;
  readonly clock: Clock;
}

export function clientMaintenanceRoutes({ clients, devices, clock }: ClientMaintenanceDeps): Route[] {
  const ask = async <K extends string>(
    { caller, params }: AskedBy,
    question: MaintenanceQuestion,
    key: K,
  ): Promise<Extract<MaintenanceAnswer, Record<K, unknown>>[K]> => {
    const { ecosystemId, id: clientId } = await clients.resolve(caller, params.id);
    return answered(await devices.askMaintenance({ ecosystemId, clientId, question }), key);
  };
  const now = () => formatTime(clock.now());
  return [
    defineRoute({
      method: "GET",
      path: `${PATH}/status`,
      operationId: "getHubStatus",
      tag: "clients",
      summary: "Show the version, machine, memory, disk and problems of a hub",
      tokens: A_S_U,
      answers: { 200: hubStatus },
      errors: ERRORS,
      handle: async (call) => {
        const status = await ask(call, { ask: "status" }, "status");
        return ok({ ...status, startedAt: formatTime(status.startedAt), observedAt: now() });
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/doctor`,
      operationId: "checkHub",
      tag: "clients",
      summary: "Run the checks of `porchlight-agent doctor` on a hub",
      tokens: A_S_U,
      answers: { 200: hubDoctor },
      errors: ERRORS,
      handle: async (call) => ok({ ...(await ask(call, { ask: "doctor" }, "doctor")), observedAt: now() }),
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/logs`,
      operationId: "listHubLogs",
      tag: "clients",
      summary: "Show the log of the last minutes of a hub, without secrets",
      tokens: A_S_U,
      query: ["minutes", "level"],
      answers: { 200: hubLog },
      errors: [...ERRORS, "Query Parameter Invalid"],
      handle: async (call) => {
        const { minutes, level } = call.query;
        const question = { ask: "log", minutes: readMinutes(minutes), level: readLevel(level) } as const;
        const { lines, oldestAt, ...log } = await ask(call, question, "log");
        const items = lines.map((line) => ({ ...line, at: formatTime(line.at) }));
        return ok({
          ...log,
          ...(oldestAt !== undefined && { oldestAt: formatTime(oldestAt) }),
          observedAt: now(),
          items,
        });
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "reserve",
      path: `${PATH}/restart`,
      operationId: "restartHub",
      tag: "clients",
      summary: "Restart the agent on a hub; it answers before it restarts",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      answers: { 202: hubRestart },
      errors: ERRORS,
      handle: async (call) => {
        // Recorded before it is done: an action that cannot be recorded is not done.
        await clients.note(call.caller, call.params.id, "hub.restart_requested", {});
        const restart = await ask(call, { ask: "restart" }, "restart");
        return { status: 202, body: { ...restart, acceptedAt: now() } };
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/backups`,
      operationId: "listHubBackups",
      tag: "clients",
      summary: "List the backups on a hub",
      tokens: A_S_U,
      answers: { 200: hubBackupList },
      errors: ERRORS,
      handle: async (call) => {
        const { folder, items } = await ask(call, { ask: "backups" }, "backups");
        return ok({ folder, items: items.map(shownBackup) });
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "reserve",
      path: `${PATH}/backups`,
      operationId: "createHubBackup",
      tag: "clients",
      summary: "Create a backup on a hub; it stays there, because it contains the hub's key",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      answers: { 201: newHubBackup },
      errors: ERRORS,
      handle: async (call) => {
        await clients.note(call.caller, call.params.id, "hub.backup_requested", {});
        const { folder, ...backup } = await ask(call, { ask: "backup" }, "backup");
        return created({ ...shownBackup(backup), folder });
      },
    }),
  ];
}

/** Extracts the requested part of an answer. @throws "Hub Rejected" */
function answered<K extends string>(
  answer: MaintenanceAnswer,
  key: K,
): Extract<MaintenanceAnswer, Record<K, unknown>>[K] {
  if ("refused" in answer) throw new NamedError("Hub Rejected", answer.refused, { outcome: "not_applied" });
  if (holds(answer, key)) return answer[key];
  throw new NamedError("Internal Error", "The hub sent the answer to a different request.");
}

function holds<K extends string>(
  answer: MaintenanceAnswer,
  key: K,
): answer is Extract<MaintenanceAnswer, Record<K, unknown>> {
  return Object.hasOwn(answer, key);
}

function shownBackup({ name, at, bytes }: KeptBackup) {
  return { name, createdAt: formatTime(at), bytes };
}

/** @throws "Query Parameter Invalid" */
function readMinutes(text: string | undefined): number {
  if (text === undefined) return DEFAULT_MINUTES;
  const minutes = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
  if (minutes >= 1 && minutes <= MOST_LOG_MINUTES) return minutes;
  throw new NamedError("Query Parameter Invalid", `\`minutes\` must be a whole number from 1 to ${MOST_LOG_MINUTES}.`);
}

/** @throws "Query Parameter Invalid" */
function readLevel(text: string | undefined): LogLevel {
  if (text === undefined) return DEFAULT_LEVEL;
  const level = LOG_LEVELS.find((each) => each === text);
  if (level) return level;
  throw new NamedError("Query Parameter Invalid", `\`level\` must be one of ${LOG_LEVELS.join(", ")}.`);
}
