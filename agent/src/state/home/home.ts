/** What the hub keeps for its home: names and scenes that the cloud told, tokens that were made here, and the log of what happens. */
import type { DeviceName, Names, Scenes, StoredScene } from "@porchlight/shared/tunnel";
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";
import { seal } from "../database/row-checksum.ts";
import type { DeviceNames, HomePlace } from "../rows/device-names.ts";
import { type SceneHome, SceneRows, type SceneSummary } from "../rows/scenes.ts";
import type { HomeEventWriter } from "./home-event-writer.ts";
import type { HomeLog } from "./home-log.ts";

/** Runs a job in a transaction, and answers after its commit. */
type Run = <T>(job: () => T) => Promise<T>;

export interface HomeDeps {
  readonly names: DeviceNames;
  readonly log: HomeLog;
  /** Undefined while what happens at home cannot be followed. */
  readonly events: HomeEventWriter | undefined;
  readonly run: Run;
}

export class Home {
  /** What has happened, for those who follow it. */
  readonly log: Pick<HomeLog, "range" | "appended" | "read" | "listen">;
  /** What is called by the hub itself. */
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

  /** Where the hub is, as the cloud last told; undefined before it did. */
  get place(): HomePlace | undefined {
    return this.#names.place;
  }

  /** Of the names that are here whole; "" when there are none. */
  get namesDigest(): string {
    return this.#names.digest;
  }

  /** What the cloud calls a device. */
  name(edgeId: string): DeviceName | undefined {
    return this.#names.get(edgeId);
  }

  /** In the order of their IDs. */
  names(): DeviceName[] {
    return this.#names.all();
  }

  /**
   * Takes in the cloud's list; gives the edgeIds whose name is wanted. In another environment no token is good, and nothing
   * is told of what was before.
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

  /** Calls `changed` after what the cloud calls devices may have changed, until the returned function is called. */
  listenToNames(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  /** Oldest first. */
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

  /** Whether there was one with that ID. */
  revokeToken(id: string): Promise<boolean> {
    return this.#run(() => this.#tokens.revoke(id));
  }

  /** Reads everything afresh: at the start, and after a transaction that was rolled back. */
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

/** The scenes of the hub as the rest of the agent sees them: taken in from the cloud, listened to, read. */
export class HubScenes {
  readonly #rows: SceneRows;
  readonly #run: <T>(job: () => T) => Promise<T>;
  readonly #listeners = new Set<() => void>();

  /** @param run runs a job in a transaction, and answers after its commit */
  constructor(rows: SceneRows, run: <T>(job: () => T) => Promise<T>) {
    this.#rows = rows;
    this.#run = run;
  }

  /** Of the scenes that are here whole; "" when there are none. */
  get digest(): string {
    return this.#rows.digest;
  }

  /** Where the scenes are, as the cloud last told; undefined before it did. */
  get home(): SceneHome | undefined {
    return this.#rows.home;
  }

  /** In the order of their IDs. */
  summaries(): SceneSummary[] {
    return this.#rows.summaries();
  }

  get(id: string): StoredScene | undefined {
    return this.#rows.get(id);
  }

  /** Takes in the cloud's list; gives the IDs of the scenes that are wanted. */
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

  /** Reads everything afresh: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#rows.reload();
  }

  #tell(): void {
    for (const changed of this.#listeners) queueMicrotask(changed);
  }
}

/** The tokens of the API at home: of each only what tells it apart again, never the token itself. */
export interface LocalToken {
  /** `tok_…` */
  readonly id: string;
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  /** What its owner calls it; "" when nothing. */
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

  /** Oldest first. */
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

  /** Whether there was one with that ID. */
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

  /** Reads everything afresh: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#byHash.clear();
    for (const { id, hash, label, created_at } of this.#select.iterate())
      this.#byHash.set(hash, { id, hash, label, createdAt: created_at });
  }
}
