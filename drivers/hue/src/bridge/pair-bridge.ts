/** Pairs with a bridge when a person presses the button on it. */
import { SetupFailed, type SetupKind, type SetupTalk } from "@porchlight/driver-kit";
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { type BridgeAddress, CertificateRefused, placeOf } from "./bridge-failures.ts";
import type { KeptBridge } from "./kept-bridges.ts";

export const PAIR_BRIDGE: SetupKind = { kind: "hue-bridge", title: "Pair with a Hue bridge" };

/** Time for a person to press the button, s. */
const PATIENCE_S = 60;
const ASK_MS = 1000;

export interface PairBridgeDeps {
  readonly clock: Clock;
  readonly api: PairingApi;
  /** Addresses where an unpaired bridge may be. */
  readonly places: readonly BridgeAddress[];
  /** Whether the hub is paired with the bridge, and the pairing is still valid. */
  readonly isPaired: (bridgeId: string) => boolean;
  /** Whether the bridge's previous certificate was signed by the manufacturer; false for a bridge that was never paired. */
  readonly wasSigned: (bridgeId: string) => boolean;
  readonly keep: (bridgeId: string, bridge: KeptBridge) => Promise<void>;
}

interface Candidate {
  readonly address: BridgeAddress;
  readonly facts: BridgeFacts;
}

/** @throws SetupFailed, the talk's signal's reason */
export async function pairBridge(talk: SetupTalk, deps: PairBridgeDeps): Promise<void> {
  const { clock, api, keep, wasSigned } = deps;
  const { address, facts } = await choose(talk, await candidates(deps));
  const { bridgeId, name, software } = facts;
  if (software < OLDEST_SOFTWARE)
    throw new SetupFailed(
      `The bridge “${name}” has software ${software}, which is too old. Update it in the Hue app to ${OLDEST_SOFTWARE} or later.`,
    );
  talk.tell(`Press the button on the bridge “${name}”.`, PATIENCE_S);
  const end = clock.monotonic() + PATIENCE_S * 1000;
  while (clock.monotonic() < end) {
    const answer = await api.askKey(address, bridgeId, wasSigned(bridgeId)).catch((failure: unknown) => {
      if (failure instanceof CertificateRefused) throw new SetupFailed(failure.message);
      throw new SetupFailed(`The bridge “${name}” does not answer: ${inWords(failure)}`);
    });
    if (answer.kind === "pressed") {
      await keep(bridgeId, { key: answer.key, pinned: answer.pinned, ...address, pairedAt: placeOf(address) });
      talk.found({ name: `Hue bridge “${name}”` });
      return;
    }
    await sleep(clock, "button of a bridge to be pressed", ASK_MS, talk.signal);
  }
  throw new SetupFailed(`The button on the bridge “${name}” was not pressed within ${PATIENCE_S} seconds. Try again.`);
}

/** Each bridge that answers, without duplicates. @throws SetupFailed when there is none */
async function candidates({ api, places, isPaired }: PairBridgeDeps): Promise<readonly Candidate[]> {
  const asked = await Promise.all(
    places.map((address) =>
      api.facts(address).then(
        (facts): Candidate => ({ address, facts }),
        (failure: unknown) => ({ address, failure }),
      ),
    ),
  );
  const answering = asked.flatMap((each) => ("facts" in each && !isPaired(each.facts.bridgeId) ? [each] : []));
  const found = new Map(answering.map((each) => [each.facts.bridgeId, each] as const));
  if (found.size > 0) return [...found.values()];
  const silent = asked.flatMap((each) =>
    "failure" in each ? [`${placeOf(each.address)}: ${inWords(each.failure)}`] : [],
  );
  throw new SetupFailed(
    silent.length === 0
      ? "No Hue bridge that is not paired was found on the network. Name its address in the settings: drivers.hue.bridges."
      : `No Hue bridge answers (${silent.join("; ")}).`,
  );
}

async function choose(talk: SetupTalk, found: readonly Candidate[]): Promise<Candidate> {
  const [only] = found;
  if (only && found.length === 1) return only;
  const words = ({ facts, address }: Candidate) => `${facts.name} (${facts.bridgeId}, ${placeOf(address)})`;
  const choices = found.map(words);
  const chosen = await talk.ask({ ask: "choice", text: "Which bridge?", choices });
  const candidate = found.find((each) => words(each) === chosen);
  if (!candidate) throw new SetupFailed("There is no such bridge.");
  return candidate;
}

function inWords(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** Public information of a bridge. */
export interface BridgeFacts {
  readonly bridgeId: string;
  readonly name: string;
  /** Version of the software, an increasing number: `1967054020`. */
  readonly software: number;
}

/** The peer is not a bridge. */
export class NoBridge extends Error {
  constructor() {
    super("What answers there is no Hue bridge.");
  }
}

/** First software with the API (CLIP v2) and its event stream. */
export const OLDEST_SOFTWARE = 1_948_086_000;

/** `pressed`: the button was pressed, and the hub now has a key. `waiting`: not yet. */
export type KeyAnswer =
  | { readonly kind: "pressed"; readonly key: string; readonly pinned: string | undefined }
  | { readonly kind: "waiting" };

export interface PairingApi {
  /** Requests public information. @throws NoBridge, Error when nothing answers there */
  facts(address: BridgeAddress, signal?: AbortSignal): Promise<BridgeFacts>;
  /**
   * Requests a key. @param mustBeSigned the bridge's previous certificate was signed by the manufacturer, so this one must be too
   * @throws CertificateRefused, Error
   */
  askKey(address: BridgeAddress, bridgeId: string, mustBeSigned: boolean): Promise<KeyAnswer>;
}
