/** Asks a hub for the writes of one call of a scene: in one frame, or one by one where its agent knows of no scenes (T5.2). */
import type { CommandAnswer } from "@porchlight/shared/tunnel";
import type { HubTunnel } from "../../tunnels/index.ts";
import type { Asked, HubAsk } from "./write-batch.ts";

/** Commands that an agent without scenes is asked for at once: no hub is flooded. */
const SIDE_BY_SIDE = 32;

/** Settles each of them. */
export function askForScene(tunnel: HubTunnel, sceneId: string, asked: readonly Asked<HubAsk, CommandAnswer>[]): void {
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
