/** Pairing with a device: a person enters its code. */
import { SetupFailed, type SetupKind, type SetupTalk } from "@porchlight/driver-kit";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { NodeDevices } from "../device/node-devices.ts";
import {
  type MatterNetwork,
  NoPairingCode,
  type PairingCode,
  PairingFailed,
  type PairingStep,
} from "../network/matter-network.ts";
import type { OpenPairings } from "./open-pairings.ts";

export const PAIR: SetupKind = { kind: "matter", title: "Pair a Matter device" };

export interface PairingDeps {
  readonly network: MatterNetwork;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly pairings: OpenPairings;
  /** The nodes with their devices as they are now. */
  readonly nodes: () => readonly NodeDevices[];
}

const QUESTION =
  "Enter the pairing code: 11 digits, or the text of the QR code (MT:…). If the device is in another app already, choose “share” or “turn on pairing mode” there, and enter the code that the app shows.";
/** How long it is looked for, s. */
const SEARCH_S = 60;
const PAIR_S = 90;
/** Bits of a node's id that are drawn: far below those that the protocol keeps for itself. */
const ID_BYTES = 7;

const CURES: Readonly<Record<PairingFailed["why"], string>> = {
  not_found:
    "No device in pairing mode was found. Turn on its pairing mode, and check that it and the hub are in the same network. A factory-new device that must first be told the Wi-Fi or Thread network cannot be reached: pair it in its maker's app or your phone first, then share it.",
  wrong_code:
    "The device does not accept the code. Check it, or turn on pairing mode again: the code of a shared device changes.",
  already_paired: "The device is paired with this hub already.",
  not_genuine: "The device cannot prove what it is. It was not paired.",
  full: "The device is paired with as many apps and hubs as it can be. Remove it from one of them.",
  no_answer: "The device stopped answering. Turn on its pairing mode again, and try once more.",
};

/** @throws SetupFailed, the talk's signal's reason, what the store throws */
export async function pairDevice(talk: SetupTalk, deps: PairingDeps): Promise<void> {
  const { network, pairings } = deps;
  const code = await askCode(talk, network);
  const nodeId = Buffer.from(deps.random.bytes(ID_BYTES)).toString("hex").toUpperCase().padStart(16, "0");
  await pairings.begin(nodeId);
  talk.tell("Looking for the device.", SEARCH_S);
  try {
    const { signal } = talk;
    await network.pair({ code, nodeId, signal, progress: (step) => talk.tell(wordsOf(step), PAIR_S) });
    // Too late to be stopped: it is taken back.
    signal.throwIfAborted();
  } catch (failure) {
    if (talk.signal.aborted) await pairings.cancel(nodeId);
    else await pairings.end(nodeId);
    if (!(failure instanceof PairingFailed)) throw failure;
    deps.log.info({ why: failure.why, failure: failure.message }, "a Matter device has not been paired");
    throw new SetupFailed(CURES[failure.why]);
  }
  await pairings.end(nodeId);
  const paired = deps.nodes().find(({ node }) => node.nodeId === nodeId);
  for (const { edgeId, announced } of paired?.devices ?? [])
    talk.found({ edgeId, name: announced.about.name ?? edgeId });
  if (paired && paired.devices.length === 0) talk.found({ name: paired.name });
}

/** Asks until it is one. @throws the talk's signal's reason */
async function askCode(talk: SetupTalk, network: MatterNetwork): Promise<PairingCode> {
  let text = QUESTION;
  for (;;) {
    const answer = await talk.ask({ ask: "code", text });
    try {
      return network.readPairingCode(answer);
    } catch (failure) {
      if (!(failure instanceof NoPairingCode)) throw failure;
      text = `${failure.message} ${QUESTION}`;
    }
  }
}

function wordsOf(step: PairingStep): string {
  if (step.step === "found")
    return step.name === undefined ? "A device was found. Pairing." : `“${step.name}” was found. Pairing.`;
  // The hub has no list of those who may certify: what it cannot check it does not claim.
  return step.isTest
    ? "Pairing. The device is not certified: it has a test certificate, as devices have that somebody makes by himself."
    : "Pairing. Whether the device is certified is not checked.";
}
