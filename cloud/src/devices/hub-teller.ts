/**
 * Sends each hub the cloud's state of its home: on connection if the digest in its hello differs, and soon after every
 * change. A subject decides what to send; this file decides when, for all subjects.
 *
 * Invariant: a hub gets one message at a time.
 */

import { createHash } from "node:crypto";
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";
import { type Names, PeerGone } from "@porchlight/shared/tunnel";
import type { Others } from "../nodes/index.ts";
import { one, type Store, statement } from "../store/index.ts";
import type { Hub, HubTunnel } from "../tunnels/index.ts";

export interface HubTellerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly others?: Others | undefined;
}

/** A kind of state that hubs get, such as the names of their devices. */
export interface HubSubject {
  /** Its name in the log. */
  readonly name: string;
  /** Digest of the hub's state, from its hello; undefined when the hub does not use it. */
  digestOf(tunnel: HubTunnel): string | undefined;
  /**
   * Sends the changes.
   * @param digest of the hub's state
   * @returns digest of the hub's new state: it stands for exactly what was sent with it
   * @throws PeerGone, PeerTimeout, PeerRefused, "Service Unavailable"
   */
  tell(tunnel: HubTunnel, digest: string): Promise<string>;
}

/** A hub that receives at least one subject. */
interface InformedHub {
  readonly tunnel: HubTunnel;
  /** Digest of the hub's state of each subject. */
  readonly digests: Map<HubSubject, string>;
  /** Runs while changes are collected. */
  timer: Timer | undefined;
  running: boolean;
  /** A change has occurred since the last look. */
  changed: boolean;
}

/** Changes within this time are sent together, ms. */
const COLLECT_MS = 100;

export class HubTeller implements AsyncDisposable {
  readonly #deps: HubTellerDeps;
  readonly #subjects: HubSubject[];
  /** By environment and client: the newest tunnel of each receiving hub. */
  readonly #environments = new Map<string, Map<string, InformedHub>>();
  #ended = false;

  constructor(deps: HubTellerDeps, subjects: readonly HubSubject[]) {
    this.#deps = deps;
    this.#subjects = [...subjects];
  }

  /** Adds a subject, which hubs that connect from now on receive too. */
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
    const hubs = this.#environments.get(environmentId) ?? new Map<string, InformedHub>();
    this.#environments.set(environmentId, hubs);
    hubs.get(clientId)?.timer?.cancel();
    const hub: InformedHub = { tunnel, digests, timer: undefined, running: false, changed: false };
    hubs.set(clientId, hub);
    this.#look(hub);
  }

  /** Handles a change of the environment's devices or their names. Must be called in `tx.afterCommit`. */
  changed(environmentId: string): void {
    this.look(environmentId);
    this.#deps.others?.invalidations.note({ kind: "names", environmentId });
  }

  /** Compares the state of the environment's hubs that are connected here, and sends what changed. */
  look(environmentId: string): void {
    for (const hub of this.#environments.get(environmentId)?.values() ?? []) this.#look(hub);
  }

  /** Stops. It does not wait for a message in flight: the hub's tunnel ends after this, and its requests with it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    for (const hubs of this.#environments.values()) for (const { timer } of hubs.values()) timer?.cancel();
  }

  #look(hub: InformedHub): void {
    hub.changed = true;
    if (hub.running || hub.timer || this.#ended) return;
    hub.timer = this.#deps.clock.timer("what hubs are told", COLLECT_MS, () => {
      hub.timer = undefined;
      void this.#tell(hub);
    });
  }

  async #tell(hub: InformedHub): Promise<void> {
    hub.running = true;
    while (hub.changed) {
      hub.changed = false;
      for (const [subject, digest] of hub.digests) await this.#tellOf(hub, subject, digest);
    }
    hub.running = false;
    if (hub.digests.size === 0) this.#forget(hub);
  }

  /** The next connection sends what failed now. */
  async #tellOf({ tunnel, digests }: InformedHub, subject: HubSubject, digest: string): Promise<void> {
    try {
      digests.set(subject, await subject.tell(tunnel, digest));
    } catch (error) {
      digests.delete(subject);
      if (error instanceof PeerGone) return;
      const { clientId } = tunnel.hub;
      this.#deps.log.warn({ error, client: clientId, subject: subject.name }, "a hub could not be told of its home");
    }
  }

  #forget({ tunnel, timer }: InformedHub): void {
    timer?.cancel();
    const { environmentId, clientId } = tunnel.hub;
    const hubs = this.#environments.get(environmentId);
    if (hubs?.get(clientId)?.tunnel === tunnel) hubs.delete(clientId);
    if (hubs?.size === 0) this.#environments.delete(environmentId);
  }
}

/** The cloud's names of a hub's devices, for the API that the hub serves at home: sent when the hub's digest differs. */
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
      // A device deleted meanwhile is a later change, sent after this one.
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
