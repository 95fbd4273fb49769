/** From an address to a network whose events are heard: the server greets, a schema is agreed on, and the state is told. */
import type { Work } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import { agreedSchema } from "./server/schema-version.ts";
import { ServerChannel } from "./server/server-channel.ts";
import { tooNew, tooOld } from "./trouble.ts";

/** How long the server may take to open a connection, and to tell its state, ms. */
const ANSWER_MS = 30_000;

/** @throws NoNetwork when there is no common schema; what opening throws, also when it takes too long */
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
 * Has the server tell its state, and from then on its events.
 * @param begin is given the state before any event is heard. @throws NoAnswer, CommandRefused, what `begin` throws
 */
export async function startListening(
  clock: Clock,
  channel: ServerChannel,
  begin: (state: unknown) => Work,
  signal: AbortSignal,
): Promise<void> {
  let failure: unknown;
  // At once, because events may follow in the same packet.
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
