/** Users, servers and clients: who may call, with the tokens that they call with. */
import type {
  AccessEntry,
  NewServer,
  NewUser,
  NewUserToken,
  ObjectUpdate,
  Server,
  Token,
  User,
} from "@porchlight/shared/api";
import { Collection, type PageOptions } from "../transport/collection.ts";
import { type CallOptions, path, type Transport } from "../transport/transport.ts";
import { Objects, type Sent } from "./objects.ts";
import type { InEcosystem } from "./places.ts";

/** Objects that have tokens. `O` what a new token can be asked to be. */
export class Subjects<R, N, F extends object, O extends object> extends Objects<R, N, Sent<ObjectUpdate>, F> {
  /** Without the tokens themselves, which are shown once. */
  tokens(reference: string, options: PageOptions = {}): Collection<Token> {
    return new Collection<Token>(this.transport, `${this.at(reference)}/tokens`, {}, options);
  }

  /** The answer is the only place where `token` is told. @throws PorchlightError */
  async createToken(reference: string, body?: O, options: CallOptions = {}): Promise<Token> {
    const request = { method: "POST", path: `${this.at(reference)}/tokens`, body, repeat: "keyed" } as const;
    return (await this.transport.send<Token>(request, options)).body;
  }

  /** Ends a token, at once and with what is open by it. @throws PorchlightError */
  async deleteToken(reference: string, tokenId: string, options: CallOptions = {}): Promise<void> {
    const at = `${this.at(reference)}${path`/tokens/${tokenId}`}`;
    await this.transport.send({ method: "DELETE", path: at, repeat: "replace" }, options);
  }
}

export class Users extends Subjects<User, Sent<NewUser>, InEcosystem, NewUserToken> {
  constructor(transport: Transport) {
    super(transport, "/api/users");
  }

  /** The environments that a user has. */
  access(reference: string, options: PageOptions = {}): Collection<AccessEntry> {
    return new Collection<AccessEntry>(this.transport, `${this.at(reference)}/access`, {}, options);
  }

  /** Gives full access to an environment; a second time it is the same entry. @throws PorchlightError */
  async grant(reference: string, environmentId: string, options: CallOptions = {}): Promise<AccessEntry> {
    const at = `${this.at(reference)}/access`;
    const request = { method: "POST", path: at, body: { environmentId }, repeat: "keyed" } as const;
    return (await this.transport.send<AccessEntry>(request, options)).body;
  }

  /** @throws PorchlightError */
  async revoke(reference: string, accessId: string, options: CallOptions = {}): Promise<void> {
    const at = `${this.at(reference)}${path`/access/${accessId}`}`;
    await this.transport.send({ method: "DELETE", path: at, repeat: "replace" }, options);
  }
}

export class Servers extends Subjects<Server, Sent<NewServer>, InEcosystem, Record<never, never>> {
  constructor(transport: Transport) {
    super(transport, "/api/servers");
  }

  /**
   * With the tokens themselves, for an account only; the service records each reading in the audit.
   * @param options `reveal` false: without them
   */
  override tokens(reference: string, options: PageOptions & { readonly reveal?: boolean } = {}): Collection<Token> {
    const { reveal, ...rest } = options;
    const query = reveal === undefined ? {} : { reveal };
    return new Collection<Token>(this.transport, `${this.at(reference)}/tokens`, query, rest);
  }
}
