/** Pairing: the owner's side, and the hub's side for makers of hubs. */
import type {
  Client,
  NewPairing,
  PairedHub,
  Pairing,
  PairingApproval,
  PairingPoll,
  StartedPairing,
} from "@porchlight/shared/api";
import { type CallOptions, path, type Transport } from "../transport.ts";

export class Pairings {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts a pairing, as a hub does, without a token. @throws PorchlightError */
  async begin(body: NewPairing, options: CallOptions = {}): Promise<StartedPairing> {
    const request = { method: "POST", path: "/api/pairings", body, repeat: "once" } as const;
    return (await this.#transport.send<StartedPairing>(request, options)).body;
  }

  /** Polls a pairing, as a hub does. @throws PorchlightError, "Pairing Pending" until it is approved */
  async poll(body: PairingPoll, options: CallOptions = {}): Promise<PairedHub> {
    const request = { method: "POST", path: "/api/pairings/poll", body, repeat: "once" } as const;
    return (await this.#transport.send<PairedHub>(request, options)).body;
  }

  /** The hub that shows this code: compare its fingerprint with the one that the hub shows. @throws PorchlightError */
  async get(userCode: string, options: CallOptions = {}): Promise<Pairing> {
    const request = { method: "GET", path: path`/api/pairings/${userCode}`, repeat: "read" } as const;
    return (await this.#transport.send<Pairing>(request, options)).body;
  }

  /** Admits the hub to an environment; returns its client. @throws PorchlightError */
  async approve(userCode: string, body: PairingApproval, options: CallOptions = {}): Promise<Client> {
    const request = { method: "POST", path: path`/api/pairings/${userCode}/approve`, body, repeat: "keyed" } as const;
    return (await this.#transport.send<Client>(request, options)).body;
  }

  /** Rejects the hub. @throws PorchlightError */
  async deny(userCode: string, options: CallOptions = {}): Promise<void> {
    const request = { method: "POST", path: path`/api/pairings/${userCode}/deny`, repeat: "keyed" } as const;
    await this.#transport.send(request, options);
  }
}
