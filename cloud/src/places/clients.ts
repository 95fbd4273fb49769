/** Clients: software that is installed in an environment and acts for it, here the agent on a home hub. */
import type { Client, NewClient } from "@porchlight/shared/api";
import { type Clock, type Id, type IdMaker, NamedError } from "@porchlight/shared/kernel";
import { givenName, NAME_KEY } from "@porchlight/shared/names";
import {
  type AuditDetail,
  audit,
  type Caller,
  changeLivingObject,
  DEFAULT_META_PREFIX,
  EMPTY_META,
  endLivingObject,
  insertObject,
  livingObject,
  type ObjectChange,
  type Quotas,
  type References,
  type Resolved,
  readAlias,
  referenceNotFound,
  replaceMeta,
  showMeta,
  type Tokens,
} from "../access/index.ts";
import { event } from "../events/index.ts";
import { type Sql, type Store, statement, type Transaction } from "../store/index.ts";
import {
  type ClientSnapshot,
  clientResource,
  endedAt,
  type HubConnection,
  heldBy,
  readClient,
} from "../tunnels/index.ts";
import { type DeletionDeps, leaveToSweeper } from "./deletion.ts";
import { mergedPage, placesToList } from "./object-pages.ts";

/** Returns the current connection of a client; the tunnels implement it. */
export type Presence = (client: ClientSnapshot) => HubConnection;

export interface ClientsDeps extends DeletionDeps {
  readonly store: Store;
  readonly references: References;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly quotas: Quotas;
  readonly presence: Presence;
}

/** The hub identity that pairing binds a client to before its first hello. */
export interface PairedIdentity {
  /** Base64 of the SPKI DER. */
  readonly publicKey: string;
  readonly edgeId: string;
}

/** A client with its version, which a PUT increases. */
export type VersionedClient = ClientSnapshot & { readonly version: number };

type PageOf = { eco: string; place: string; after: string; limit: number };
const clientsIn = (name: string, column: "objects.ecosystem_id" | "objects.environment_id") =>
  statement<PageOf>(name)((db, p) =>
    db
      .selectFrom("objects")
      .innerJoin("clients", (join) =>
        join.onRef("clients.ecosystem_id", "=", "objects.ecosystem_id").onRef("clients.id", "=", "objects.id"),
      )
      .innerJoin("objects as place", (join) =>
        join
          .onRef("place.ecosystem_id", "=", "objects.ecosystem_id")
          .onRef("place.id", "=", "objects.environment_id")
          .on("place.gone_at", "is", null),
      )
      .selectAll("clients")
      .select(["objects.alias", "objects.meta", "objects.version", "objects.created_at"])
      .select([heldBy("clients").as("held_by"), endedAt("clients").as("ended_at")])
      .where("objects.ecosystem_id", "=", p.eco)
      .where(column, "=", p.place)
      .where("objects.kind", "=", "cli")
      .where("objects.gone_at", "is", null)
      .where("objects.id", ">", p.after)
      .orderBy("objects.id")
      .limit(p.limit),
  );
type Identity = { eco: string; env: string; key: string; edge: string };
const clientOfHub = statement<Identity>("client_of_hub")((db, p) =>
  db
    .selectFrom("clients")
    .innerJoin("objects", (join) =>
      join.onRef("objects.ecosystem_id", "=", "clients.ecosystem_id").onRef("objects.id", "=", "clients.id"),
    )
    .select("clients.id")
    .where("clients.ecosystem_id", "=", p.eco)
    .where("clients.public_key", "=", p.key)
    .where("clients.edge_id", "=", p.edge)
    .where("clients.environment_id", "=", p.env)
    .where("objects.gone_at", "is", null)
    .orderBy("clients.id")
    .limit(1),
);
const clientsOfEcosystem = clientsIn("clients_of_ecosystem", "objects.ecosystem_id");
const clientsOfEnvironment = clientsIn("clients_of_environment", "objects.environment_id");
export class Clients {
  readonly #deps: ClientsDeps;

  constructor(deps: ClientsDeps) {
    this.#deps = deps;
  }

  /** The clients that the caller may access, oldest first, after the one with that ID. @param filter `environmentId` */
  async list(
    caller: Caller,
    filter: string | undefined,
    after: string,
    limit: number,
  ): Promise<readonly VersionedClient[]> {
    return mergedPage(await placesToList(this.#deps.references, caller, filter), limit, ({ eco, place }) =>
      this.#deps.store
        .of(eco)
        .sql.all(place === eco ? clientsOfEcosystem : clientsOfEnvironment, { eco, place, after, limit }),
    );
  }

  async get(caller: Caller, reference: string): Promise<VersionedClient> {
    const { ecosystemId, id } = await this.#deps.references.resolve(caller, "cli", reference);
    return this.#read(this.#deps.store.of(ecosystemId).sql, ecosystemId, id);
  }

  /** Resolves a caller's reference to a client. @throws "Client Invalid", "Client Not Found", "Access Denied" */
  resolve(caller: Caller, reference: string): Promise<Resolved<"cli">> {
    return this.#deps.references.resolve(caller, "cli", reference);
  }

  /** Audits an action that a user is about to have a hub perform. */
  async note(caller: Caller, reference: string, action: `${string}.${string}`, detail: AuditDetail): Promise<void> {
    const { ecosystemId, id } = await this.resolve(caller, reference);
    await this.#deps.store.write(ecosystemId, (tx) => audit(tx, caller, action, id, detail));
  }

  async create(caller: Caller, given: NewClient, prefix: string): Promise<VersionedClient> {
    const alias = readAlias(given.alias) ?? null;
    const meta = given.meta === undefined ? EMPTY_META : replaceMeta(EMPTY_META, given.meta, prefix);
    const { ecosystemId, id } = await this.#deps.references.resolve(caller, "env", given.environmentId);
    return this.#deps.store.write(ecosystemId, async (tx) => {
      const client = await this.insert(tx, ecosystemId, id, alias, meta);
      await audit(tx, caller, "client.created", client.id);
      return client;
    });
  }

  /** Inserts a client in a job of the ecosystem, with its event. @throws "Alias Exists", "Environment Not Found", "Quota Exceeded" */
  async insert(
    tx: Transaction,
    ecosystemId: string,
    environmentId: string,
    alias: string | null,
    meta: string,
    hub?: PairedIdentity,
  ): Promise<VersionedClient> {
    const id = this.#deps.ids.next("cli");
    const at = { ecosystem_id: ecosystemId, id, environment_id: environmentId };
    await this.#deps.quotas.require(tx, "clientsPerEnvironment", environmentId);
    await insertObject(tx, { ...at, kind: "cli", alias, meta, created_at: this.#deps.clock.now() });
    const bound = hub && { public_key: hub.publicKey, edge_id: hub.edgeId };
    await tx.change(tx.build.insertInto("clients").values({ ...at, ...bound, epoch: 0, position: 0, online: 0 }));
    const client = await this.#read(tx, ecosystemId, id);
    tx.append(event("hub.added", environmentId, this.resource(client)));
    return client;
  }

  /**
   * Returns the client that is bound to the hub in an environment, in a job of the ecosystem; creates it with its event
   * if it is missing.
   * @param given undefined fields of an existing client stay; a name is set only if it has none
   * @throws "Alias Exists", "Environment Not Found", "Quota Exceeded"
   */
  async adopt(
    tx: Transaction,
    eco: string,
    env: string,
    { alias, name }: { readonly alias: string | null | undefined; readonly name: string | undefined },
    hub: PairedIdentity,
  ): Promise<{ readonly client: VersionedClient; readonly isNew: boolean }> {
    await livingObject(tx, eco, "env", env);
    const [known] = await tx.all(clientOfHub, { eco, env, key: hub.publicKey, edge: hub.edgeId });
    const meta = (before: string) => (name === undefined ? before : withName(before, name));
    if (!known) return { client: await this.insert(tx, eco, env, alias ?? null, meta(EMPTY_META), hub), isNew: true };
    // The ID comes from the clients' own table.
    const target = { ecosystemId: eco, environmentId: env, kind: "cli" as const, id: known.id as Id<"cli"> };
    const { changed } = await changeLivingObject(tx, this.#deps.references, target, { alias, meta });
    const client = await this.#read(tx, eco, known.id);
    if (changed) tx.append(event("hub.updated", env, this.resource(client)));
    return { client, isNew: false };
  }

  /** @throws "Alias Exists", "Precondition Failed", "Metadata Format Invalid", and those of the reference */
  async update(caller: Caller, reference: string, change: ObjectChange): Promise<VersionedClient> {
    const { store, references } = this.#deps;
    const target = await references.resolve(caller, "cli", reference);
    return store.write(target.ecosystemId, async (tx) => {
      const { changed } = await changeLivingObject(tx, references, target, change);
      const client = await this.#read(tx, target.ecosystemId, target.id);
      if (!changed) return client;
      await audit(tx, caller, "client.updated", client.id);
      tx.append(event("hub.updated", client.environment_id, this.resource(client)));
      return client;
    });
  }

  /** Deletes it with its tokens and the physical devices that live on it; its tunnel ends. @throws "Precondition Failed" */
  async delete(caller: Caller, reference: string, matches?: (version: number) => boolean): Promise<void> {
    const { store, references, tokens, clock, devices } = this.#deps;
    const target = await references.resolve(caller, "cli", reference);
    const { ecosystemId: eco, id } = target;
    await store.write(eco, async (tx) => {
      const client = await this.#read(tx, eco, id);
      const at = clock.now();
      await endLivingObject(tx, references, target, at, matches);
      await tx.change(tx.build.deleteFrom("clients").where("ecosystem_id", "=", eco).where("id", "=", id));
      await tokens.revokeAll(tx, id);
      await leaveToSweeper(tx, this.#deps, eco, id, "cli");
      await audit(tx, caller, "client.deleted", id);
      tx.append(event("hub.removed", client.environment_id, this.resource(client)));
      tx.afterCommit(() => devices.environmentChanged(client.environment_id));
    });
  }

  resource(client: ClientSnapshot, prefix?: string): Client {
    return clientResource(client, this.#deps.presence(client), prefix);
  }

  async #read(sql: Sql, eco: string, id: string): Promise<VersionedClient> {
    const client = await readClient(sql, eco, id);
    if (!client) throw referenceNotFound("cli");
    const { version } = await livingObject(sql, eco, "cli", id);
    return { ...client, version };
  }
}

/** Adds a name to the metadata, unless it has one, or no room for one: a hub must not be rejected for that. */
function withName(stored: string, name: string): string {
  const shown = showMeta(stored, DEFAULT_META_PREFIX);
  if (givenName(shown) !== undefined) return stored;
  try {
    return replaceMeta(stored, { ...shown, [NAME_KEY]: name }, DEFAULT_META_PREFIX);
  } catch (error) {
    if (error instanceof NamedError && error.name === "Metadata Format Invalid") return stored;
    throw error;
  }
}
