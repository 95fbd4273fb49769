/** What the hub keeps for its API at home: names that the cloud gave, and tokens that were made here. */
import type { DeviceName, Names } from "@porchlight/shared/tunnel";
import type { Db } from "./database.ts";
import { DeviceNames, type HomePlace } from "./device-names.ts";
import { type LocalToken, LocalTokens } from "./local-tokens.ts";

/** Runs a job in a transaction, and answers after its commit. */
type Run = <T>(job: () => T) => Promise<T>;

export class Home {
  readonly #names: DeviceNames;
  readonly #tokens: LocalTokens;
  readonly #run: Run;

  constructor(db: Db, run: Run) {
    this.#names = new DeviceNames(db);
    this.#tokens = new LocalTokens(db);
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

  /** Takes in the cloud's list; gives the edgeIds whose name is wanted. In another environment nobody's token is good. */
  takeNames(names: Names): Promise<string[]> {
    return this.#run(() => {
      const before = this.#names.place?.environmentId;
      if (before !== undefined && before !== names.environmentId) this.#tokens.revokeAll();
      return this.#names.list(names);
    });
  }

  takeName(name: DeviceName): Promise<void> {
    return this.#run(() => this.#names.name(name));
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
  }
}
