/**
 * A write at the node that has its hub's tunnel: sends it to the hub, and stores the result.
 *
 * Invariants: there is no await between the gate and the socket, so that writes reach the hub in the order in which
 * they were accepted here; a success is reported only after command, value and event are committed together.
 */
import type { PropertyItem } from "@porchlight/shared/api";
import { type Clock, isNamed, type Log, NamedError } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { type CommandAnswer, PeerGone, type ResultRecord } from "@porchlight/shared/tunnel";
import type { Store } from "../../store/index.ts";
import type { HubTunnel } from "../../tunnels/index.ts";
import {
  type CommandResolution,
  refusalOf,
  resolutionOfAnswer,
  resolutionOfFailure,
} from "../commands/command-outcome.ts";
import type { CommandQueue } from "../commands/command-queue.ts";
import { type StoredResults, settleLate, storeConfirmed, storeResolution } from "../commands/command-result.ts";
import type { UnstoredEnds } from "../commands/doubtful-command.ts";
import type { OpenDeadlines } from "../commands/recover-commands.ts";
import type { EnvironmentCache } from "../environment-cache.ts";
import { type HubView, lastSeenOf, OFFLINE_RETRY_AFTER } from "../hub-view.ts";
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
  /** Asks a connected hub about its open commands. */
  readonly recover: (tunnel: HubTunnel) => void;
}

/** Resolves when no waiting command of the hub precedes a write any more. */
export async function passGate({ queue }: Pick<HubWriteDeps, "queue">, clientId: string): Promise<void> {
  for (let gate = queue.gate(clientId); gate; gate = queue.gate(clientId)) await gate;
}

/** The hub's tunnel, if it takes requests: not while the hub is leaving for another node. */
export function askable({ hubs }: Pick<HubWriteDeps, "hubs">, clientId: string): HubTunnel | undefined {
  const tunnel = hubs.live(clientId);
  return tunnel?.isLeaving ? undefined : tunnel;
}

/** The result of a write through one tunnel. */
export type Written =
  | { readonly kind: "written"; readonly result: SetPropertyResult }
  /**
   * The hub was leaving: the command must be sent again, under the same ID, to its next node. `sent`: this tunnel may
   * have delivered it.
   */
  | { readonly kind: "left"; readonly sent: boolean };

/**
 * @throws "Hub Offline", "Hub Timeout", "Device Unreachable", "Device Rejected", "Service Unavailable"
 */
export async function writeThrough(deps: HubWriteDeps, tunnel: HubTunnel, write: Write): Promise<Written> {
  const { commandId, hops } = write;
  const end = async (resolution: CommandResolution): Promise<Written> => {
    return { kind: "written", result: await fail(deps, write, resolution, tunnel) };
  };
  let answer: CommandAnswer;
  try {
    answer = await send(deps, tunnel, write);
  } catch (failure) {
    hops.step("tunnel");
    // Delivered or not, the hub's journal executes it only once, whichever tunnel delivers it again.
    if (tunnel.isLeaving && failure instanceof PeerGone) return { kind: "left", sent: failure.sent };
    return end(resolutionOfFailure(failure));
  }
  hops.step("tunnel");
  for (const [name, ms] of Object.entries(answer.hops ?? {})) hops.add(`hub-${name}`, ms ?? 0);
  if (answer.outcome === "confirmed" && answer.value !== undefined) {
    const item = await confirm(deps, write, tunnel, answer, answer.value);
    return { kind: "written", result: { commandId, item } };
  }
  // Its journal does not have the command: another tunnel may deliver it again.
  if (tunnel.isLeaving && answer.outcome === "not_applied" && answer.n === 0) return { kind: "left", sent: false };
  return end(resolutionOfAnswer(answer));
}

/** Sends the write alone, or with the others of its call. @throws as {@link HubTunnel.command} */
function send(deps: HubWriteDeps, tunnel: HubTunnel, write: Write): Promise<CommandAnswer> {
  const { commandId: id, device, property, value, hubDeadline: deadline, answerBy, requestId, member, scene } = write;
  const { service, index, property: name } = property;
  const command = { id, device: device.edgeId ?? "", service, index, property: name, value };
  const call = { deadline, answerBy, requestId, trace: true };
  const late = (answer: ResultRecord) => settleLate(deps, write.ecosystemId, answer);
  if (!member) return tunnel.command(command, call, late);
  return member.askHub(tunnel, { command, call, late }, (all) => sendForScene(tunnel, scene?.sceneId ?? "", all));
}

/** Stores command, value and event in one transaction; then the caller is answered. */
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
    // A newer connection of the hub has taken over: the result arrives again, as a record of its history.
    return fail(deps, write, resolutionOfFailure(error), tunnel).then(({ item }) => item);
  }
}

/** Stores the outcome of the command, and answers with it; with success, if its result has arrived by the other way meanwhile. */
export async function fail(
  deps: HubWriteDeps,
  write: Write,
  initial: CommandResolution,
  asked?: HubTunnel,
): Promise<SetPropertyResult> {
  const { clock } = deps;
  const resolution = isSentAfterAll(deps, write, initial) ? resolutionOfFailure(new PeerGone(true)) : initial;
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
    // The answer to the caller is true nevertheless.
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

/** A hub that reconnected while the caller waited was asked about the stored command, apart from the caller's own request. */
function isSentAfterAll({ deadlines }: HubWriteDeps, write: Write, resolution: CommandResolution): boolean {
  return resolution.kind === "ended" && resolution.end.outcome === "not_sent" && deadlines.wasAsked(write.commandId);
}

export async function refusal(
  { store, hubs }: HubWriteDeps,
  write: Write,
  resolution: CommandResolution,
): Promise<NamedError> {
  // The outcome of the command matters and is known; when the hub was last seen may be unknown.
  const lastSeenAt = await lastSeenOf(store, hubs, write.ecosystemId, write.device.clientId).catch(() => undefined);
  return refusalOf(resolution, { headers: {}, retryAfter: OFFLINE_RETRY_AFTER, lastSeenAt });
}

/** The hub may have reconnected before this command was stored as open, and so was not asked about it. */
export function recoverIfBack({ hubs, recover }: HubWriteDeps, write: Write, asked: HubTunnel | undefined): void {
  const back = write.device.clientId === null ? undefined : hubs.live(write.device.clientId);
  if (back && back !== asked) recover(back);
}

/** Maximum concurrent commands to an agent without scenes, so that it is not flooded. */
const SIDE_BY_SIDE = 32;

/**
 * Sends the writes of one call of a scene to a hub: in one frame, or one by one to an agent without scenes (T5.2).
 * Settles each of them.
 */
function sendForScene(tunnel: HubTunnel, sceneId: string, asked: readonly Asked<HubAsk, CommandAnswer>[]): void {
  if (tunnel.scenesDigest === undefined) void sendOneByOne(tunnel, asked);
  else void sendInOneFrame(tunnel, sceneId, asked);
}

async function sendInOneFrame(
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

async function sendOneByOne(tunnel: HubTunnel, asked: readonly Asked<HubAsk, CommandAnswer>[]): Promise<void> {
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
