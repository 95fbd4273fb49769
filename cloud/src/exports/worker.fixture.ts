/** A worker that makes archives of rows that a test gives, on a store, and what has become of them. */
import { type Log, settle, silentLog, systemClock, type VirtualClock } from "@porchlight/shared/kernel";
import type { AccountExportRow, Store } from "../store/index.ts";
import { startExport } from "./export-store.ts";
import { type EmailText, ExportWorker, type ExportWorkerDeps } from "./export-worker.ts";
import type { Exporter } from "./exporter.ts";
import { findExport, readChunk } from "./service-queries.ts";

export const ACCOUNT = "acc_1";

/** An account without ecosystems. */
export async function insertAccount(store: Store, id = ACCOUNT): Promise<void> {
  const row = { id, email: "a@example.com", email_key: "a@example.com", name: null, password_hash: "", created_at: 0 };
  await store.writeService((tx) => tx.change(tx.build.insertInto("accounts").values({ ...row, verified_at: 1 })));
}

/** One file, whose rows are those. */
function exporterOf(rows: () => AsyncIterable<object | string>): Exporter {
  return { name: "rows", about: "Rows.", tables: [], rows };
}

/** Text that no compressor makes shorter, so many bytes at least. */
export async function* noise(bytes: number, each: () => Promise<void> = async () => undefined) {
  let seed = 1;
  for (let length = 0; length < bytes; length += 1_024) {
    await each();
    const text = Buffer.from(
      Uint32Array.from({ length: 256 }, () => {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        return seed;
      }).buffer,
    ).toString("base64");
    yield { text };
  }
}

export interface Made {
  readonly worker: ExportWorker;
  readonly emails: EmailText[];
}

export function workerOn(
  store: Store,
  clock: VirtualClock,
  rows: () => AsyncIterable<object | string>,
  deps: Partial<Pick<ExportWorkerDeps, "exportMegabytes" | "keepExportsDays" | "outbox">> & { log?: Log } = {},
): Made {
  const emails: EmailText[] = [];
  const outbox = {
    notify: async (_tx: unknown, _account: string, email: EmailText) => {
      emails.push(email);
      return true;
    },
  };
  const worker = ExportWorker.start({
    ...{ store, clock, log: silentLog, outbox, serviceUrl: () => "https://home.example" },
    ...{ exporters: [exporterOf(rows)], exportMegabytes: 10, keepExportsDays: 7, ...deps },
  });
  return { worker, emails };
}

export async function begin(store: Store, id = "exp_1"): Promise<void> {
  await store.writeService((tx) => startExport(tx, ACCOUNT, id));
}

/** Only ends a hung test, ms. */
const LIMIT_MS = 50_000;
/** Between two steps of time, ms: what is compressed and stored takes real time. */
const STEP_MS = 20;

/** Lets time pass in small steps until it holds. @throws Error when that is never */
export async function until(clock: VirtualClock, holds: () => Promise<boolean>): Promise<void> {
  const end = systemClock.monotonic() + LIMIT_MS;
  for (let next = systemClock.monotonic() + STEP_MS; systemClock.monotonic() < end; ) {
    if (await holds()) return;
    await settle(20);
    if (systemClock.monotonic() < next) continue;
    await clock.advance(15_000);
    next = systemClock.monotonic() + STEP_MS;
  }
  throw new Error("it never came to be so");
}

export function exportRow(store: Store): Promise<AccountExportRow | undefined> {
  return findExport(store, ACCOUNT);
}

/** The archive as it is stored. */
export async function archiveIn(store: Store): Promise<Buffer> {
  const row = await exportRow(store);
  const chunks: Buffer[] = [];
  for (let place = 0; row; place++) {
    const chunk = await readChunk(store, row, place);
    if (!chunk) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function countChunks(store: Store): Promise<number> {
  const { build } = store.service;
  return (await store.service.query(build.selectFrom("export_chunks").select("place"))).length;
}
