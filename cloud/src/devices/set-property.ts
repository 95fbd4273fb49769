/**
 * Sets a property: the journey of a PUT, step by step (contract 4).
 *
 * Invariants: what the device would refuse is refused before anything is sent; writes go to the hub in the order in which
 * they were accepted, because nothing is waited for between the check and the socket; a success is answered only after
 * command, value and event are committed together; every failure says what became of the command.
 */
import type { PropertyItem } from "@porchlight/shared/api";
import { type Clock, type Id, type IdMaker, isNamed, type Log, NamedError } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { withCommandId } from "@porchlight/shared/rest";
import type { ResultRecord } from "@porchlight/shared/tunnel";
import type { Store } from "../store/index.ts";
import type { HubTunnel } from "../tunnels/index.ts";
import { accept, rowOf, type SetPropertyRequest, type Write } from "./accepted-write.ts";
import { type Fate, fateOfAnswer, fateOfFailure, refusalOf } from "./command-outcome.ts";
import type { CommandQueue } from "./command-queue.ts";
import { settleLate, storeConfirmed, storeFate } from "./command-result.ts";
import type { EnvironmentCache } from "./environment-cache.ts";
import { type HubView, lastSeenOf, OFFLINE_RETRY_AFTER } from "./hub-view.ts";
import { type CommandKeeper, propertyWord, storeFirst, whatBecameOf } from "./keyed-command.ts";
import type { OpenDeadlines } from "./open-deadlines.ts";
import { setVirtual } from "./set-virtual.ts";
import type { StoredResults } from "./stored-results.ts";

export interface SetPropertyDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly cache: EnvironmentCache;
  readonly hubs: HubView;
  readonly deadlines: OpenDeadlines;
  readonly storedResults: StoredResults;
  readonly queue: CommandQueue;
  /** Asks a hub that is there about its open commands. */
  readonly recover: (tunnel: HubTunnel) => void;
}

export interface SetPropertyResult {
  readonly commandId: Id<"cmd">;
  readonly item: PropertyItem;
}

/**
 * @throws "Device Not Found", "Service Not Found", "Service Property Invalid", "Property Not Writable", "Property Value Invalid",
 * "Hub Offline", "Hub Timeout", "Device Unreachable", "Device Rejected", "Service Unavailable"; each with `x-command-id`
 */
export async function setProperty(deps: SetPropertyDeps, request: SetPropertyRequest): Promise<SetPropertyResult> {
  const commandId = deps.ids.next("cmd");
  try {
    const write = await accept(deps, request, commandId);
    const { hops } = write;
    hops?.step("check");
    const earlier = write.keeper?.earlierCommand(propertyWord(write.deviceId, write.property));
    if (earlier !== undefined) return await repeated(deps, write, earlier);
    const { clientId } = write.device;
    if (clientId === null) return { commandId, item: await carryOut(deps, write) };
    if (write.keeper) {
      await announce(deps, write, write.keeper);
      hops?.step("store");
    }
    // What waits for the hub goes first.
    for (let gate = deps.queue.gate(clientId); gate; gate = deps.queue.gate(clientId)) await gate;
    hops?.step("queue");
    const tunnel = deps.hubs.live(clientId);
    if (!tunnel) return await fail(deps, write, OFFLINE);
    const answer = await ask(deps, tunnel, write);
    if (answer.kind === "failed") return await fail(deps, write, answer.fate, tunnel);
    return { commandId, item: await confirm(deps, write, tunnel, answer.result, answer.value) };
  } catch (error) {
    throw withCommandId(error, commandId);
  }
}

/** Stores the command before it is sent. A hub that comes back meanwhile, and is asked about it, is to know how long it counts. */
async function announce(deps: SetPropertyDeps, write: Write, keeper: CommandKeeper): Promise<void> {
  deps.deadlines.set(write.commandId, write.hubDeadline, deps.clock.monotonic());
  const row = rowOf(write, { state: "failed", outcome: "unknown" }, deps.clock.now());
  await storeFirst(deps.store, keeper, write.property, { ...row, state: "sent", outcome: null, completed_at: null });
}

/** Of a request that has stored its command already: what has become of that, and never a second one. */
async function repeated(deps: SetPropertyDeps, write: Write, earlier: string): Promise<SetPropertyResult> {
  const became = await whatBecameOf(deps.store, write, write.property, earlier);
  if (became.kind === "done") return became.result;
  if (became.kind === "open") recoverIfBack(deps, write, undefined);
  throw withCommandId(await refusal(deps, write, became), earlier);
}

/** Of a virtual device: to store it is to do it. */
async function carryOut(deps: SetPropertyDeps, write: Write): Promise<PropertyItem> {
  const row = rowOf(write, { state: "confirmed", outcome: "confirmed" }, deps.clock.now());
  try {
    const item = await setVirtual(deps, write, write.value, row, write.reportBy !== undefined, write.keeper);
    write.hops?.step("store");
    return item;
  } catch (error) {
    if (!isNamed(error, "Service Unavailable")) throw error;
    const { message, retryAfter } = error;
    throw new NamedError("Service Unavailable", message, { outcome: "unknown", retryAfter, cause: error });
  }
}

const OFFLINE: Fate = {
  kind: "ended",
  end: {
    state: "failed",
    outcome: "not_sent",
    error: { name: "Hub Offline", detail: "The hub of this device is not connected: nothing was sent." },
  },
};

type Asked =
  | { readonly kind: "confirmed"; readonly result: ResultRecord; readonly value: Value }
  | { readonly kind: "failed"; readonly fate: Fate };

async function ask(deps: SetPropertyDeps, tunnel: HubTunnel, write: Write): Promise<Asked> {
  const { commandId: id, device, property, value, hubDeadline: deadline, answerBy, requestId, hops } = write;
  const target = {
    device: device.edgeId ?? "",
    service: property.service,
    index: property.index,
    property: property.property,
  };
  try {
    const late = (answer: ResultRecord) => settleLate(deps, write.ecosystemId, answer);
    const call = { deadline, answerBy, requestId, trace: hops !== undefined };
    const result = await tunnel.command({ id, ...target, value }, call, late);
    hops?.step("tunnel");
    for (const [name, ms] of Object.entries(result.hops ?? {})) hops?.add(`hub-${name}`, ms ?? 0);
    if (result.outcome === "confirmed" && result.value !== undefined)
      return { kind: "confirmed", result, value: result.value };
    return { kind: "failed", fate: fateOfAnswer(result) };
  } catch (failure) {
    hops?.step("tunnel");
    return { kind: "failed", fate: fateOfFailure(failure) };
  }
}

/** Command, value and event in one transaction; then the caller is answered. */
async function confirm(
  deps: SetPropertyDeps,
  write: Write,
  tunnel: HubTunnel,
  result: ResultRecord,
  value: Value,
): Promise<PropertyItem> {
  const row = rowOf(write, { state: "confirmed", outcome: "confirmed" }, deps.clock.now());
  try {
    const confirmed = { value, number: result.n, observedAt: result.observedAt };
    const item = await storeConfirmed(deps, write, tunnel.hub, row, confirmed);
    write.hops?.step("store");
    return item;
  } catch (error) {
    if (isNamed(error, "Service Unavailable"))
      throw new NamedError("Service Unavailable", "The device has confirmed, and the result could not be stored yet.", {
        outcome: "unknown",
        retryAfter: 1,
        cause: error,
      });
    if (isNamed(error)) throw error;
    deps.log.warn({ error, command: write.commandId }, "a confirmed command could not be stored by its own tunnel");
    // A newer connection of the hub has taken over: the result comes once more, as a record of its history.
    return fail(deps, write, fateOfFailure(error), tunnel).then(({ item }) => item);
  }
}

/** Stores what became of the command, and answers so; with success, when its result has come by the other way meanwhile. */
async function fail(deps: SetPropertyDeps, write: Write, fate: Fate, asked?: HubTunnel): Promise<SetPropertyResult> {
  const { clock } = deps;
  if (fate.kind === "open") deps.deadlines.set(write.commandId, write.hubDeadline, clock.monotonic());
  else deps.deadlines.forget(write.commandId);
  const row =
    fate.kind === "ended"
      ? rowOf(write, fate.end, deps.clock.now())
      : {
          ...rowOf(write, { state: "failed", outcome: "unknown", error: fate.error }, deps.clock.now()),
          state: "sent",
          completed_at: null,
        };
  const standing = await storeFate(deps, write, row, fate).catch((error: unknown) => {
    // What the caller is told is true all the same, and the hub's record will bring the command into the store.
    deps.log.warn({ error, command: write.commandId }, "the end of a command could not be stored");
    return { fate };
  });
  write.hops?.step("store");
  if (fate.kind === "open") recoverIfBack(deps, write, asked);
  if ("item" in standing) return { commandId: write.commandId, item: standing.item };
  throw await refusal(deps, write, standing.fate);
}

async function refusal({ store, hubs }: SetPropertyDeps, write: Write, fate: Fate): Promise<NamedError> {
  const lastSeenAt = await lastSeenOf(store, hubs, write.ecosystemId, write.device.clientId);
  return refusalOf(fate, { headers: {}, retryAfter: OFFLINE_RETRY_AFTER, lastSeenAt });
}

/** The hub may be back already, by a connection that began before this command was stored as open and so has not asked about it. */
function recoverIfBack({ hubs, recover }: SetPropertyDeps, write: Write, asked: HubTunnel | undefined): void {
  const back = write.device.clientId === null ? undefined : hubs.live(write.device.clientId);
  if (back && back !== asked) recover(back);
}
