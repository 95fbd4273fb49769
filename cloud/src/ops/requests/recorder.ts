/**
 * Collects data of every request: the request log, request counts, last uses and API versions of tokens. It is kept in
 * memory for ten seconds, or less if the operator configures so, so that no answer waits for it; a crash may lose that
 * much (A7).
 */
import { type Clock, every, type Log, type Timer } from "@porchlight/shared/kernel";
import { type Store, statement, type Transaction } from "../../store/index.ts";
import { OwnPeriod, RequestCounter, storeCounts } from "../activity/request-counts.ts";
import {
  ecosystemOf,
  isCounted,
  type LoggedRequest,
  loggedCaller,
  RequestBuffer,
  type SeenRequest,
} from "./request-buffer.ts";
import { LogTrimmer } from "./retention.ts";
import { OTHER, TokenSightings, type VersionSighting } from "./token-sightings.ts";

/** Rows of one job. */
const SLICE = 50;
/** Maximum stored versions of one token, over all its requests. */
const VERSIONS_KEPT = 20;
/** Maximum stored length of a path, characters. */
const PATH_LENGTH = 1024;

type RequestValues = {
  account: string | null;
  id: string;
  eco: string | null;
  request: string;
  at: number;
  method: string;
  route: string;
  path: string;
  status: number;
  duration: number;
  token: string;
  problem: string | null;
  body: string | null;
  command: string | null;
};
const insertRequest = statement<RequestValues>("insert_request")((db, p) =>
  db.insertInto("request_log").values((of) => ({
    account_id: of.fn.coalesce(
      of.val(p.account),
      of.selectFrom("ecosystems").select("account_id").where("id", "=", p.eco),
      of.val(""),
    ),
    id: p.id,
    ecosystem_id: p.eco,
    request_id: p.request,
    at: p.at,
    method: p.method,
    route: p.route,
    path: p.path,
    status: p.status,
    duration_us: p.duration,
    token_id: p.token,
    problem: p.problem,
    problem_body: p.body,
    command_id: p.command,
  })),
);
const upsertUse = statement<{ token: string; at: number }>("upsert_token_use")((db, p) =>
  db
    .insertInto("token_uses")
    .values({ token_id: p.token, last_used_at: p.at })
    .onConflict((conflict) =>
      conflict.column("token_id").doUpdateSet((of) => ({
        // A later use that another node has stored stays.
        last_used_at: of
          .case()
          .when("excluded.last_used_at", ">", of.ref("token_uses.last_used_at"))
          .then(of.ref("excluded.last_used_at"))
          .else(of.ref("token_uses.last_used_at"))
          .end(),
      })),
    ),
);
const versionsOf = statement<{ token: string }>("versions_of_token")((db, p) =>
  db.selectFrom("token_versions").select(["via", "version"]).where("token_id", "=", p.token),
);
type VersionValues = { token: string; via: string; version: string; first: number; last: number; count: number };
const upsertVersion = statement<VersionValues>("upsert_token_version")((db, p) =>
  db
    .insertInto("token_versions")
    .values({
      token_id: p.token,
      via: p.via,
      version: p.version,
      first_seen_at: p.first,
      last_seen_at: p.last,
      count: p.count,
    })
    .onConflict((conflict) =>
      conflict.columns(["token_id", "via", "version"]).doUpdateSet((of) => ({
        last_seen_at: of
          .case()
          .when("excluded.last_seen_at", ">", of.ref("token_versions.last_seen_at"))
          .then(of.ref("excluded.last_seen_at"))
          .else(of.ref("token_versions.last_seen_at"))
          .end(),
        count: of("token_versions.count", "+", of.ref("excluded.count")),
      })),
    ),
);

/** Tokens that still exist: data of an erased one must not be stored again. */
async function knownTokens(tx: Transaction, slice: readonly { readonly tokenId: string }[]): Promise<Set<string>> {
  const ids = [...new Set(slice.map(({ tokenId }) => tokenId))];
  const rows = await tx.query(tx.build.selectFrom("tokens").select("id").where("id", "in", ids));
  return new Set(rows.map(({ id }) => id));
}

/** A request that cannot be stored is lost alone. @throws "Service Unavailable" */
export async function storeRequests(store: Store, log: Log, requests: readonly LoggedRequest[]): Promise<void> {
  for (let from = 0; from < requests.length; from += SLICE)
    await store.setAside.each(requests.slice(from, from + SLICE), {
      ...{ loop: "request_log", log, about: ({ seen }) => ({ request: seen.requestId }) },
      work: (slice) =>
        store.writeService(async (tx) => {
          const known = await knownTokens(tx, slice);
          for (const request of slice) if (known.has(request.tokenId)) await insert(tx, request);
        }),
    });
}

async function insert(tx: Transaction, { accountId, ecosystemId, tokenId, at, seen }: LoggedRequest): Promise<void> {
  await tx.run(insertRequest, {
    account: accountId ?? null,
    id: tx.ids.next("req"),
    eco: ecosystemId ?? null,
    request: seen.requestId,
    at,
    method: seen.method,
    route: seen.route,
    path: seen.path.slice(0, PATH_LENGTH),
    status: seen.status,
    duration: Math.round(seen.durationMs * 1000),
    token: tokenId,
    problem: seen.problem ?? null,
    body: seen.problemBody ?? null,
    command: seen.commandId ?? null,
  });
}

/** In the order of their tokens, so that nodes with the same tokens do not deadlock. @throws "Service Unavailable" */
export async function storeSightings(store: Store, log: Log, taken: ReturnType<TokenSightings["take"]>): Promise<void> {
  const sightings = taken.toSorted((a, b) => (a.tokenId < b.tokenId ? -1 : 1));
  for (let from = 0; from < sightings.length; from += SLICE)
    await store.setAside.each(sightings.slice(from, from + SLICE), {
      ...{ loop: "request_log", log, about: ({ tokenId }) => ({ token: tokenId }) },
      work: (slice) => store.writeService((tx) => storeSlice(tx, slice)),
    });
}

async function storeSlice(tx: Transaction, slice: Readonly<ReturnType<TokenSightings["take"]>>): Promise<void> {
  const known = await knownTokens(tx, slice);
  for (const { tokenId, lastUsedAt, versions } of slice) {
    if (!known.has(tokenId)) continue;
    await tx.run(upsertUse, { token: tokenId, at: lastUsedAt });
    if (versions.length > 0) await storeVersions(tx, tokenId, versions);
  }
}

async function storeVersions(tx: Transaction, token: string, versions: readonly VersionSighting[]): Promise<void> {
  const known = new Set((await tx.all(versionsOf, { token })).map(({ via, version }) => `${via} ${version}`));
  for (const { via, version, firstSeenAt, lastSeenAt, count } of versions) {
    const isNew = !known.has(`${via} ${version}`);
    const kept = isNew && known.size >= VERSIONS_KEPT ? OTHER : version;
    known.add(`${via} ${kept}`);
    await tx.run(upsertVersion, { token, via, version: kept, first: firstSeenAt, last: lastSeenAt, count });
  }
}

interface RecorderDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Interval between two batches, ms. */
  readonly everyMs: number;
}

export class Recorder implements AsyncDisposable {
  readonly #deps: RecorderDeps;
  readonly #requests = new RequestBuffer();
  readonly #counter = new RequestCounter();
  readonly #period: OwnPeriod;
  readonly #sightings = new TokenSightings();
  readonly #trimmer: LogTrimmer;
  readonly #timer: Timer;
  #storing = Promise.resolve();

  private constructor(deps: RecorderDeps) {
    this.#deps = deps;
    this.#period = new OwnPeriod(deps.store, deps.clock.now());
    this.#trimmer = new LogTrimmer(deps.store);
    this.#timer = every(deps.clock, "store what was counted of requests", deps.everyMs, () => void this.flush());
  }

  static start(deps: RecorderDeps): Recorder {
    const recorder = new Recorder(deps);
    // Stores the start of the counting period before the process can die with unstored counts.
    void recorder.flush();
    return recorder;
  }

  /** Records an answered request. */
  observe(seen: SeenRequest): void {
    const at = this.#deps.clock.now();
    const caller = loggedCaller(seen);
    if (caller) {
      this.#requests.add(caller, seen, at);
      const ecosystemId = ecosystemOf(caller);
      if (ecosystemId !== undefined && isCounted(seen)) this.#counter.count(ecosystemId, seen.status, at);
    }
    if (seen.caller) this.#sightings.add(seen.caller.tokenId, at, seen.pathVersion, seen.headerVersion);
  }

  /** Records that a token has opened a tunnel. */
  used(tokenId: string): void {
    this.#sightings.used(tokenId, this.#deps.clock.now());
  }

  /** Stores everything that waits; resolves when all of it was tried. It never rejects: what cannot be stored is lost and logged. */
  flush(): Promise<void> {
    return this.#flush(false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#flush(true);
  }

  #flush(isLast: boolean): Promise<void> {
    this.#storing = this.#storing.then(() => this.#store()).then(() => this.#storeCounts(isLast));
    return this.#storing;
  }

  async #storeCounts(isLast: boolean): Promise<void> {
    const { store, clock, log } = this.#deps;
    const now = clock.now();
    const { counts, isCut } = this.#counter.take();
    try {
      await storeCounts(store, counts);
      if (isCut) this.#period.lose(now);
      else if (isLast || counts.length > 0 || this.#period.isDue(now)) await this.#period.reach(now, isLast);
    } catch (error) {
      this.#period.lose(now);
      log.warn({ error, rows: counts.length }, "counts of requests were lost");
    }
  }

  async #store(): Promise<void> {
    const { store, log } = this.#deps;
    const { requests, dropped } = this.#requests.take();
    const sightings = this.#sightings.take();
    if (dropped > 0) log.warn({ dropped }, "the request log dropped requests because there were too many");
    try {
      // Stored first, so that a token's last use always has its request.
      await storeRequests(store, log, requests);
      await storeSightings(store, log, sightings);
      await this.#trimmer.trim(requests);
    } catch (error) {
      log.warn(
        { error, requests: requests.length, tokens: sightings.length },
        "request log entries and uses of tokens were lost",
      );
    }
  }
}
