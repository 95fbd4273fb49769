/** Why a bridge cannot be used, apart from that it does not answer. */
import { bridgeIdOf } from "./bridge-api.ts";

/** The bridge does not know the hub's key any more. */
export class KeyRefused extends Error {
  constructor() {
    super("The bridge no longer accepts the key of this hub. Pair it again.");
  }
}

/** What answers is not the bridge that was paired. */
export class CertificateRefused extends Error {
  /** The id of another bridge, when its certificate is made out to one. */
  readonly named: string | undefined;

  /** @param named the name in its certificate */
  constructor(bridgeId: string, named: string) {
    const other = bridgeIdOf(named) === bridgeId ? undefined : bridgeIdOf(named);
    super(
      other === undefined
        ? `What answers at its address does not have the certificate of the bridge ${bridgeId}. Nothing was sent to it.`
        : `Another bridge answers at its address (${other}). Nothing was sent to it.`,
    );
    this.named = other;
  }
}

/** It takes no more connections or requests now (429, 503). */
export class BridgeBusy extends Error {
  constructor(status: number) {
    super(`The bridge has too many connections or requests (status ${status}).`);
  }
}

/** It does not have the API with the event stream (CLIP v2). */
export class SoftwareTooOld extends Error {
  constructor(message = "The software of the bridge is too old: it does not have the API that the hub uses.") {
    super(message);
  }
}

/** Whether a status means that the bridge takes no more now. */
export function isBusy(status: number): boolean {
  return status === 429 || status === 503;
}
