/**
 * Makes archives, one at a time on each node. An export belongs to the node that has claimed it: when that node dies or gives up,
 * another starts a new attempt.
 *
 * Invariants: an archive is ready only when all its chunks are those of one attempt; the store rejects the writes of an attempt after
 * another has begun, or the account is gone; the email is queued in the transaction that makes the archive ready.
 */
import {
  type Clock,
  every,
  firstIdOf,
  type Id,
  isNamed,
  type Log,
  Rounds,
  type Timer,
} from "@porchlight/shared/kernel";
import { timeWords } from "@porchlight/shared/presentation";
import { takeTurn } from "../accounts/index.ts";
import { type AccountExportRow, type Store, statement, type Transaction } from "../store/index.ts";
import { contentsOf, zipped } from "./contents.ts";
import {
  addChunk,
  claimExport,
  dropExpiredExports,
  dropExport,
  type ExportAttempt,
  type ExportEnd,
  ExportLost,
  endExport,
  inChunks,
} from "./export-store.ts";
import type { ExportedAccount, Exporter } from "./exporter.ts";
import { type ChunkPlace, findEcosystems, findExportsDue, findVoidChunks } from "./service-queries.ts";

/** The part of the mail queue that this module uses. */
interface ExportOutbox {
  /** Queues an email to an account's own address, if that is verified. @throws "Service Unavailable" when too many emails wait */
  notify(tx: Transaction, accountId: string, email: EmailText): Promise<boolean>;
}

export interface ExportWorkerDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbox: ExportOutbox;
  readonly serviceUrl: () => string;
  readonly exporters: readonly Exporter[];
  /** Limit of one archive, million bytes. */
  readonly exportMegabytes: number;
  readonly keepExportsDays: number;
}

const LOOK_EVERY = 15_000;
const SWEEP_EVERY = 600_000;
/** An export with so many unfinished attempts fails: its data may be the reason why processes crash. */
const MOST_ATTEMPTS = 10;
const MEGABYTE = 1_000_000;
const DAY = 86_400_000;
/** Placeholder token of the caller: no token is in use. */
const NO_TOKEN = firstIdOf("tok", 0);

/** The archive would exceed the limit. */
class TooLarge extends Error {}

/** The service stops: another worker starts a new attempt. */
class Stopped extends Error {}

export class ExportWorker implements AsyncDisposable {
  readonly #deps: ExportWorkerDeps;
  readonly #timers: readonly Timer[];
  readonly #working = new Rounds(() => this.#round());
  #sweeps = true;

  private constructor(deps: ExportWorkerDeps) {
    this.#deps = deps;
    this.#timers = [
      every(deps.clock, "exports", LOOK_EVERY, () => this.wake()),
      every(deps.clock, "sweep exports", SWEEP_EVERY, () => {
        this.#sweeps = true;
        this.wake();
      }),
    ];
  }

  /** Starts, and continues the exports that an earlier process began. */
  static start(deps: ExportWorkerDeps): ExportWorker {
    const worker = new ExportWorker(deps);
    worker.wake();
    return worker;
  }

  /** Checks for exports to make. */
  wake(): void {
    void this.#working.ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) timer.cancel();
    await this.#working.end();
  }

  async #round(): Promise<void> {
    const { store, log } = this.#deps;
    const goesOn = () => !this.#working.ended;
    try {
      for (const row of await findExportsDue(store)) if (goesOn()) await this.#takeOrLeave(row);
      if (this.#sweeps) await this.#sweep(goesOn);
    } catch (error) {
      log.warn({ error }, "exports cannot be looked for; it is tried again");
    }
  }

  async #sweep(goesOn: () => boolean): Promise<void> {
    // Reset first: a sweep requested meanwhile runs in the next round.
    this.#sweeps = false;
    try {
      await sweepExports(this.#deps.store, goesOn);
    } catch (error) {
      this.#sweeps = true;
      throw error;
    }
  }

  /** An export that cannot even be claimed or ended stays, and the next check retries it after the others. */
  async #takeOrLeave(row: AccountExportRow): Promise<void> {
    const { store, log } = this.#deps;
    await store.setAside.each([row], {
      ...{ loop: "exports", log, about: ({ id }) => ({ export: id }) },
      work: () => this.#take(row),
    });
  }

  /** Claims the export and makes it, unless another node was quicker. */
  async #take(row: AccountExportRow): Promise<void> {
    const { store, log } = this.#deps;
    const attempt = await store.writeService((tx) => claimExport(tx, row, store.nodeId || null));
    if (!attempt) return;
    // Chunks of an earlier attempt or export are void now, so they must be swept.
    this.#sweeps = true;
    try {
      if (attempt.attempt > MOST_ATTEMPTS) await this.#end(attempt, "failed");
      else await this.#make(attempt);
    } catch (error) {
      if (error instanceof ExportLost || error instanceof Stopped) return;
      if (error instanceof TooLarge) return this.#end(attempt, "too_large");
      log.warn({ error, export: attempt.id, attempt: attempt.attempt }, "an export has failed; it is tried again");
    }
  }

  async #make(attempt: ExportAttempt): Promise<void> {
    const { store, clock, exporters, serviceUrl, exportMegabytes } = this.#deps;
    const madeAt = clock.now();
    const account = await this.#accountOf(attempt.account);
    const files = contentsOf(exporters, account, madeAt, serviceUrl());
    let place = 0;
    let bytes = 0;
    for await (const chunk of inChunks(zipped(files, madeAt))) {
      if (this.#working.ended) throw new Stopped();
      bytes += chunk.length;
      if (bytes > exportMegabytes * MEGABYTE) throw new TooLarge();
      const at = place;
      const sum = bytes;
      await store.writeService((tx) => addChunk(tx, attempt, at, chunk, sum));
      place += 1;
    }
    await this.#end(attempt, undefined);
  }

  /** Ends the attempt and emails the account. Does without the email when too many emails wait. */
  async #end(attempt: ExportAttempt, problem: "too_large" | "failed" | undefined): Promise<void> {
    const { store, clock, log, outbox, serviceUrl, keepExportsDays } = this.#deps;
    const expiresAt = clock.now() + keepExportsDays * DAY;
    const end: ExportEnd = { state: problem ? "failed" : "ready", problem, expiresAt };
    const url = serviceUrl();
    const email = problem ? exportFailedEmail(url, problem) : exportReadyEmail(url, expiresAt);
    try {
      await store.writeService(async (tx) => {
        await endExport(tx, attempt, end);
        await outbox.notify(tx, attempt.account, email);
      });
    } catch (error) {
      if (!isNamed(error, "Service Unavailable")) throw error;
      await store.writeService((tx) => endExport(tx, attempt, end));
      log.warn({ error, export: attempt.id }, "an export has ended without an e-mail");
    }
    if (problem) log.warn({ export: attempt.id, problem }, "an export has failed for good");
  }

  async #accountOf(accountId: string): Promise<ExportedAccount> {
    const rows = await findEcosystems(this.#deps.store, accountId);
    const living = rows.filter(({ gone_at }) => gone_at === null).map(({ id }) => id);
    // Trusted: the column holds an account's ID.
    const id = accountId as Id<"acc">;
    return {
      caller: { kind: "account", accountId: id, ecosystemIds: living, tokenId: NO_TOKEN },
      accountId,
      ecosystemIds: rows.map(({ id: eco }) => eco),
    };
  }
}

/** An email about an export, as plain text with its subject line. It contains no secret: a download requires a log-in. */
export interface EmailText {
  readonly subject: string;
  readonly text: string;
}

/** @param url of the service, without `/api` @param expiresAt wall clock, ms */
function exportReadyEmail(url: string, expiresAt: number): EmailText {
  const text = `The archive with the data of your account at
${url}
is ready. Log in and download it under "Your data":

${url}/account

It is deleted on ${timeWords(expiresAt)}.

If you did not ask for it, someone who knows your password did. Change
your password:

${url}/account
`;
  return { subject: "Your data is ready to download", text };
}

/** @param url of the service, without `/api` */
function exportFailedEmail(url: string, problem: "too_large" | "failed"): EmailText {
  const why =
    problem === "too_large"
      ? `It would be larger than the operator of the service allows. Contact the
operator.`
      : `Something went wrong in the service. You can start it again:

${url}/account`;
  const text = `The archive with the data of your account at
${url}
could not be made.

${why}
`;
  return { subject: "Your data could not be exported", text };
}

/** Chunks deleted in one job: 2 MB, so that no request waits for it. */
const AT_ONCE = 8;

type Place = { [K in keyof ChunkPlace]: ChunkPlace[K] };
const dropChunk = statement<Place>("drop_export_chunk")((db, p) =>
  db
    .deleteFrom("export_chunks")
    .where("account_id", "=", p.account_id)
    .where("export_id", "=", p.export_id)
    .where("attempt", "=", p.attempt)
    .where("place", "=", p.place),
);
const someOf = statement<{ account: string }>("some_export_chunks_of_account")((db, p) =>
  db
    .selectFrom("export_chunks")
    .select(["account_id", "export_id", "attempt", "place"])
    .where("account_id", "=", p.account)
    .limit(AT_ONCE),
);

/**
 * Deletes exports and their chunks: expired ones, and chunks that were replaced.
 * @param goesOn called between jobs: whether to continue @throws "Service Unavailable"
 */
async function sweepExports(store: Store, goesOn: () => boolean): Promise<void> {
  await store.writeService((tx) => dropExpiredExports(tx));
  for (let found = await findVoidChunks(store); found.length > 0; found = await findVoidChunks(store)) {
    for (let at = 0; at < found.length; at += AT_ONCE) {
      if (!goesOn()) return;
      const some = found.slice(at, at + AT_ONCE);
      await store.writeService(async (tx) => {
        for (const { account_id, export_id, attempt, place } of some)
          await tx.run(dropChunk, { account_id, export_id, attempt, place });
      });
    }
  }
}

/** Erases an account's export, in steps that are safe to repeat. @throws "Service Unavailable" */
export async function eraseExports(store: Store, account: string): Promise<void> {
  await store.writeService(async (tx) => {
    await takeTurn(tx, account);
    await dropExport(tx, account);
  });
  for (let removed = AT_ONCE; removed > 0; ) {
    removed = await store.writeService(async (tx) => {
      await takeTurn(tx, account);
      const some = await tx.all(someOf, { account });
      for (const each of some) await tx.run(dropChunk, { ...each });
      return some.length;
    });
  }
}
