/**
 * A write at the node that has its hub's tunnel: handed to the hub, and what comes of it stored.
 *
 * Invariants: nothing is waited for between the gate and the socket, so that writes go to the hub in the order in which they were
 * accepted here; a success is told only after command, value and event are committed together.
 */
import type { PropertyItem } from "@porchlight/shared/api";
import { type Clock, isNamed, type Log, NamedError } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { type CommandAnswer, PeerGone, type ResultRecord } from "@porchlight/shared/tunnel";
import type { Store } from "../../store/index.ts";
import type { HubTunnel } from "../../tunnels/index.ts";
import type { EnvironmentCache } from "../cache/environment-cache.ts";
import {
  type CommandResolution,
  refusalOf,
  resolutionOfAnswer,
  resolutionOfFailure,
} from "../commands/command-outcome.ts";
import { type StoredResults, settleLate, storeConfirmed, storeResolution } from "../commands/command-result.ts";
import type { UnstoredEnds } from "../commands/doubtful-command.ts";
import { type HubView, lastSeenOf, OFFLINE_RETRY_AFTER } from "../device/hub-view.ts";
import type { CommandQueue } from "../queue/command-queue.ts";
import type { OpenDeadlines } from "../queue/recover-commands.ts";
import { rowOf, type SetPropertyResult, type Write } from "./accepted-write.ts";
import type { Asked, HubAsk } from "./write-batch.ts";

export interface HubWriteDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly cache: EnvironmentCache;
  readonly hubs: HubView;
  readonly deadlines: OpenDeadlines;
  readonly storedResults: StoredResults;
  readonly queue: CommandQueue;
  readonly unstored: Pick<UnstoredEnds, "keep">;
  /** Asks a hub that is there about its open commands. */
  readonly recover: (tunnel: HubTunnel) => void;
}

/** Settles when nothing that waits for the hub goes before a write any more. */
export async function passGate({ queue }: Pick<HubWriteDeps, "queue">, clientId: string): Promise<void> {
  for (let gate = queue.gate(clientId); gate; gate = queue.gate(clientId)) await gate;
}

/** The hub's tunnel, when it may be asked: not one through which it is leaving for another node. */
export function askable({ hubs }: Pick<HubWriteDeps, "hubs">, clientId: string): HubTunnel | undefined {
  const tunnel = hubs.live(clientId);
  return tunnel?.isLeaving ? undefined : tunnel;
}

/** What came of a write at one tunnel. */
export type Written =
  | { readonly kind: "written"; readonly result: SetPropertyResult }
  /** The hub was leaving: it must be asked again, under the same ID, where it comes to. `sent`: it may have been asked already. */
  | { readonly kind: "left"; readonly sent: boolean };

/**
 * @throws "Hub Offline", "Hub Timeout", "Device Unreachable", "Device Rejected", "Service Unavailable"
 */
export async function writeThrough(deps: HubWriteDeps, tunnel: HubTunnel, write: Write): Promise<Written> {
  const answer = await ask(deps, tunnel, write);
  if (answer.kind === "left") return answer;
  if (answer.kind === "failed") return { kind: "written", result: await fail(deps, write, answer.resolution, tunnel) };
  const item = await confirm(deps, write, tunnel, answer.result, answer.value);
  return { kind: "written", result: { commandId: write.commandId, item } };
}

type AskedWrite =
  | { readonly kind: "confirmed"; readonly result: ResultRecord; readonly value: Value }
  | { readonly kind: "failed"; readonly resolution: CommandResolution }
  | { readonly kind: "left"; readonly sent: boolean };

async function ask(deps: HubWriteDeps, tunnel: HubTunnel, write: Write): Promise<AskedWrite> {
  const { commandId: id, device, property, value, hubDeadline: deadline, answerBy, requestId, hops } = write;
  const { member, scene } = write;
  const target = {
    device: device.edgeId ?? "",
    service: property.service,
    index: property.index,
    property: property.property,
  };
  try {
    const late = (answer: ResultRecord) => settleLate(deps, write.ecosystemId, answer);
    const call = { deadline, answerBy, requestId, trace: true };
    const command = { id, ...target, value };
    const result = await (member
      ? member.askHub(tunnel, { command, call, late }, (asked) => askForScene(tunnel, scene?.sceneId ?? "", asked))
      : tunnel.command(command, call, late));
    hops.step("tunnel");
    for (const [name, ms] of Object.entries(result.hops ?? {})) hops.add(`hub-${name}`, ms ?? 0);
    if (result.outcome === "confirmed" && result.value !== undefined)
      return { kind: "confirmed", result, value: result.value };
    // Not in its journal: it may come to the hub again by another tunnel.
    if (tunnel.isLeaving && result.outcome === "not_applied" && result.n === 0) return { kind: "left", sent: false };
    return { kind: "failed", resolution: resolutionOfAnswer(result) };
  } catch (failure) {
    hops.step("tunnel");
    // Whether or not it has come to the hub: its journal lets it be carried out once, by any tunnel it comes again.
    if (tunnel.isLeaving && failure instanceof PeerGone) return { kind: "left", sent: failure.sent };
    return { kind: "failed", resolution: resolutionOfFailure(failure) };
  }
}

/** Command, value and event in one transaction; then the caller is answered. */
async function confirm(
  deps: HubWriteDeps,
  write: Write,
  tunnel: HubTunnel,
  result: ResultRecord,
  value: Value,
): Promise<PropertyItem> {
  const row = rowOf(write, { state: "confirmed", outcome: "confirmed", value }, deps.clock.now());
  try {
    const confirmed = { value, number: result.n, observedAt: result.observedAt };
    const item = await storeConfirmed(deps, write, tunnel.hub, row, confirmed);
    write.hops.step("store");
    return item;
  } catch (error) {
    if (isNamed(error, "Service Unavailable"))
      throw new NamedError("Service Unavailable", "The device confirmed the write. The result is not stored yet.", {
        outcome: "unknown",
        retryAfter: 1,
        cause: error,
      });
    if (isNamed(error)) throw error;
    deps.log.warn(
      { error, command: write.commandId },
      "a confirmed command could not be stored by its own tunnel; the hub's record will contain it",
    );
    // A newer connection of the hub has taken over: the result comes once more, as a record of its history.
    return fail(deps, write, resolutionOfFailure(error), tunnel).then(({ item }) => item);
  }
}

/** Stores what became of the command, and answers so; with success, when its result has come by the other way meanwhile. */
export async function fail(
  deps: HubWriteDeps,
  write: Write,
  told: CommandResolution,
  asked?: HubTunnel,
): Promise<SetPropertyResult> {
  const { clock } = deps;
  const resolution = isSentAfterAll(deps, write, told) ? resolutionOfFailure(new PeerGone(true)) : told;
  if (resolution.kind === "open") deps.deadlines.set(write.commandId, write.hubDeadline, clock.monotonic());
  else deps.deadlines.forget(write.commandId);
  const row =
    resolution.kind === "ended"
      ? rowOf(write, resolution.end, deps.clock.now())
      : {
          ...rowOf(write, { state: "failed", outcome: "unknown", error: resolution.error }, deps.clock.now()),
          state: "sent",
          completed_at: null,
        };
  const store = () => storeResolution(deps, write, row, resolution);
  const standing = await store().catch((error: unknown) => {
    // What the caller is told is true all the same.
    deps.log.warn({ error, command: write.commandId }, "the result of a command could not be stored yet");
    deps.unstored.keep(write.commandId, async () => {
      await store();
      if (resolution.kind === "open") recoverIfBack(deps, write, undefined);
    });
    return { resolution };
  });
  write.hops.step("store");
  if (resolution.kind === "open") recoverIfBack(deps, write, asked);
  if ("item" in standing) return { commandId: write.commandId, item: standing.item };
  throw await refusal(deps, write, standing.resolution);
}

/** A hub that came back while the caller waited was asked for the stored command by another way than the caller's. */
function isSentAfterAll({ deadlines }: HubWriteDeps, write: Write, resolution: CommandResolution): boolean {
  return resolution.kind === "ended" && resolution.end.outcome === "not_sent" && deadlines.wasAsked(write.commandId);
}

export async function refusal(
  { store, hubs }: HubWriteDeps,
  write: Write,
  resolution: CommandResolution,
): Promise<NamedError> {
  // What became of the command is what counts, and is known: when the hub was heard last may not be.
  const lastSeenAt = await lastSeenOf(store, hubs, write.ecosystemId, write.device.clientId).catch(() => undefined);
  return refusalOf(resolution, { headers: {}, retryAfter: OFFLINE_RETRY_AFTER, lastSeenAt });
}

/** The hub may be back already, by a connection that began before this command was stored as open and so has not asked about it. */
export function recoverIfBack({ hubs, recover }: HubWriteDeps, write: Write, asked: HubTunnel | undefined): void {
  const back = write.device.clientId === null ? undefined : hubs.live(write.device.clientId);
  if (back && back !== asked) recover(back);
}

// Asks a hub for the writes of one call of a scene: in one frame, or one by one where its agent knows of no scenes (T5.2).

/** Commands that an agent without scenes is asked for at once: no hub is flooded. */
const SIDE_BY_SIDE = 32;

/** Settles each of them. */
function askForScene(tunnel: HubTunnel, sceneId: string, asked: readonly Asked<HubAsk, CommandAnswer>[]): void {
  if (tunnel.scenesDigest === undefined) void askOneByOne(tunnel, asked);
  else void askInOneFrame(tunnel, sceneId, asked);
}

async function askInOneFrame(
  tunnel: HubTunnel,
  sceneId: string,
  asked: readonly Asked<HubAsk, CommandAnswer>[],
): Promise<void> {
  const calls = asked.map(({ ask }) => ask.call);
  const call = {
    deadline: Math.min(...calls.map(({ deadline }) => deadline)),
    answerBy: Math.max(...calls.map(({ answerBy }) => answerBy)),
    requestId: calls[0]?.requestId,
  };
  const commands = asked.map(({ ask }) => ask.command);
  const late = (answers: readonly CommandAnswer[]) => {
    for (const [at, answer] of answers.entries()) asked[at]?.ask.late(answer);
  };
  try {
    const answers = await tunnel.callScene(sceneId, commands, call, late);
    for (const [at, answer] of answers.entries()) asked[at]?.resolve(answer);
  } catch (failure) {
    for (const each of asked) each.reject(failure);
  }
}

async function askOneByOne(tunnel: HubTunnel, asked: readonly Asked<HubAsk, CommandAnswer>[]): Promise<void> {
  const waiting = asked.values();
  const work = async () => {
    for (const { ask, resolve } of waiting) {
      const answer = tunnel.command(ask.command, ask.call, ask.late);
      resolve(answer);
      await answer.catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, asked.length) }, work));
}
