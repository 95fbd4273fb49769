/** Clients (the agents on home hubs) with their pairing, users and servers: their tokens, and the operation of hubs and their drivers. */
import type {
  AccessEntry,
  Client,
  HubBackupList,
  HubDoctor,
  HubDriver,
  HubDriverList,
  HubLog,
  HubRestart,
  HubSetup,
  HubStatus,
  MatterBridge,
  NewClient,
  NewHubBackup,
  NewPairing,
  NewServer,
  NewUser,
  NewUserToken,
  ObjectUpdate,
  PairedHub,
  Pairing,
  PairingApproval,
  PairingPoll,
  Server,
  StartedPairing,
  Token,
  User,
} from "@porchlight/shared/api";
import { Collection, type PageOptions } from "../collection.ts";
import { type CallOptions, path, type Transport } from "../transport.ts";
import { Objects, type Sent } from "./objects.ts";
import type { InEcosystem, InEnvironment } from "./places.ts";

/** Objects that have tokens. `O`: the options of a new token. */
class Subjects<R, N, F extends object, O extends object> extends Objects<R, N, Sent<ObjectUpdate>, F> {
  /** Lists tokens without their secret text, which is shown only once. */
  tokens(reference: string, options: PageOptions = {}): Collection<Token> {
    return new Collection<Token>(this.transport, `${this.at(reference)}/tokens`, {}, options);
  }

  /** Creates a token; only this answer contains `token`. @throws PorchlightError */
  async createToken(reference: string, body?: O, options: CallOptions = {}): Promise<Token> {
    return this.transport.post<Token>(`${this.at(reference)}/tokens`, body, options);
  }

  /** Revokes a token at once, and ends open connections that use it. @throws PorchlightError */
  async deleteToken(reference: string, tokenId: string, options: CallOptions = {}): Promise<void> {
    await this.transport.delete(`${this.at(reference)}${path`/tokens/${tokenId}`}`, options);
  }
}

export class Users extends Subjects<User, Sent<NewUser>, InEcosystem, NewUserToken> {
  constructor(transport: Transport) {
    super(transport, "/api/users");
  }

  /** The environments that a user has access to. */
  access(reference: string, options: PageOptions = {}): Collection<AccessEntry> {
    return new Collection<AccessEntry>(this.transport, `${this.at(reference)}/access`, {}, options);
  }

  /** Grants full access to an environment; a second call returns the same entry. @throws PorchlightError */
  async grant(reference: string, environmentId: string, options: CallOptions = {}): Promise<AccessEntry> {
    return this.transport.post<AccessEntry>(`${this.at(reference)}/access`, { environmentId }, options);
  }

  /** @throws PorchlightError */
  async revoke(reference: string, accessId: string, options: CallOptions = {}): Promise<void> {
    await this.transport.delete(`${this.at(reference)}${path`/access/${accessId}`}`, options);
  }
}

export class Servers extends Subjects<Server, Sent<NewServer>, InEcosystem, Record<never, never>> {
  constructor(transport: Transport) {
    super(transport, "/api/servers");
  }

  /**
   * Lists tokens with their secret text, for an account only; the service records each such list in the audit trail.
   * @param options `reveal` false: without the secret text
   */
  override tokens(reference: string, options: PageOptions & { readonly reveal?: boolean } = {}): Collection<Token> {
    const { reveal, ...rest } = options;
    const query = reveal === undefined ? {} : { reveal };
    return new Collection<Token>(this.transport, `${this.at(reference)}/tokens`, query, rest);
  }
}

export interface SetupOptions extends CallOptions {
  /** The last known `version`: the answer waits for a newer one. */
  readonly after?: number | undefined;
  /** How long to wait for a newer version, seconds (10). */
  readonly wait?: number | undefined;
}

interface HubLogOptions extends CallOptions {
  /** Length of the log, minutes, 1 to 1440 (15). */
  readonly minutes?: number | undefined;
  /** The lowest level to include (`info`). */
  readonly level?: HubLog["items"][number]["level"] | undefined;
}

export class Clients extends Subjects<Client, Sent<NewClient>, InEnvironment, Record<never, never>> {
  constructor(transport: Transport) {
    super(transport, "/api/clients");
  }

  /** The hub's drivers, the devices that they see, and the possible setups. @throws PorchlightError */
  async drivers(reference: string, options: CallOptions = {}): Promise<readonly HubDriver[]> {
    return (await this.transport.get<HubDriverList>(`${this.at(reference)}/drivers`, options)).items;
  }

  /** How to pair a Matter controller with the hub, and the paired ones; undefined while its bridge does not run. @throws PorchlightError */
  async matterBridge(reference: string, options: CallOptions = {}): Promise<MatterBridge | undefined> {
    return (await this.transport.get<HubDriverList>(`${this.at(reference)}/drivers`, options)).matterBridge;
  }

  /** Admits a device to the hub. @throws PorchlightError */
  async admit(reference: string, edgeId: string, options: CallOptions = {}): Promise<void> {
    await this.transport.put(`${this.at(reference)}${path`/admissions/${edgeId}`}`, undefined, options);
  }

  /** Withdraws an admission; a device that the hub's settings admit stays admitted. @throws PorchlightError */
  async withdrawAdmission(reference: string, edgeId: string, options: CallOptions = {}): Promise<void> {
    await this.transport.delete(`${this.at(reference)}${path`/admissions/${edgeId}`}`, options);
  }

  /** @param kind one of the `setups` of the hub's drivers @throws PorchlightError */
  async startSetup(reference: string, kind: string, options: CallOptions = {}): Promise<HubSetup> {
    return this.transport.post<HubSetup>(`${this.at(reference)}/setups`, { kind }, options);
  }

  /** @throws PorchlightError */
  async setup(reference: string, setupId: string, options: SetupOptions = {}): Promise<HubSetup> {
    const { after, wait } = options;
    const at = `${this.at(reference)}${path`/setups/${setupId}`}`;
    const headers = { prefer: wait === undefined ? undefined : `wait=${wait}` };
    const request = { method: "GET", path: at, query: { after }, headers, repeat: "read" } as const;
    return (await this.transport.send<HubSetup>(request, options)).body;
  }

  /** Answers the question with that number; the same answer again has no effect. @throws PorchlightError */
  async answerSetup(
    reference: string,
    setupId: string,
    number: number,
    answer: string,
    options: CallOptions = {},
  ): Promise<HubSetup> {
    const at = `${this.at(reference)}${path`/setups/${setupId}/answers/${String(number)}`}`;
    return this.transport.put<HubSetup>(at, { answer }, options);
  }

  /** Cancels a setup; an ended one stays unchanged. @throws PorchlightError */
  async cancelSetup(reference: string, setupId: string, options: CallOptions = {}): Promise<HubSetup> {
    return this.transport.delete<HubSetup>(`${this.at(reference)}${path`/setups/${setupId}`}`, options);
  }

  /** Version, machine, memory, disk and problems of the hub. @throws PorchlightError */
  async status(reference: string, options: CallOptions = {}): Promise<HubStatus> {
    return this.transport.get(`${this.at(reference)}/status`, options);
  }

  /** Runs the hub's self-check, like `porchlight-agent doctor` on the hub. @throws PorchlightError */
  async doctor(reference: string, options: CallOptions = {}): Promise<HubDoctor> {
    return this.transport.get(`${this.at(reference)}/doctor`, options);
  }

  /** The hub's recent log, without secrets. @throws PorchlightError */
  async logs(reference: string, options: HubLogOptions = {}): Promise<HubLog> {
    const { minutes, level, ...call } = options;
    return this.transport.get(`${this.at(reference)}/logs`, call, { minutes, level });
  }

  /** The backups stored on the hub. @throws PorchlightError */
  async backups(reference: string, options: CallOptions = {}): Promise<HubBackupList> {
    return this.transport.get(`${this.at(reference)}/backups`, options);
  }

  /** Creates a backup, which stays on the hub. @throws PorchlightError */
  async createBackup(reference: string, options: CallOptions = {}): Promise<NewHubBackup> {
    return this.transport.post<NewHubBackup>(`${this.at(reference)}/backups`, undefined, options);
  }

  /**
   * Restarts the agent on the hub, which answers first. The restart is complete once `status` has an `uptimeMs` smaller than the time
   * since this call. @throws PorchlightError
   */
  async restart(reference: string, options: CallOptions = {}): Promise<HubRestart> {
    return this.transport.post<HubRestart>(`${this.at(reference)}/restart`, undefined, options);
  }
}

/** Pairing: the owner's side, and the hub's side for makers of hubs. */
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
    return this.#transport.get<Pairing>(path`/api/pairings/${userCode}`, options);
  }

  /** Admits the hub to an environment; returns its client. @throws PorchlightError */
  async approve(userCode: string, body: PairingApproval, options: CallOptions = {}): Promise<Client> {
    return this.#transport.post<Client>(path`/api/pairings/${userCode}/approve`, body, options);
  }

  /** Rejects the hub. @throws PorchlightError */
  async deny(userCode: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.post(path`/api/pairings/${userCode}/deny`, undefined, options);
  }
}
