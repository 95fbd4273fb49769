/** The scenes of the hub as the rest of the agent sees them: taken in from the cloud, listened to, read. */
import type { Scenes, StoredScene } from "@porchlight/shared/tunnel";
import type { SceneHome, SceneRows, SceneSummary } from "../rows/scenes.ts";

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
