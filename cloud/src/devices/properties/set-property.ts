/**
 * Sets a property: the journey of a PUT, step by step (A4).
 *
 * Invariants: a value that the device would refuse is refused before anything is sent; the node that has the hub's
 * tunnel executes the command, whichever node got the request; every failure states the outcome of the command.
 */
import type { PropertyItem } from "@porchlight/shared/api";
import type { Clock, IdMaker } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { type ChangeCause, propertyItem, withCommandId } from "@porchlight/shared/rest";
import { PeerGone } from "@porchlight/shared/tunnel";
import { livingObject } from "../../access/index.ts";
import type { CommandRow, Store } from "../../store/index.ts";
import {
  asUnavailable,
  type CommandResolution,
  notSentWhileAway,
  resolutionOfFailure,
  withIdUnlessNeverStored,
} from "../commands/command-outcome.ts";
import {
  type CommandKeeper,
  propertyWord,
  type ResultPlace,
  storeFirst,
  whatBecameOf,
} from "../commands/command-result.ts";
import { addCommand, causeOf, tellCompleted } from "../commands/command-store.ts";
import { type DoubtDeps, settleDoubt } from "../commands/doubtful-command.ts";
import type { EnvironmentCache } from "../environment-cache.ts";
import { accept, rowOf, type SetPropertyRequest, type SetPropertyResult, type Write } from "../relay/accepted-write.ts";
import {
  askable,
  fail,
  type HubWriteDeps,
  passGate,
  recoverIfBack,
  refusal,
  writeThrough,
} from "../relay/hub-write.ts";
import type { RemoteWrites } from "../relay/remote-writes.ts";
import { readValue, storeValue } from "../value-store.ts";

export interface SetPropertyDeps extends HubWriteDeps {
  readonly ids: IdMaker;
  /** Hubs whose tunnels are on other nodes; undefined for a single node. */
  readonly elsewhere?: RemoteWrites | undefined;
}

/**
 * @throws "Device Not Found", "Service Not Found", "Service Property Invalid", "Property Not Writable",
 * "Property Value Invalid", "Hub Offline", "Hub Timeout", "Device Unreachable", "Device Rejected",
 * "Service Unavailable"; all with `x-command-id` except for a command that is not stored
 */
export async function setProperty(deps: SetPropertyDeps, request: SetPropertyRequest): Promise<SetPropertyResult> {
  const commandId = deps.ids.next("cmd");
  try {
    const write = await accept(deps, request, commandId);
    const { hops } = write;
    hops.step("check");
    const earlier = write.keeper?.earlierCommand(propertyWord(write.deviceId, write.property));
    if (earlier !== undefined)
      return await repeated(deps, write, earlier).catch((error: unknown) => {
        throw withCommandId(asUnavailable(error, "unknown"), earlier);
      });
    if (write.waitMs <= 0) return await fail(deps, write, TOO_LATE);
    const { clientId } = write.device;
    if (clientId === null) return { commandId, item: await carryOut(deps, write) };
    const { outage } = deps.store;
    if (outage?.work === "writes") throw notSentWhileAway(outage.error);
    using _watched = write.keeper && deps.deadlines.watch(commandId);
    if (write.keeper) {
      await announce(deps, write, write.keeper);
      hops.step("store");
    }
    await write.member?.assembled();
    return await writeToHub(deps, write, clientId);
  } catch (error) {
    throw withIdUnlessNeverStored(error, commandId);
  } finally {
    request.member?.leave();
  }
}

async function writeToHub(deps: SetPropertyDeps, write: Write, clientId: string): Promise<SetPropertyResult> {
  let sent = false;
  for (;;) {
    // Commands that wait for the hub go first.
    await passGate(deps, clientId);
    write.hops.step("queue");
    const tunnel = askable(deps, clientId);
    const here = tunnel && (await writeThrough(deps, tunnel, write));
    if (here?.kind === "written") return here.result;
    const there = await deps.elsewhere?.write(write, clientId);
    if (there?.kind === "written") return there.result;
    if (there?.kind === "unknown") return fail(deps, write, there.resolution);
    sent ||= (here?.sent ?? false) || (there?.sent ?? false);
    if (there?.kind === "here") continue;
    if (sent) return fail(deps, write, resolutionOfFailure(new PeerGone(true)));
    return fail(deps, write, there?.kind === "unreachable" ? UNREACHABLE : OFFLINE);
  }
}

/** Stores the command before it is sent, with its deadline: a hub that reconnects meanwhile and is asked about it needs the time left. */
async function announce(deps: SetPropertyDeps, write: Write, keeper: CommandKeeper): Promise<void> {
  deps.deadlines.set(write.commandId, write.hubDeadline, deps.clock.monotonic());
  const row = rowOf(write, { state: "failed", outcome: "unknown" }, deps.clock.now());
  const sent = { ...row, state: "sent", outcome: null, completed_at: null };
  await storeFirst(deps.store, keeper, write.property, sent).catch((error: unknown) => {
    // Stored or not, it is never sent: a hub that reconnects gets it without time left.
    deps.deadlines.forget(write.commandId);
    settleDoubt(deps, error, sent, () => recoverIfBack(deps, write, undefined));
    throw asUnavailable(error, "not_sent");
  });
}

/** Answers a request that has stored its command already with the outcome of that command; it never sends a second one. */
async function repeated(deps: SetPropertyDeps, write: Write, earlier: string): Promise<SetPropertyResult> {
  const became = await whatBecameOf(deps.store, write, write.property, earlier);
  if (became.kind === "done") return became.result;
  if (became.kind === "open") recoverIfBack(deps, write, undefined);
  throw await refusal(deps, write, became);
}

/** Executes a write to a virtual device, which means to store it. */
async function carryOut(deps: SetPropertyDeps, write: Write): Promise<PropertyItem> {
  const row = rowOf(write, { state: "confirmed", outcome: "confirmed" }, deps.clock.now());
  try {
    const item = await setVirtual(deps, write, write.value, row, write.reportBy !== undefined, write.keeper);
    write.hops.step("store");
    return item;
  } catch (error) {
    throw asUnavailable(error, "not_applied");
  }
}

const notSent = (name: string, detail: string): CommandResolution => ({
  kind: "ended",
  end: { state: "failed", outcome: "not_sent", error: { name, detail } },
});
const OFFLINE = notSent("Hub Offline", "The hub of this device is not connected: nothing was sent.");
const TOO_LATE = notSent(
  "Hub Timeout",
  "The request waited in the queue longer than its caller allows: nothing was sent.",
);
const UNREACHABLE = notSent(
  "Service Unavailable",
  "The node that this device's hub is connected to cannot be reached at the moment: nothing was sent.",
);

/** The end of a PUT to a virtual device: the cloud is the device, so storing command, value and event is the confirmation. */
interface SetVirtualDeps extends DoubtDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cache: EnvironmentCache;
}

/**
 * Jobs of an ecosystem run in the order of their submission, and so do the writes.
 * @param keeper set for a request with an idempotency key
 * @param report stores the value as a report of the device's own sensor
 * @throws "Device Not Found", "Service Unavailable"
 */
export function setVirtual(
  deps: SetVirtualDeps,
  place: ResultPlace,
  value: Value,
  row: CommandRow,
  report: boolean,
  keeper?: CommandKeeper,
): Promise<PropertyItem> {
  const { property } = place;
  const values = { now: () => deps.clock.now(), listener: deps.cache };
  const cause: ChangeCause = report ? { kind: "device" } : causeOf(row);
  const stored = deps.store.write(place.ecosystemId, async (tx) => {
    await livingObject(tx, place.ecosystemId, "dev", place.deviceId);
    await addCommand(tx, row);
    if (row.deferred === 1) tellCompleted(tx, row);
    await keeper?.keepCommand(tx, propertyWord(place.deviceId, property), row.id);
    const before = await readValue(tx, place, property);
    const learned = { value, number: (before?.number ?? 0) + 1, observedAt: deps.clock.now() };
    return propertyItem(place, property, await storeValue(tx, values, place, property, learned, cause));
  });
  return stored.catch((error: unknown) => {
    settleDoubt(deps, error, row, () => undefined);
    throw error;
  });
}
