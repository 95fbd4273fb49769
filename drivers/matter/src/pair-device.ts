/** Pairs with a device whose code a person enters. */
import { type DriverStore, SetupFailed, type SetupKind, type SetupTalk } from "@porchlight/driver-kit";
import { type Clock, deadline, type Log, type Random, TaskSet } from "@porchlight/shared/kernel";
import {
  type MatterNetwork,
  NoPairingCode,
  type PairingCode,
  PairingFailed,
  type PairingStep,
} from "./matter-network.ts";
import type { NodeDevices } from "./node-devices.ts";

export const PAIR: SetupKind = { kind: "matter", title: "Pair a Matter device" };

interface PairingDeps {
  readonly network: MatterNetwork;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly pairings: OpenPairings;
  /** Returns the nodes with their current devices. */
  readonly nodes: () => readonly NodeDevices[];
}

const QUESTION =
  "Enter the pairing code: 11 digits, or the text of the QR code (MT:…). If the device is in another app already, choose “share” or “turn on pairing mode” there, and enter the code that the app shows.";
/** Timeout of the search, s. */
const SEARCH_S = 60;
const PAIR_S = 90;
/** Random bytes of a node ID; far below the range that the protocol reserves. */
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
    // The pairing completed after the cancellation, and is undone.
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

/** Asks until the answer is a valid code. @throws the talk's signal's reason */
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
  // The hub has no list of certification authorities, so it makes no claim that it cannot check.
  return step.isTest
    ? "Pairing. The device is not certified: it has a test certificate, as devices have that somebody makes by himself."
    : "Pairing. Whether the device is certified is not checked.";
}

/** Removal of a pairing: the device deletes the hub, so that it can be paired elsewhere without a reset. */
export const REMOVE: SetupKind = { kind: "matter-remove", title: "Remove a Matter device" };
export const RELEASE: SetupKind = { kind: "matter-release", title: "Release the Matter devices" };

const FORGET = "Forget it on this hub";
const KEEP = "Keep it";
/** Timeout of a release by the device, ms; a sleeping device answers late. */
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

/** Releases every device before the hub leaves its owner; those that do not answer must be reset. @throws the talk's signal's reason */
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

/** Treats a device that refuses like one that does not answer. @throws the outer signal's reason */
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

interface OpenPairingsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: DriverStore;
  readonly network: MatterNetwork;
}

const PREFIX = "pairing ";
/** The person has cancelled, so the device must not stay paired. */
const CANCELLED = "cancelled";
const RUNNING = "running";
/** Within this time, ms, a device that has not completed its pairing forgets it, and one that has completed it answers. */
const SEARCH_MS = 300_000;

/**
 * Pairings in progress: finds a device again that accepted the hub while the hub crashed, and releases one whose pairing a person
 * cancelled.
 *
 * Invariant: the ID of a node is on disk before a device gets it; it is removed only when the node is known, or the search for it has
 * failed.
 */
export class OpenPairings implements Disposable {
  readonly #deps: OpenPairingsDeps;
  readonly #left: ReadonlyMap<string, string>;
  readonly #ending = new AbortController();
  readonly #tasks = new TaskSet();

  private constructor(deps: OpenPairingsDeps, left: ReadonlyMap<string, string>) {
    this.#deps = deps;
    this.#left = left;
  }

  /** @throws what the store throws */
  static async load(deps: OpenPairingsDeps): Promise<OpenPairings> {
    const entries = [...(await deps.store.all(PREFIX))];
    const left = entries.map(([key, value]) => [key.slice(PREFIX.length), Buffer.from(value).toString()] as const);
    return new OpenPairings(deps, new Map(left));
  }

  /** Resolves when the ID is on disk. @throws what the store throws */
  async begin(nodeId: string): Promise<void> {
    await this.#deps.store.set(`${PREFIX}${nodeId}`, Buffer.from(RUNNING));
  }

  /** Removes the ID: the node is known, or no device has taken the ID. @throws what the store throws */
  async end(nodeId: string): Promise<void> {
    await this.#deps.store.set(`${PREFIX}${nodeId}`, undefined);
  }

  /** A person has cancelled: releases the device in case it has taken the ID. @throws what the store throws */
  async cancel(nodeId: string): Promise<void> {
    await this.#deps.store.set(`${PREFIX}${nodeId}`, Buffer.from(CANCELLED));
    void this.#tasks.add(this.#recover(nodeId, CANCELLED));
  }

  /** Resumes the pairings that an earlier process left open. */
  recover(): void {
    for (const [nodeId, state] of this.#left) void this.#tasks.add(this.#recover(nodeId, state));
  }

  [Symbol.dispose](): void {
    this.#ending.abort(new Error("the driver stops"));
  }

  async #recover(nodeId: string, state: string): Promise<void> {
    const { clock, log, network } = this.#deps;
    const time = deadline(clock, "search for a device that may be paired", SEARCH_MS, { signal: this.#ending.signal });
    const { signal } = time;
    try {
      const node = network.nodes.find((each) => each.nodeId === nodeId) ?? (await network.adopt(nodeId, signal));
      if (state === CANCELLED) await node.remove(true, signal);
      log.info({ node: nodeId, state }, "a pairing that was interrupted has been completed or taken back");
      await this.end(nodeId);
    } catch (failure) {
      // While the driver stops, the ID is kept for another search.
      if (time.isOver) await this.end(nodeId).catch(() => undefined);
      log.info({ node: nodeId, failure: String(failure) }, "a pairing that was interrupted has not come about");
    } finally {
      time.end();
    }
  }
}
