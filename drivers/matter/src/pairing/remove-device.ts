/** The end of a pairing: the device forgets the hub, so that it can be paired elsewhere without a reset. */
import { SetupFailed, type SetupKind, type SetupTalk } from "@porchlight/driver-kit";
import { deadline } from "@porchlight/shared/kernel";
import type { NodeDevices } from "../device/node-devices.ts";
import type { PairingDeps } from "./pair-device.ts";

export const REMOVE: SetupKind = { kind: "matter-remove", title: "Remove a Matter device" };
export const RELEASE: SetupKind = { kind: "matter-release", title: "Release the Matter devices" };

const FORGET = "Forget it on this hub";
const KEEP = "Keep it";
/** How long a device may take to let go of the hub, ms: one that sleeps answers late. */
const RELEASE_MS = 60_000;
const RELEASE_S = RELEASE_MS / 1000;

type Removing = Pick<PairingDeps, "clock" | "nodes" | "log">;

/** @throws SetupFailed, the talk's signal's reason */
export async function removeDevice(talk: SetupTalk, deps: Removing): Promise<void> {
  const nodes = deps.nodes();
  if (nodes.length === 0) throw new SetupFailed("No Matter device is paired with this hub.");
  const words = ({ name, node }: NodeDevices) => `${name} (${node.nodeId})`;
  const choices = nodes.map(words);
  const chosen = await talk.ask({
    ask: "choice",
    text: "Which device? A bridge goes with all that is behind it.",
    choices,
  });
  const found = nodes.find((each) => words(each) === chosen);
  if (!found) throw new SetupFailed("There is no such device.");
  talk.tell(`Removing “${found.name}”.`, RELEASE_S);
  if ((await remove(found, false, talk.signal, deps)) === "released") {
    tellReleased(talk, found);
    return;
  }
  const text = `“${found.name}” does not answer. If the hub forgets it now, it must be reset by hand before it can be paired again.`;
  if ((await talk.ask({ ask: "choice", text, choices: [KEEP, FORGET] })) === KEEP)
    throw new SetupFailed(`“${found.name}” was not removed: it does not answer.`);
  talk.tell(`Removing “${found.name}”.`, RELEASE_S);
  await remove(found, true, talk.signal, deps);
  talk.found({ name: found.name });
}

/** The hub leaves its owner: each device is let go, those that do not answer must be reset. @throws the talk's signal's reason */
export async function releaseAll(talk: SetupTalk, deps: Removing): Promise<void> {
  const nodes = deps.nodes();
  talk.tell(`Releasing ${nodes.length} Matter ${nodes.length === 1 ? "device" : "devices"}.`);
  const releasing = nodes.map(async (each) => {
    if ((await remove(each, false, talk.signal, deps)) === "released") tellReleased(talk, each);
  });
  await Promise.all(releasing);
  talk.signal.throwIfAborted();
}

function tellReleased(talk: SetupTalk, { devices, name }: NodeDevices): void {
  for (const { edgeId, announced } of devices) talk.found({ edgeId, name: announced.about.name ?? name });
  if (devices.length === 0) talk.found({ name });
}

/** A device that refuses is as one that does not answer. @throws the outer signal's reason */
async function remove(
  { node, name }: NodeDevices,
  isForced: boolean,
  signal: AbortSignal,
  { clock, log }: Removing,
): Promise<"released" | "unreached"> {
  const time = deadline(clock, "removal of a Matter device", RELEASE_MS, { signal });
  try {
    return await node.remove(isForced, time.signal);
  } catch (failure) {
    signal.throwIfAborted();
    log.warn({ node: node.nodeId, name, failure: String(failure) }, "a Matter device could not be removed");
    return "unreached";
  } finally {
    time.end();
  }
}
