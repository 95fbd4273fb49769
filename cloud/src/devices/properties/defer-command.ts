/**
 * Sets a property for a caller that does not wait (A4.4): the command is stored, and its end is an event.
 *
 * Invariants: it is stored before it is sent; it waits while its hub is offline, or has not yet got all that waits for
 * it; it is never executed after it has expired.
 */
import type { Command, PropertyItem } from "@porchlight/shared/api";
import type { Id } from "@porchlight/shared/kernel";
import { withCommandId } from "@porchlight/shared/rest";
import { type Quotas, referenceNotFound } from "../../access/index.ts";
import type { CommandRow } from "../../store/index.ts";
import { awaitEnd } from "../commands/await-end.ts";
import { asUnavailable, isInDoubt, refusalOf, withIdUnlessNeverStored } from "../commands/command-outcome.ts";
import { propertyWord, whatBecameOf } from "../commands/command-result.ts";
import { addCommand, commandResource, readCommand } from "../commands/command-store.ts";
import { settleDoubt } from "../commands/doubtful-command.ts";
import type { CommandExpiry } from "../commands/expire-commands.ts";
import { nextInQueue } from "../commands/queued-commands.ts";
import { lastSeenOf, OFFLINE_RETRY_AFTER } from "../hub-view.ts";
import { accept, rowOf, type SetPropertyRequest, type Write } from "../relay/accepted-write.ts";
import { askable } from "../relay/hub-write.ts";
import { type SetPropertyDeps, setVirtual } from "./set-property.ts";

export interface DeferRequest extends SetPropertyRequest {
  /** Lifetime of the command, ms. */
  readonly ttlMs: number;
}

export interface DeferDeps extends SetPropertyDeps {
  readonly quotas: Quotas;
  readonly expiry: Pick<CommandExpiry, "waitsUntil">;
}

/** The command's state when its caller is answered. */
export type Deferred = { readonly commandId: Id<"cmd"> } & (
  | { readonly kind: "done"; readonly item: PropertyItem }
  | { readonly kind: "accepted"; readonly command: Command }
);

/**
 * @param request its `waitMs` is how long its caller waits for the end nevertheless; 0 disables that
 * @throws "Device Not Found", "Service Not Found", "Service Property Invalid", "Property Not Writable",
 * "Property Value Invalid", "Quota Exceeded", "Service Unavailable"; and when it ends while its caller waits
 * "Hub Offline", "Hub Timeout", "Device Unreachable", "Device Rejected"; all with `x-command-id` except for a command
 * that is not stored
 */
export async function deferCommand(deps: DeferDeps, request: DeferRequest): Promise<Deferred> {
  let commandId = deps.ids.next("cmd");
  try {
    const write = await accept(deps, { ...request, waitMs: request.ttlMs }, commandId);
    const earlier = write.keeper?.earlierCommand(propertyWord(write.deviceId, write.property));
    // Only this module writes the ID.
    commandId = (earlier ?? (await give(deps, write))) as Id<"cmd">;
    return await standing(deps, write, commandId, request.waitMs).catch((error: unknown) => {
      throw withCommandId(asUnavailable(error, "unknown"), commandId);
    });
  } catch (error) {
    throw withIdUnlessNeverStored(error, commandId);
  }
}

/** Stores the command, and sends it if its hub is online. Returns its ID. @throws "Quota Exceeded", "Service Unavailable" */
async function give(deps: DeferDeps, write: Write): Promise<string> {
  try {
    return await storeAndSend(deps, write);
  } catch (error) {
    throw asUnavailable(error, "not_applied");
  }
}

async function storeAndSend(deps: DeferDeps, write: Write): Promise<string> {
  const { queue } = deps;
  const { clientId, edgeId } = write.device;
  if (clientId === null) return carryOut(deps, write);
  const tunnel = queue.gate(clientId) === undefined ? askable(deps, clientId) : undefined;
  const row = await store(deps, write, clientId, tunnel ? "sent" : "queued");
  if (tunnel) queue.run(queue.send(tunnel, row, edgeId ?? ""));
  else awaitHub(deps, row, clientId);
  return row.id;
}

function awaitHub({ queue, expiry }: DeferDeps, row: CommandRow, clientId: string): void {
  expiry.waitsUntil(row.expires_at);
  queue.waits(row.ecosystem_id, clientId);
}

/** Makes the ID in the job, so that the order of IDs is the order in which commands are stored. */
async function store(deps: DeferDeps, write: Write, client: string, state: "sent" | "queued"): Promise<CommandRow> {
  let row: CommandRow | undefined;
  const stored = deps.store.write(write.ecosystemId, async (tx) => {
    if (state === "queued") await deps.quotas.require(tx, "queuedCommandsPerClient", client);
    const given = rowOf(write, { state: "failed", outcome: "unknown" }, tx.now());
    const id = await nextInQueue(tx, client);
    row = { ...given, id, state, outcome: null, completed_at: null, deferred: 1 };
    await addCommand(tx, row);
    await write.keeper?.keepCommand(tx, propertyWord(write.deviceId, write.property), row.id);
    return row;
  });
  return stored.catch((error: unknown) => {
    if (!row || !isInDoubt(error)) throw error;
    const given = row;
    settleDoubt(deps, error, given, () => {
      const tunnel = askable(deps, client);
      if (state === "queued") awaitHub(deps, given, client);
      else if (tunnel) deps.queue.run(deps.queue.send(tunnel, given, write.device.edgeId ?? ""));
    });
    throw withCommandId(error, given.id);
  });
}

/** Executes a command of a virtual device, which means to store it. */
async function carryOut(deps: DeferDeps, write: Write): Promise<string> {
  const done = rowOf(write, { state: "confirmed", outcome: "confirmed" }, deps.clock.now());
  const { value, reportBy, keeper } = write;
  const row = { ...done, deferred: 1 };
  await setVirtual(deps, write, value, row, reportBy !== undefined, keeper);
  return row.id;
}

/** The command's state when its caller's time is over, or its end. */
async function standing(deps: DeferDeps, write: Write, commandId: Id<"cmd">, waitMs: number): Promise<Deferred> {
  const { store, hubs } = deps;
  const { ecosystemId } = write;
  const row =
    waitMs > 0
      ? await awaitEnd(deps, ecosystemId, commandId, waitMs)
      : await readCommand(store.of(ecosystemId).sql, ecosystemId, commandId);
  if (!row) throw referenceNotFound("cmd");
  if (waitMs === 0 || row.completed_at === null) return { commandId, kind: "accepted", command: commandResource(row) };
  const became = await whatBecameOf(store, write, write.property, commandId);
  if (became.kind === "done") return { commandId, kind: "done", item: became.result.item };
  const lastSeenAt = await lastSeenOf(store, hubs, ecosystemId, write.device.clientId);
  throw refusalOf(became, { headers: {}, retryAfter: OFFLINE_RETRY_AFTER, lastSeenAt });
}
