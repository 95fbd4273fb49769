/** What the hub keeps for its home: names and scenes that the cloud told, tokens that were made here, and the log of what happens. */
import type { DeviceName, Names } from "@porchlight/shared/tunnel";
import type { Db } from "../database/database.ts";
import type { DeviceNames, HomePlace } from "../rows/device-names.ts";
import { SceneRows } from "../rows/scenes.ts";
import type { HomeEventWriter } from "./home-event-writer.ts";
import type { HomeLog } from "./home-log.ts";
import { HubScenes } from "./hub-scenes.ts";
import { type LocalToken, LocalTokens } from "./local-tokens.ts";

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
