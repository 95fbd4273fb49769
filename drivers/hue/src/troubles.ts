/** Lists the troubles of bridges, each with what people can do, for the status and `doctor`. Pure. */
import { edgeIdOfEui, type UnpairedDevice } from "@porchlight/driver-kit";
import { BridgeBusy, CertificateRefused, KeyRefused, placeOf, SoftwareTooOld } from "./bridge/bridge-failures.ts";
import { type BridgeFacts, NoBridge, OLDEST_SOFTWARE, PAIR_BRIDGE } from "./bridge/pair-bridge.ts";
import type { UnpairedBridge } from "./bridge/unpaired-bridges.ts";

export type HueTroubleKind =
  | "not_paired"
  | "key_refused"
  | "other_certificate"
  /** Another bridge answers at its address. */
  | "other_bridge"
  | "software_too_old"
  | "busy"
  | "not_reached"
  /** The bridge does not answer and does not announce itself: its address may have changed. */
  | "not_announced"
  | "no_bridge";

export interface HueTrouble {
  /** The bridge's, when it is known. */
  readonly edgeId?: string | undefined;
  readonly why: HueTroubleKind;
  readonly says: string;
  readonly cure: string;
}

const PAIR = `run \`porchlight-agent devices pair ${PAIR_BRIDGE.kind}\`, and press the button on the bridge`;
const CURES: Readonly<Record<HueTroubleKind, string>> = {
  not_paired: `Pair it: ${PAIR}.`,
  key_refused: `Somebody has removed this hub in the Hue app, or reset the bridge. Pair it again: ${PAIR}.`,
  other_certificate: `If the bridge was reset, pair it again: ${PAIR}. Otherwise find out which device has its address.`,
  other_bridge: `If it replaces the old bridge, pair it: ${PAIR}; then run \`porchlight-agent devices pair hue-forget\`. If the old bridge has another address, name that under \`drivers.hue.bridges\`.`,
  software_too_old: `Update the bridge in the Hue app to ${OLDEST_SOFTWARE} or later. The round bridge (v1) cannot be used.`,
  busy: "Close other apps that use the bridge. The hub tries again by itself.",
  not_reached: "Check that the bridge has power and a network cable, and that the hub may connect to it.",
  not_announced:
    "Check that the bridge has power. If it has another address now, name that under `drivers.hue.bridges`, and give the bridge a fixed address in your router.",
  no_bridge: "Find out which device has that address, and correct `drivers.hue.bridges`.",
};

/** A paired bridge, as its link knows it. */
export interface BridgeState {
  readonly bridgeId: string;
  /** Last known address: `192.168.1.20`. */
  readonly place: string;
  /** Reason why it cannot be used; undefined when it can. */
  readonly failure: Error | undefined;
  /** Whether it announces itself now; undefined where the hub does not listen for announcements. */
  readonly isAnnounced: boolean | undefined;
}

/** Trouble of a paired bridge; undefined when there is none. */
export function bridgeTrouble({ bridgeId, place, failure, isAnnounced }: BridgeState): HueTrouble | undefined {
  if (!failure) return undefined;
  const why = kindOf(failure, isAnnounced);
  const says = `${place} (Hue bridge ${bridgeId}): ${inWords(why, failure)}`;
  return { edgeId: edgeIdOfEui(bridgeId), why, says, cure: CURES[why] };
}

/** Trouble of an unpaired bridge, or of an address without a bridge. */
export function unpairedTrouble({ place, facts, failure = new Error("no answer") }: UnpairedBridge): HueTrouble {
  const where = placeOf(place);
  if (!facts) {
    const why = kindOf(failure, undefined);
    return { why, says: `${where}: ${inWords(why, failure)}`, cure: CURES[why] };
  }
  const why = isTooOld(facts) ? "software_too_old" : "not_paired";
  const words = isTooOld(facts) ? `Its software ${facts.software} is too old.` : "It is not paired.";
  const says = `${where} (Hue bridge “${facts.name}”): ${words}`;
  return { edgeId: edgeIdOfEui(facts.bridgeId), why, says, cure: CURES[why] };
}

/** Entry of an unpaired bridge in the list; undefined for an address from the settings where no bridge has answered. */
export function listedBridge({ place, facts, failure }: UnpairedBridge): UnpairedDevice | undefined {
  const address = placeOf(place);
  if (!facts) {
    if (place.isListed || failure instanceof NoBridge) return undefined;
    return { name: "Hue bridge", address, missing: `It does not answer (${failure?.message}). ${CURES.not_reached}` };
  }
  const bridge = { name: `Hue bridge “${facts.name}”`, edgeId: edgeIdOfEui(facts.bridgeId), address };
  if (isTooOld(facts))
    return { ...bridge, missing: `Its software ${facts.software} is too old. ${CURES.software_too_old}` };
  return { ...bridge, missing: "Start pairing, then press the button on the bridge.", setup: PAIR_BRIDGE.kind };
}

function isTooOld({ software }: BridgeFacts): boolean {
  return software < OLDEST_SOFTWARE;
}

function kindOf(failure: Error, isAnnounced: boolean | undefined): HueTroubleKind {
  if (failure instanceof KeyRefused) return "key_refused";
  if (failure instanceof CertificateRefused) return failure.named === undefined ? "other_certificate" : "other_bridge";
  if (failure instanceof SoftwareTooOld) return "software_too_old";
  if (failure instanceof BridgeBusy) return "busy";
  if (failure instanceof NoBridge) return "no_bridge";
  return isAnnounced === false ? "not_announced" : "not_reached";
}

function inWords(why: HueTroubleKind, { message }: Error): string {
  if (why === "not_reached") return `It is not reached (${message}).`;
  if (why === "not_announced") return `It is not reached (${message}), and does not announce itself on the network.`;
  return message;
}
