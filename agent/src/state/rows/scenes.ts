/**
 * The scenes that the hub stores, as last sent by the cloud: it calls them by itself, and serves them at home.
 *
 * Invariants: a digest is stored only with all the scenes that it covers; a scene that the latest list does not contain is deleted.
 * Memory holds the summary of each scene; what the scene sets is read from the table when it is called.
 */
import type { Scenes, StoredScene } from "@porchlight/shared/tunnel";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "../database.ts";

/** The place of the scenes, with its time zone and its coordinates. */
export type SceneHome = Omit<Scenes, "digest" | "scenes">;

/** The parts of a scene that are known without a query. */
export type SceneSummary = Pick<StoredScene, "id" | "digest" | "alias" | "triggers">;

interface HomeRow {
  readonly digest: string;
  readonly home: string;
}

interface SceneRow {
  readonly id: string;
  readonly scene: string;
}

export class SceneRows {
  readonly #selectHome: Statement<[], HomeRow>;
  readonly #selectAll: Statement<[], SceneRow>;
  readonly #select: Statement<[string], SceneRow>;
  readonly #storeHome: Statement<[HomeRow & { readonly crc: number }]>;
  readonly #store: Statement<[SceneRow & { readonly crc: number }]>;
  readonly #delete: Statement<[string]>;
  #digest = "";
  #home: SceneHome | undefined;
  readonly #summaries = new Map<string, SceneSummary>();
  /** The list whose scenes are still arriving: the digest of each. */
  #telling: { readonly digest: string; readonly wanted: Map<string, string> } | undefined;

  constructor(db: Db) {
    this.#selectHome = db.prepare("SELECT digest, home FROM scene_home");
    this.#selectAll = db.prepare("SELECT id, scene FROM scenes");
    this.#select = db.prepare("SELECT id, scene FROM scenes WHERE id = ?");
    this.#storeHome = db.prepare(
      `INSERT INTO scene_home VALUES (1, @digest, @home, @crc)
       ON CONFLICT (one) DO UPDATE SET digest = @digest, home = @home, crc = @crc`,
    );
    this.#store = db.prepare(
      `INSERT INTO scenes VALUES (@id, @scene, @crc)
       ON CONFLICT (id) DO UPDATE SET scene = @scene, crc = @crc`,
    );
    this.#delete = db.prepare("DELETE FROM scenes WHERE id = ?");
  }

  /** Digest of the last list that is complete on the hub; "" when there is none. */
  get digest(): string {
    return this.#digest;
  }

  /** Undefined until the cloud has sent a list of scenes. */
  get home(): SceneHome | undefined {
    return this.#home;
  }

  /** All summaries, ordered by ID. */
  summaries(): SceneSummary[] {
    return [...this.#summaries.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get(id: string): StoredScene | undefined {
    const row = this.#select.get(id);
    // Only `take` writes this column, so the cast holds.
    return row && (JSON.parse(row.scene) as StoredScene);
  }

  /** Stores a list, inside a transaction; returns the IDs of the scenes that are missing or outdated. */
  list({ digest, scenes, ...home }: Scenes): string[] {
    const listed = new Set(scenes.map(({ id }) => id));
    for (const id of [...this.#summaries.keys()]) if (!listed.has(id)) this.#forget(id);
    const wanted = scenes.filter((each) => this.#summaries.get(each.id)?.digest !== each.digest);
    this.#telling = { digest, wanted: new Map(wanted.map((each) => [each.id, each.digest])) };
    this.#keep(wanted.length === 0 ? digest : "", home);
    return [...this.#telling.wanted.keys()];
  }

  /** Stores a scene, inside a transaction. False, without a change, for a scene or a version that was not requested. */
  take(scene: StoredScene): boolean {
    const { id, digest } = scene;
    if (this.#telling?.wanted.get(id) !== digest) return false;
    this.#telling.wanted.delete(id);
    const text = JSON.stringify(scene);
    this.#store.run({ id, scene: text, crc: seal([id, text]) });
    this.#summaries.set(id, summaryOf(scene));
    if (this.#telling.wanted.size === 0 && this.#home) this.#keep(this.#telling.digest, this.#home);
    return true;
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    const row = this.#selectHome.get();
    this.#digest = row?.digest ?? "";
    // Only `list` and `take` write these columns, so the casts hold.
    this.#home = row && (JSON.parse(row.home) as SceneHome);
    this.#summaries.clear();
    for (const { id, scene } of this.#selectAll.iterate())
      this.#summaries.set(id, summaryOf(JSON.parse(scene) as StoredScene));
    this.#telling = undefined;
  }

  #keep(digest: string, home: SceneHome): void {
    const text = JSON.stringify(home);
    this.#storeHome.run({ digest, home: text, crc: seal([digest, text]) });
    this.#digest = digest;
    this.#home = home;
  }

  #forget(id: string): void {
    this.#delete.run(id);
    this.#summaries.delete(id);
  }
}

function summaryOf({ id, digest, alias, triggers }: StoredScene): SceneSummary {
  return { id, digest, alias, triggers };
}
