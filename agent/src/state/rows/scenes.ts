/**
 * The scenes that the hub stores, as the cloud last told them: what it calls by itself, and serves at home.
 *
 * Invariants: the digest is stored only with all the scenes that it stands for; what is not in the list that came last is not stored any
 * more. Memory holds of each scene what names it and when it is called; what it sets is read from the table when it is called.
 */
import type { Scenes, StoredScene } from "@porchlight/shared/tunnel";
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";
import { seal } from "../database/row-checksum.ts";

/** Where the scenes are, and what its clock and its sun are. */
export type SceneHome = Omit<Scenes, "digest" | "scenes">;

/** What is known of a scene without looking at the table. */
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
  /** The list whose scenes are still coming: the digest of each. */
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

  /** Of the last list that is here whole; "" when there is none. */
  get digest(): string {
    return this.#digest;
  }

  /** Undefined before the cloud has told of any scenes. */
  get home(): SceneHome | undefined {
    return this.#home;
  }

  /** In the order of their IDs. */
  summaries(): SceneSummary[] {
    return [...this.#summaries.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get(id: string): StoredScene | undefined {
    const row = this.#select.get(id);
    // Written by `take`, so it is a scene.
    return row && (JSON.parse(row.scene) as StoredScene);
  }

  /** Takes in a list, inside a transaction; gives the IDs of the scenes that are not here as they are now. */
  list({ digest, scenes, ...home }: Scenes): string[] {
    const listed = new Set(scenes.map(({ id }) => id));
    for (const id of [...this.#summaries.keys()]) if (!listed.has(id)) this.#forget(id);
    const wanted = scenes.filter((each) => this.#summaries.get(each.id)?.digest !== each.digest);
    this.#telling = { digest, wanted: new Map(wanted.map((each) => [each.id, each.digest])) };
    this.#keep(wanted.length === 0 ? digest : "", home);
    return [...this.#telling.wanted.keys()];
  }

  /** Takes in a scene, inside a transaction. False for one that was not asked for as it is, which changes nothing. */
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

  /** Reads everything afresh: at the start, and after a transaction that was rolled back. */
  reload(): void {
    const row = this.#selectHome.get();
    this.#digest = row?.digest ?? "";
    // Written by `list` and `take`, so they are a home and scenes.
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
