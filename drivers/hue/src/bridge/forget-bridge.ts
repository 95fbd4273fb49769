/** Removes a paired bridge that is permanently gone; a person chooses it. */
import { SetupFailed, type SetupKind, type SetupTalk } from "@porchlight/driver-kit";

export const FORGET_BRIDGE: SetupKind = { kind: "hue-forget", title: "Forget a Hue bridge" };

interface PairedBridge {
  readonly bridgeId: string;
  /** Last known address. */
  readonly place: string;
}

/** @param gone bridges without a connection @throws SetupFailed, the talk's signal's reason, what `forget` throws */
export async function forgetBridge(
  talk: SetupTalk,
  gone: readonly PairedBridge[],
  forget: (bridgeId: string) => Promise<void>,
): Promise<void> {
  if (gone.length === 0) throw new SetupFailed("Every paired Hue bridge is connected.");
  const words = ({ bridgeId, place }: PairedBridge) => `${bridgeId} (${place})`;
  const text = "Which bridge is not in use any more? To use it again, you must press its button.";
  const chosen = await talk.ask({ ask: "choice", text, choices: gone.map(words) });
  const bridge = gone.find((each) => words(each) === chosen);
  if (!bridge) throw new SetupFailed("There is no such bridge.");
  await forget(bridge.bridgeId);
}
