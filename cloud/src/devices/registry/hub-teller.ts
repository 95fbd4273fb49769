/**
 * Tells each hub what the cloud knows of its home: at its connection when the digest in its hello says that something has changed meanwhile,
 * and soon after every change. What there is to tell is a subject's; when it is told is decided here, once for all.
 *
 * Invariant: a hub is told one thing at a time.
 */

import { createHash } from "node:crypto";
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";
import { type Names, PeerGone } from "@porchlight/shared/tunnel";
import type { Others } from "../../nodes/index.ts";
import { one, type Store, statement } from "../../store/index.ts";
import type { Hub, HubTunnel } from "../../tunnels/index.ts";

export interface HubTellerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly others?: Others | undefined;
}

/** Something that hubs are told, such as what their devices are called. */
export interface HubSubject {
  /** As the log has it. */
  readonly name: string;
  /** Digest of what the hub said it has; undefined when it has no use for it. */
  digestOf(tunnel: HubTunnel): string | undefined;
  /**
   * Tells what has changed.
   * @param digest of what the hub has
   * @returns digest of what it has then: it stands for exactly what the hub was told with it
   * @throws PeerGone, PeerTimeout, PeerRefused, "Service Unavailable"
   */
  tell(tunnel: HubTunnel, digest: string): Promise<string>;
}

/** A hub that is told. */
interface Told {
  readonly tunnel: HubTunnel;
  /** Digests of what it has. */
  readonly digests: Map<HubSubject, string>;
  /** Runs while changes are collected. */
  timer: Timer | undefined;
  running: boolean;
  /** Something has changed since it was last looked at. */
  changed: boolean;
}

/** Changes that come within this time are told together, ms. */
const COLLECT_MS = 100;

export class HubTeller implements AsyncDisposable {
  readonly #deps: HubTellerDeps;
  readonly #subjects: HubSubject[];
  /** By environment and client: the newest tunnel of each hub that is told something. */
  readonly #environments = new Map<string, Map<string, Told>>();
  #ended = false;

  constructor(deps: HubTellerDeps, subjects: readonly HubSubject[]) {
    this.#deps = deps;
    this.#subjects = [...subjects];
  }

  /** From now on hubs that connect are told of this too. */
  add(subject: HubSubject): void {
    this.#subjects.push(subject);
  }

  /** A hub has connected. */
  opened(tunnel: HubTunnel): void {
    const digests = new Map<HubSubject, string>();
    for (const subject of this.#subjects) {
      const digest = subject.digestOf(tunnel);
      if (digest !== undefined) digests.set(subject, digest);
    }
    if (digests.size === 0) return;
    const { environmentId, clientId } = tunnel.hub;
    const hubs = this.#environments.get(environmentId) ?? new Map<string, Told>();
    this.#environments.set(environmentId, hubs);
    hubs.get(clientId)?.timer?.cancel();
    const told: Told = { tunnel, digests, timer: undefined, running: false, changed: false };
    hubs.set(clientId, told);
    this.#look(told);
  }

  /** Something in the environment is otherwise, or has come or gone. To be called in `tx.afterCommit`. */
  changed(environmentId: string): void {
    this.look(environmentId);
    this.#deps.others?.invalidations.note({ kind: "names", environmentId });
  }

  /** Its hubs that are connected here may have to be told something. */
  look(environmentId: string): void {
    for (const told of this.#environments.get(environmentId)?.values() ?? []) this.#look(told);
  }

  /** Begins to tell nothing more. A hub that is being told is not waited for: its tunnel ends after this, and with it what it is asked. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    for (const hubs of this.#environments.values()) for (const { timer } of hubs.values()) timer?.cancel();
  }

  #look(told: Told): void {
    told.changed = true;
    if (told.running || told.timer || this.#ended) return;
    told.timer = this.#deps.clock.timer("what hubs are told", COLLECT_MS, () => {
      told.timer = undefined;
      void this.#tell(told);
    });
  }

  async #tell(told: Told): Promise<void> {
    told.running = true;
    while (told.changed) {
      told.changed = false;
      for (const [subject, digest] of told.digests) await this.#tellOf(told, subject, digest);
    }
    told.running = false;
    if (told.digests.size === 0) this.#forget(told);
  }

  /** What could not be told is told by the next connection. */
  async #tellOf({ tunnel, digests }: Told, subject: HubSubject, digest: string): Promise<void> {
    try {
      digests.set(subject, await subject.tell(tunnel, digest));
    } catch (error) {
      digests.delete(subject);
      if (error instanceof PeerGone) return;
      const { clientId } = tunnel.hub;
      this.#deps.log.warn({ error, client: clientId, subject: subject.name }, "a hub could not be told of its home");
    }
  }

  #forget({ tunnel, timer }: Told): void {
    timer?.cancel();
    const { environmentId, clientId } = tunnel.hub;
    const hubs = this.#environments.get(environmentId);
    if (hubs?.get(clientId)?.tunnel === tunnel) hubs.delete(clientId);
    if (hubs?.size === 0) this.#environments.delete(environmentId);
  }
}

/** What the cloud calls a hub's devices, for the API that the hub serves at home: told where the hub's digest says that it has something else. */
type OfHub = { eco: string; client: string };
const selectNames = statement<OfHub>("hub_device_names")((db, p) =>
  db
    .selectFrom("devices as d")
    .innerJoin("objects as o", (join) => join.onRef("o.ecosystem_id", "=", "d.ecosystem_id").onRef("o.id", "=", "d.id"))
    .select(["d.edge_id", "d.id", "o.version"])
    .where("d.ecosystem_id", "=", p.eco)
    .where("d.client_id", "=", p.client)
    .where("o.gone_at", "is", null)
    .orderBy("d.id"),
);
const selectName = statement<OfHub & { edge: string }>("hub_device_name")((db, p) =>
  db
    .selectFrom("devices as d")
    .innerJoin("objects as o", (join) => join.onRef("o.ecosystem_id", "=", "d.ecosystem_id").onRef("o.id", "=", "d.id"))
    .select(["d.id", "o.version", "o.alias", "o.meta", "o.created_at"])
    .where("d.ecosystem_id", "=", p.eco)
    .where("d.client_id", "=", p.client)
    .where("d.edge_id", "=", p.edge)
    .where("o.gone_at", "is", null),
);
const selectAlias = statement<{ eco: string; env: string }>("environment_alias")((db, p) =>
  db.selectFrom("objects").select("alias").where("ecosystem_id", "=", p.eco).where("id", "=", p.env),
);

export class HubNames implements HubSubject {
  readonly name = "names";
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  digestOf({ namesDigest }: HubTunnel): string | undefined {
    return namesDigest;
  }

  async tell(tunnel: HubTunnel, digest: string): Promise<string> {
    const names = await this.#names(tunnel.hub);
    if (names.digest === digest) return digest;
    for (const edge of await tunnel.names(names)) {
      const { ecosystemId: eco, clientId: client } = tunnel.hub;
      const row = await one(this.#store.of(eco).sql.all(selectName, { eco, client, edge }));
      // What has gone meanwhile is a change that is told after this.
      if (!row) continue;
      const { id, version, alias, meta, created_at: createdAt } = row;
      await tunnel.name({ edgeId: edge, id, version, meta, createdAt, ...(alias !== null && { alias }) });
    }
    return names.digest;
  }

  async #names({ ecosystemId, environmentId, clientId }: Hub): Promise<Names> {
    const { sql } = this.#store.of(ecosystemId);
    const environment = await one(sql.all(selectAlias, { eco: ecosystemId, env: environmentId }));
    const rows = await sql.all(selectNames, { eco: ecosystemId, client: clientId });
    const devices = rows.flatMap(({ edge_id: edgeId, id, version }) =>
      edgeId === null ? [] : [{ edgeId, id, version }],
    );
    const alias = environment?.alias ?? null;
    const place = { ecosystemId, environmentId, ...(alias !== null && { environmentAlias: alias }), clientId };
    const digest = createHash("sha256")
      .update(JSON.stringify([place, devices]))
      .digest("base64url");
    return { digest, ...place, devices };
  }
}
