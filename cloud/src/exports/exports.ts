/** The exports API for accounts: start with the password, state, and download, on any node. */
import { type AccountExport, formatTime } from "@porchlight/shared/api";
import { type BucketRule, type Clock, type IdMaker, NamedError } from "@porchlight/shared/kernel";
import { type AccountCaller, audit, lockAccount, Readings, SharedLimit, TokenBuckets } from "../access/index.ts";
import { type PasswordProofDeps, requirePassword } from "../accounts/index.ts";
import type { AccountExportRow } from "../store/index.ts";
import { type ByteRange, exportOf, rangeAsked, readRange, startExport } from "./export-store.ts";
import { findExport, readChunk } from "./service-queries.ts";

export interface ExportsDeps extends PasswordProofDeps {
  readonly clock: Clock;
  readonly ids: IdMaker;
  /** Whether starts are rate-limited. */
  readonly limitsStarts: boolean;
  /** Called when an export was started, so that a worker makes it. */
  readonly onStarted: () => void;
}

/** The headers of a download's request. */
export interface DownloadAsked {
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  /** Whether the request is HEAD. */
  readonly isHead: boolean;
  /** Network address of the request. */
  readonly address: string;
}

export interface Download {
  readonly id: string;
  /** Size of the whole archive, bytes. */
  readonly size: number;
  /** Undefined: the whole archive. */
  readonly range: ByteRange | undefined;
  /** Suggested name of the file. */
  readonly fileName: string;
  /** @throws Error when the archive is deleted meanwhile, "Service Unavailable" */
  read(): AsyncIterable<Buffer>;
}

/** Path under the API's root. */
const ARCHIVE_PATH = "/api/account/export/archive";
/** Rate of starts of one account: enough to retry failures, too few to keep a service busy. */
const STARTS: BucketRule = { perSecond: 5 / 86_400, burst: 5 };

export class Exports {
  readonly #deps: ExportsDeps;
  readonly #startsHere = new TokenBuckets(STARTS);
  readonly #startsEverywhere: SharedLimit;
  readonly #readings: Readings;

  constructor(deps: ExportsDeps) {
    this.#deps = deps;
    this.#startsEverywhere = new SharedLimit(deps, "export", STARTS);
    this.#readings = new Readings(deps.clock);
  }

  /**
   * Returns the running export, else starts a new one, which replaces an earlier one.
   * @throws "Password Incorrect", "Rate Limit Exceeded"
   */
  async start(caller: AccountCaller, password: string): Promise<AccountExport> {
    const { store, ids, onStarted } = this.#deps;
    const { id: account } = await requirePassword(this.#deps, caller, password);
    const standing = await findExport(store, account);
    if (standing?.state === "running") return exportResource(standing);
    await this.#countStart(account);
    const id = ids.next("exp");
    const row = await store.writeService(async (tx) => {
      // Of two starts at once the second finds the first. An account that is being erased starts none.
      if (!(await lockAccount(tx, account))) throw new NamedError("Token Invalid");
      const running = await exportOf(tx, account);
      if (running?.state === "running") return running;
      await startExport(tx, account, id);
      await audit(tx, caller, "export.started", id);
      tx.afterCommit(onStarted);
      return exportOf(tx, account);
    });
    return exportResource(row);
  }

  async get({ accountId }: AccountCaller): Promise<AccountExport> {
    return exportResource(await this.#find(accountId));
  }

  /** Records an audit entry (see `Readings`), unless the request is HEAD. @throws "Export Not Found" */
  async download(caller: AccountCaller, asked: DownloadAsked): Promise<Download> {
    const { store } = this.#deps;
    const row = await this.#find(caller.accountId);
    if (row?.state !== "ready") throw new NamedError("Export Not Found");
    const { id, bytes: size } = row;
    // A range of another archive does not fit this one.
    const isSame = asked.ifRange === undefined || asked.ifRange === entityTag(id);
    const range = isSame ? rangeAsked(asked.range, size) : undefined;
    if (!asked.isHead) {
      const actor = { ...caller, address: asked.address };
      await this.#readings.record(caller.tokenId, id, () =>
        store.writeService((tx) => audit(tx, actor, "export.downloaded", id)),
      );
    }
    return {
      ...{ id, size, range },
      fileName: `porchlight-${formatTime(row.started_at).slice(0, 10)}.zip`,
      read: () => readRange(range ?? { first: 0, last: size - 1 }, (place) => readChunk(store, row, place)),
    };
  }

  /** Undefined also for an expired export that has not been deleted yet. */
  async #find(account: string): Promise<AccountExportRow | undefined> {
    const row = await findExport(this.#deps.store, account);
    if (row && row.expires_at !== null && row.expires_at <= this.#deps.clock.now()) return undefined;
    return row;
  }

  async #countStart(account: string): Promise<void> {
    if (!this.#deps.limitsStarts) return;
    const refusal = (retryAfter: number) =>
      new NamedError("Rate Limit Exceeded", "You can start five exports a day.", { retryAfter });
    const taken = this.#startsHere.take(account, this.#deps.clock.monotonic());
    if (!taken.admitted) throw refusal(taken.retryAfter);
    await this.#startsEverywhere.take(account, refusal);
  }
}

/** Entity tag of the archive of an export. */
export function entityTag(id: string): string {
  return `"${id}"`;
}

function exportResource(row: AccountExportRow | undefined): AccountExport {
  if (!row) return { state: "none" };
  return {
    id: row.id,
    // Trusted: this module wrote both columns.
    state: row.state as AccountExport["state"],
    startedAt: formatTime(row.started_at),
    ...(row.ended_at !== null && { endedAt: formatTime(row.ended_at) }),
    ...(row.expires_at !== null && { expiresAt: formatTime(row.expires_at) }),
    ...(row.state !== "failed" && { bytes: row.bytes }),
    ...(row.state === "ready" && { downloadPath: ARCHIVE_PATH }),
    ...(row.problem !== null && { problem: row.problem as AccountExport["problem"] }),
  };
}
