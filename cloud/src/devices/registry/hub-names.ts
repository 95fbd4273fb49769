/**
 * Tells each hub what its devices are called, for the API that it serves at home: at its connection when its digest says that
 * something has changed meanwhile, and soon after every change.
 *
 * Invariants: the digest that a hub gets stands for exactly what it is told with it; a hub is told one thing at a time.
 */
import { createHash } from "node:crypto";
import { type Clock, type Log, TaskSet, type Timer } from "@porchlight/shared/kernel";
import { type Names, PeerGone } from "@porchlight/shared/tunnel";
import type { Others } from "../../nodes/index.ts";
import { one, type Store, statement } from "../../store/index.ts";
import type { Hub, HubTunnel } from "../../tunnels/index.ts";

export interface HubNamesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly others?: Others | undefined;
}

/** A hub that is told. */
interface Told {
  readonly tunnel: HubTunnel;
  /** Digest of what it has. */
  digest: string;
  /** Runs while changes are collected. */
  timer: Timer | undefined;
  running: boolean;
  /** Something has changed since it was last looked at. */
  changed: boolean;
}

/** Changes that come within this time are told together, ms. */
const COLLECT_MS = 100;

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

export class HubNames implements AsyncDisposable {
  readonly #deps: HubNamesDeps;
  /** By environment and client: the newest tunnel of each hub that serves an API at home. */
  readonly #environments = new Map<string, Map<string, Told>>();
  readonly #telling = new TaskSet();
  #ended = false;

  constructor(deps: HubNamesDeps) {
    this.#deps = deps;
  }

  /** A hub has connected. */
  opened(tunnel: HubTunnel): void {
    const { namesDigest: digest } = tunnel;
    if (digest === undefined) return;
    const { environmentId, clientId } = tunnel.hub;
    const hubs = this.#environments.get(environmentId) ?? new Map<string, Told>();
    this.#environments.set(environmentId, hubs);
    hubs.get(clientId)?.timer?.cancel();
    const told: Told = { tunnel, digest, timer: undefined, running: false, changed: false };
    hubs.set(clientId, told);
    this.#look(told);
  }

  /** Something in the environment is called otherwise, or has come or gone. To be called in `tx.afterCommit`. */
  changed(environmentId: string): void {
    this.look(environmentId);
    this.#deps.others?.invalidations.note({ kind: "names", environmentId });
  }

  /** Its hubs that are connected here may have to be told something. */
  look(environmentId: string): void {
    for (const told of this.#environments.get(environmentId)?.values() ?? []) this.#look(told);
  }

  /** Begins to tell nothing more, and settles when no hub is being told anything. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    for (const hubs of this.#environments.values()) for (const { timer } of hubs.values()) timer?.cancel();
    await this.#telling.idle();
  }

  #look(told: Told): void {
    told.changed = true;
    if (told.running || told.timer || this.#ended) return;
    told.timer = this.#deps.clock.timer("hub names", COLLECT_MS, () => {
      told.timer = undefined;
      void this.#telling.add(this.#tell(told));
    });
  }

  async #tell(told: Told): Promise<void> {
    told.running = true;
    try {
      while (told.changed) {
        told.changed = false;
        await this.#tellOnce(told);
      }
    } catch (error) {
      this.#forget(told);
      if (error instanceof PeerGone) return;
      const { clientId } = told.tunnel.hub;
      this.#deps.log.warn({ error, client: clientId }, "the names of its devices could not be sent to a hub");
    } finally {
      told.running = false;
    }
  }

  async #tellOnce(told: Told): Promise<void> {
    const { tunnel } = told;
    const names = await this.#names(tunnel.hub);
    if (names.digest === told.digest) return;
    for (const edge of await tunnel.names(names)) {
      const { ecosystemId: eco, clientId: client } = tunnel.hub;
      const row = await one(this.#deps.store.of(eco).sql.all(selectName, { eco, client, edge }));
      // What has gone meanwhile is a change that is told after this.
      if (!row) continue;
      const { id, version, alias, meta, created_at: createdAt } = row;
      await tunnel.name({ edgeId: edge, id, version, meta, createdAt, ...(alias !== null && { alias }) });
    }
    told.digest = names.digest;
  }

  async #names({ ecosystemId, environmentId, clientId }: Hub): Promise<Names> {
    const { sql } = this.#deps.store.of(ecosystemId);
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

  #forget({ tunnel, timer }: Told): void {
    timer?.cancel();
    const { environmentId, clientId } = tunnel.hub;
    const hubs = this.#environments.get(environmentId);
    if (hubs?.get(clientId)?.tunnel === tunnel) hubs.delete(clientId);
    if (hubs?.size === 0) this.#environments.delete(environmentId);
  }
}
