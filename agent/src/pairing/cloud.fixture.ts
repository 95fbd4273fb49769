/** A cloud as far as pairing knows one, as a test scripts it: it hands out codes and gives the answers of the script. */
import { createPublicKey, verify } from "node:crypto";
import { type Clock, seededRandom } from "@porchlight/shared/kernel";
import { openIdentity } from "../config/identity.ts";
import type { BeginAnswer, BegunPairing, PairingCloud, PollAnswer } from "./http-pairing-cloud.ts";

export const CLOUD_URL = "https://cloud.example";
export const GRANT = { clientId: "cli_1", token: "plt_cli_granted", environmentId: "env_1" };

export class FakePairingCloud implements PairingCloud {
  readonly #clock: Clock;
  /** Monotonic times of what was asked. */
  readonly begun: number[] = [];
  readonly polled: number[] = [];
  /** The codes that were polled, and by whom signed. */
  readonly codes: string[] = [];
  /** What comes next instead of a new code. */
  readonly setbacks: BeginAnswer[] = [];
  /** What polls are answered, in turn; the last for ever. */
  answers: PollAnswer[] = [{ kind: "pending" }];
  #publicKey = "";

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async begin(hub: { readonly publicKey: string }): Promise<BeginAnswer> {
    this.begun.push(this.#clock.monotonic());
    this.#publicKey = hub.publicKey;
    return this.setbacks.shift() ?? { kind: "begun", pairing: pairingOf(this.begun.length) };
  }

  async poll({ deviceCode, signature }: { deviceCode: string; signature: string }): Promise<PollAnswer> {
    this.polled.push(this.#clock.monotonic());
    this.codes.push(deviceCode);
    const key = createPublicKey({ key: Buffer.from(this.#publicKey, "base64"), format: "der", type: "spki" });
    if (!verify(null, Buffer.from(deviceCode), key, Buffer.from(signature, "base64"))) return { kind: "unknown" };
    const [answer = { kind: "pending" }] = this.answers.length > 1 ? [this.answers.shift()] : this.answers;
    return answer;
  }
}

/** The pairing under the n-th code. */
export function pairingOf(number: number): BegunPairing {
  const userCode = `BCDF-GHJ${"KLMNPQRST"[number]}`;
  return {
    deviceCode: `the-hubs-own-code-${number}`,
    userCode,
    verificationUri: `${CLOUD_URL}/pair`,
    verificationUriComplete: `${CLOUD_URL}/pair?code=${userCode}`,
    expiresIn: 900,
    interval: 5,
  };
}

/** A hub's identity, kept in that folder. */
export function testIdentity(folder: string) {
  return openIdentity(`${folder}/identity.key`, {
    random: seededRandom(3),
    edgeId: "02-00-00-00-00-01",
    hardware: () => undefined,
  });
}
