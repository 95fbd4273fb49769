/** Last uses of tokens and the API versions they requested, collected in bounded memory until they are stored. */

export type SightedVia = "path" | "header";

export interface VersionSighting {
  readonly tokenId: string;
  readonly via: SightedVia;
  readonly version: string;
  readonly firstSeenAt: number;
  lastSeenAt: number;
  count: number;
}

interface Sighting {
  lastUsedAt: number;
  readonly versions: VersionSighting[];
}

/** Maximum tokens between two batches; further ones are not counted until the next. */
const CAPACITY = 50_000;
/** Maximum versions of one token between two batches; every other is counted as {@link OTHER}. */
const VERSIONS_OF_TOKEN = 6;
/** Stands for a version name that is too long, malformed or beyond the maximum. */
export const OTHER = "other";
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

export class TokenSightings {
  #byToken = new Map<string, Sighting>();

  /**
   * @param at wall clock, ms
   * @param pathVersion segment of the path; undefined without one
   * @param headerVersion the request's `x-api-version`
   */
  add(tokenId: string, at: number, pathVersion: string | undefined, headerVersion: string | undefined): void {
    const sighting = this.#of(tokenId, at);
    if (!sighting) return;
    count(sighting, tokenId, "path", pathVersion ?? "", at);
    if (headerVersion !== undefined) count(sighting, tokenId, "header", headerVersion, at);
  }

  /** Records a use of a token that is not a request. */
  used(tokenId: string, at: number): void {
    this.#of(tokenId, at);
  }

  /** Returns everything collected since the previous call. */
  take(): { readonly tokenId: string; readonly lastUsedAt: number; readonly versions: readonly VersionSighting[] }[] {
    const taken = [...this.#byToken].map(([tokenId, { lastUsedAt, versions }]) => ({ tokenId, lastUsedAt, versions }));
    this.#byToken = new Map();
    return taken;
  }

  #of(tokenId: string, at: number): Sighting | undefined {
    const known = this.#byToken.get(tokenId);
    if (known) {
      known.lastUsedAt = at;
      return known;
    }
    if (this.#byToken.size >= CAPACITY) return undefined;
    const made = { lastUsedAt: at, versions: [] };
    this.#byToken.set(tokenId, made);
    return made;
  }
}

function count({ versions }: Sighting, tokenId: string, via: SightedVia, requested: string, at: number): void {
  let version = requested;
  let found = find(versions, via, version);
  if (!found && via === "header" && (!PLAIN.test(requested) || versions.length >= VERSIONS_OF_TOKEN)) {
    version = OTHER;
    found = find(versions, via, OTHER);
  }
  if (!found) versions.push({ tokenId, via, version, firstSeenAt: at, lastSeenAt: at, count: 1 });
  else {
    found.lastSeenAt = at;
    found.count += 1;
  }
}

function find(versions: readonly VersionSighting[], via: SightedVia, version: string): VersionSighting | undefined {
  for (const known of versions) if (known.version === version && known.via === via) return known;
  return undefined;
}
