/**
 * Opens a connection to the server, with agreement on a schema, and parses the network's state: the answer to `start_listening`, and events
 * of nodes.
 */
import type { Work } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import { z } from "zod";
import { agreedSchema } from "./server/messages.ts";
import { ServerChannel } from "./server/server-channel.ts";
import { tooNew, tooOld } from "./troubles.ts";
import { metadataSchema, type NodeState, nodeStateSchema, valueIdSchema } from "./values/node-state.ts";

/** Timeout of opening a connection and of sending the state, ms. */
const ANSWER_MS = 30_000;

/** Opens a connection and agrees on a schema. @throws NoNetwork when there is no common schema; what opening throws, also on a timeout */
export async function openNetwork(
  ...[deps, open, signal]: Parameters<typeof ServerChannel.over>
): Promise<ServerChannel> {
  const late = new AbortController();
  const giveUp = () => late.abort(new Error("it does not answer"));
  const timer = deps.clock.timer("Z-Wave server that is opened", ANSWER_MS, giveUp);
  const stop = () => late.abort(signal.reason);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    const channel = await ServerChannel.over(deps, open, late.signal);
    try {
      const schemaVersion = schemaFor(channel);
      const patience = { deadline: deps.clock.monotonic() + ANSWER_MS, signal };
      await channel.ask("initialize", { schemaVersion, additionalUserAgentComponents: { porchlight: "1" } }, patience);
      return channel;
    } catch (failure) {
      channel.close();
      throw failure;
    }
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", stop);
  }
}

/** @throws NoNetwork */
function schemaFor({ greeting }: ServerChannel): number {
  const agreed = agreedSchema(greeting);
  if (agreed === "too_old") throw tooOld(greeting.maxSchemaVersion);
  if (agreed === "too_new") throw tooNew(greeting.minSchemaVersion);
  return agreed;
}

/**
 * Requests the server's state, and its events from then on.
 * @param begin called with the state before any event is handled. @throws NoAnswer, CommandRefused, what `begin` throws
 */
export async function startListening(
  clock: Clock,
  channel: ServerChannel,
  begin: (state: unknown) => Work,
  signal: AbortSignal,
): Promise<void> {
  let failure: unknown;
  // Runs at once, because events may follow in the same packet.
  function* answered(state: unknown): Work {
    try {
      yield* begin(state);
    } catch (thrown) {
      failure = thrown;
    }
  }
  await channel.ask("start_listening", {}, { deadline: clock.monotonic() + ANSWER_MS, signal }, { answered });
  if (failure) throw failure;
}

/** `ControllerStatus` of Z-Wave JS. */
export const CONTROLLER_UNRESPONSIVE = 1;
/** A network has 232 nodes, up to 4,000 with Long Range; a hub has room for 1,000 devices. */
const MOST_NODES = 1000;
/** Maximum list items that are parsed. */
const MOST_LISTED = 4 * MOST_NODES;
/** Steps of work for a node; its values are parsed later, with the device. */
const STEPS_OF_NODE = 10;

const listeningSchema = z.object({
  state: z.object({
    controller: z.looseObject({ homeId: z.int().nullish(), status: z.number().optional() }).nullish(),
    nodes: z.array(z.unknown()).default([]),
  }),
});

interface NetworkState {
  /** Undefined while there is no controller. */
  readonly homeId: number | undefined;
  readonly controllerStatus: number | undefined;
  readonly nodes: readonly NodeState[];
  /** Items that are invalid or exceed the limit. */
  readonly leftAside: number;
}

/** Undefined when it is not an answer to `start_listening`. */
export function* networkState(json: unknown): Work<NetworkState | undefined> {
  const parsed = listeningSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const { controller, nodes } = parsed.data.state;
  const known: NodeState[] = [];
  for (const each of nodes.slice(0, MOST_LISTED)) {
    const state = known.length < MOST_NODES ? nodeState(each) : undefined;
    if (state) known.push(state);
    yield STEPS_OF_NODE;
  }
  return {
    homeId: controller?.homeId ?? undefined,
    controllerStatus: controller?.status,
    nodes: known,
    leftAside: nodes.length - known.length,
  };
}

export function nodeState(json: unknown): NodeState | undefined {
  const parsed = nodeStateSchema.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}

const valueArgs = z.object({ ...valueIdSchema.shape, newValue: z.unknown().optional(), value: z.unknown().optional() });
const metadataArgs = z.object({ ...valueIdSchema.shape, metadata: metadataSchema.optional() });
const notificationArgs = z.object({
  type: z.number().optional(),
  event: z.number().optional(),
  eventLabel: z.string().max(1024).optional(),
});

const nodeEventSchema = z.object({
  event: z.string(),
  nodeId: z.int(),
  args: z.unknown().optional(),
  nodeState: z.unknown().optional(),
  ccId: z.number().optional(),
  endpointIndex: z.int().min(0).max(127).default(0),
});

export type NodeEvent = z.output<typeof nodeEventSchema>;

/** Undefined for an event without a node. */
export function nodeEvent(json: unknown): NodeEvent | undefined {
  const parsed = nodeEventSchema.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}

export function valueEvent(args: unknown) {
  const parsed = valueArgs.safeParse(args);
  if (!parsed.success) return undefined;
  const { newValue, value, ...id } = parsed.data;
  return { id, newValue, value };
}

/** Key and new metadata of a value, without content. */
export function metadataEvent(args: unknown) {
  const parsed = metadataArgs.safeParse(args);
  return parsed.success ? parsed.data : undefined;
}

export function notificationEvent(args: unknown) {
  const parsed = notificationArgs.safeParse(args);
  return parsed.success ? parsed.data : undefined;
}
