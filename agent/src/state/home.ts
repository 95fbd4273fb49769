/** The hub's state for its home: names and scenes from the cloud, tokens created on the hub, and the log of events. */
import type { DeviceName, Names, Scenes, StoredScene } from "@porchlight/shared/tunnel";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "./database.ts";
import type { HomeEventWriter } from "./home-event-writer.ts";
import type { HomeLog } from "./home-log.ts";
import type { DeviceNames, HomePlace } from "./rows/device-names.ts";
import { type SceneHome, SceneRows, type SceneSummary } from "./rows/scenes.ts";

/** Runs a job in a transaction, and resolves after its commit. */
type Run = <T>(job: () => T) => Promise<T>;

export interface HomeDeps {
  readonly names: DeviceNames;
  readonly log: HomeLog;
  /** Undefined when the hub keeps no events. */
  readonly events: HomeEventWriter | undefined;
  readonly run: Run;
}

export class Home {
  /** The events of the home. */
  readonly log: Pick<HomeLog, "range" | "appended" | "read" | "listen">;
  /** The scenes that the hub itself calls. */
  readonly scenes: HubScenes;
  readonly #names: DeviceNames;
  readonly #tokens: LocalTokens;
  readonly #log: HomeLog;
  readonly #homeEvents: HomeEventWriter | undefined;
  readonly #run: Run;
  readonly #listeners = new Set<() => void>();

  constructor(db: Db, { names, log, events, run }: HomeDeps) {
    this.log = log;
    this.scenes = new HubScenes(new SceneRows(db), run);
    this.#names = names;
    this.#tokens = new LocalTokens(db);
    this.#log = log;
    this.#homeEvents = events;
    this.#run = run;
  }

  /** The hub's place, as last sent by the cloud; undefined before that. */
  get place(): HomePlace | undefined {
    return this.#names.place;
  }

  /** Digest of the names that are complete on the hub; "" when there are none. */
  get namesDigest(): string {
    return this.#names.digest;
  }

  /** The cloud's name of a device. */
  name(edgeId: string): DeviceName | undefined {
    return this.#names.get(edgeId);
  }

  /** All names, ordered by ID. */
  names(): DeviceName[] {
    return this.#names.all();
  }

  /**
   * Stores the cloud's list; returns the edgeIds whose names are missing. A move to another environment revokes all tokens and
   * begins a new log of events.
   */
  async takeNames(names: Names): Promise<string[]> {
    const wanted = await this.#run(() => {
      const before = this.#names.place?.environmentId;
      const moved = before !== undefined && before !== names.environmentId;
      if (moved) this.#tokens.revokeAll();
      const wanted = this.#names.list(names, (name) => this.#homeEvents?.unnamed(name));
      if (moved) this.#homeEvents?.beginAnew();
      return wanted;
    });
    this.#tellListeners();
    return wanted;
  }

  async takeName(name: DeviceName): Promise<void> {
    await this.#run(() => {
      const before = this.#names.get(name.edgeId);
      if (!this.#names.name(name)) return;
      if (before) this.#homeEvents?.device("device.updated", name.edgeId);
      else this.#homeEvents?.added(name.edgeId);
    });
    this.#tellListeners();
  }

  /** Calls `changed` after the names of devices may have changed, until the returned function is called. */
  listenToNames(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  /** All tokens, oldest first. */
  tokens(): LocalToken[] {
    return this.#tokens.all();
  }

  /** The token with that SHA-256, hex. */
  token(hash: string): LocalToken | undefined {
    return this.#tokens.find(hash);
  }

  addToken(token: LocalToken): Promise<void> {
    return this.#run(() => this.#tokens.add(token));
  }

  /** Revokes a token; false when there is none with that ID. */
  revokeToken(id: string): Promise<boolean> {
    return this.#run(() => this.#tokens.revoke(id));
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#names.reload();
    this.#tokens.reload();
    this.scenes.reload();
    this.#log.reload();
  }

  #tellListeners(): void {
    for (const changed of this.#listeners) queueMicrotask(changed);
  }
}

/** The scenes of the hub for the rest of the agent: stores them from the cloud, reads them, and notifies of changes. */
export class HubScenes {
  readonly #rows: SceneRows;
  readonly #run: <T>(job: () => T) => Promise<T>;
  readonly #listeners = new Set<() => void>();

  /** @param run runs a job in a transaction, and resolves after its commit */
  constructor(rows: SceneRows, run: <T>(job: () => T) => Promise<T>) {
    this.#rows = rows;
    this.#run = run;
  }

  /** Digest of the scenes that are complete on the hub; "" when there are none. */
  get digest(): string {
    return this.#rows.digest;
  }

  /** The place of the scenes, as last sent by the cloud; undefined before that. */
  get home(): SceneHome | undefined {
    return this.#rows.home;
  }

  /** All scenes, ordered by ID. */
  summaries(): SceneSummary[] {
    return this.#rows.summaries();
  }

  get(id: string): StoredScene | undefined {
    return this.#rows.get(id);
  }

  /** Stores the cloud's list; returns the IDs of the scenes that are missing. */
  async takeScenes(scenes: Scenes): Promise<string[]> {
    const wanted = await this.#run(() => this.#rows.list(scenes));
    this.#tell();
    return wanted;
  }

  async takeScene(scene: StoredScene): Promise<void> {
    await this.#run(() => this.#rows.take(scene));
    this.#tell();
  }

  /** Calls `changed` after scenes may have changed, until the returned function is called. */
  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#rows.reload();
  }

  #tell(): void {
    for (const changed of this.#listeners) queueMicrotask(changed);
  }
}

/** A token of the API at home: only the hash that identifies it is stored, never the token itself. */
export interface LocalToken {
  /** `tok_…` */
  readonly id: string;
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  /** Its owner's label; "" when none. */
  readonly label: string;
  /** Wall-clock ms. */
  readonly createdAt: number;
}

interface Row {
  readonly id: string;
  readonly hash: string;
  readonly label: string;
  readonly created_at: number;
}

class LocalTokens {
  readonly #select: Statement<[], Row>;
  readonly #insert: Statement<[Row & { readonly crc: number }]>;
  readonly #delete: Statement<[string]>;
  readonly #clear: Statement<[]>;
  readonly #byHash = new Map<string, LocalToken>();

  constructor(db: Db) {
    this.#select = db.prepare("SELECT id, hash, label, created_at FROM local_tokens ORDER BY id");
    this.#insert = db.prepare("INSERT INTO local_tokens VALUES (@id, @hash, @label, @created_at, @crc)");
    this.#delete = db.prepare("DELETE FROM local_tokens WHERE id = ?");
    this.#clear = db.prepare("DELETE FROM local_tokens");
  }

  /** All tokens, oldest first. */
  all(): LocalToken[] {
    return [...this.#byHash.values()];
  }

  find(hash: string): LocalToken | undefined {
    return this.#byHash.get(hash);
  }

  add(token: LocalToken): void {
    const { id, hash, label, createdAt } = token;
    this.#insert.run({ id, hash, label, created_at: createdAt, crc: seal([id, hash, label, createdAt]) });
    this.#byHash.set(hash, token);
  }

  /** Revokes a token; false when there is none with that ID. */
  revoke(id: string): boolean {
    const known = this.all().find((token) => token.id === id);
    if (!known) return false;
    this.#delete.run(id);
    return this.#byHash.delete(known.hash);
  }

  revokeAll(): void {
    this.#clear.run();
    this.#byHash.clear();
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#byHash.clear();
    for (const { id, hash, label, created_at } of this.#select.iterate())
      this.#byHash.set(hash, { id, hash, label, createdAt: created_at });
  }
}
