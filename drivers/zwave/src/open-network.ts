/** Opens a connection to the server: greeting, agreement on a schema, and the state of the network. */
import type { Work } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import { agreedSchema } from "./server/schema-version.ts";
import { ServerChannel } from "./server/server-channel.ts";
import { tooNew, tooOld } from "./troubles.ts";

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
