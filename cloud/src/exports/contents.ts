/** The contents of an archive: one file of JSON lines for each exporter, after a README.txt that describes them. */

import { PassThrough, Readable } from "node:stream";
import { formatTime } from "@porchlight/shared/api";
import { dateOf } from "@porchlight/shared/kernel";
import { ZipFile } from "yazl";
import type { Tables } from "../store/index.ts";
import type { ExportedAccount, Exporter } from "./exporter.ts";
import { historyExporters } from "./history.ts";
import { type AccessExportersDeps, accessExporters, type ObjectExportersDeps, objectExporters } from "./objects.ts";
import { type RecordExportersDeps, recordExporters } from "./records.ts";

export type ExportersDeps = ObjectExportersDeps & AccessExportersDeps & RecordExportersDeps;

/**
 * All exporters, in the order of the files, and the tables that no exporter covers, each with the reason. A new table needs an
 * exporter, or a reason here: a test checks all tables of the store.
 */
export function allExporters(deps: ExportersDeps): readonly Exporter[] {
  return [...objectExporters(deps), ...historyExporters(deps), ...accessExporters(deps), ...recordExporters(deps)];
}

const OF_THE_SERVICE = "is about the service itself, not about an account";
const ONLY_HASHES = "holds only hashes, from which nothing can be read";

export const NOT_EXPORTED: Partial<Readonly<Record<keyof Tables, string>>> = {
  sweeps: "is a list of work: what was deleted and has rows left",
  counters: "numbers the events, which are exported with their numbers",
  history_positions: "is how far the recording of events has come; what was recorded is exported",
  webhook_cursors: "is how far the sending of events has come; what was sent is exported",
  webhook_nodes: OF_THE_SERVICE,
  webhook_shares: OF_THE_SERVICE,
  webhook_calls: OF_THE_SERVICE,
  endings: "tells other nodes of ended tokens, which are exported as such",
  idempotency_keys: "holds hashes and sealed answers, for a day",
  idempotency_steps: "holds hashes and sealed values, for a day",
  account_codes: ONLY_HASHES,
  session_tokens: ONLY_HASHES,
  shared_limits: ONLY_HASHES,
  letters: "holds e-mails until they are sent, and they go to the account itself",
  pairings: "holds pairings for the minutes until a hub is approved, which is then exported",
  code_log_ins: "holds log-ins by code for the minutes until they are approved, and are then exported",
  erasures: "holds accounts that are gone already",
  nodes: OF_THE_SERVICE,
  sealing_keys: OF_THE_SERVICE,
  counting_periods: OF_THE_SERVICE,
  audit_chains: "proves that the audit is whole, and has no fact that its entries do not have",
  audit_links: "proves that the audit is whole, and has no fact that its entries do not have",
  account_exports: "is about the archive itself",
  export_chunks: "is the archive itself",
};

const ENDING = ".ndjson";
const WIDTH = 78;

/** @param madeAt wall clock, ms @param url of the service, without `/api` */
export function contentsOf(
  exporters: readonly Exporter[],
  account: ExportedAccount,
  madeAt: number,
  url: string,
): ArchiveFile[] {
  return [
    { name: "README.txt", read: () => [readme(exporters, account.accountId, madeAt, url)] },
    ...exporters.map((exporter) => ({ name: `${exporter.name}${ENDING}`, read: () => linesOf(exporter, account) })),
  ];
}

async function* linesOf(exporter: Exporter, account: ExportedAccount): AsyncGenerator<string> {
  for await (const row of exporter.rows(account)) yield `${typeof row === "string" ? row : JSON.stringify(row)}\n`;
}

function readme(exporters: readonly Exporter[], accountId: string, madeAt: number, url: string): string {
  const files = exporters.map(({ name, about }) => `${name}${ENDING}\n${wrapped(about, "    ")}`);
  return `Your data

${wrapped(`This archive has everything that the service at ${url} keeps of the account ${accountId}, except secrets: passwords, tokens and signing secrets are not in it. It was started at ${formatTime(madeAt)}.`)}

${wrapped("Each file has one JSON object in each line (NDJSON), in UTF-8. A file is empty if the service keeps nothing of its kind. The fields are those of the API and are explained there, under /docs. Times are in UTC.")}

${wrapped("The files were written one after another while the service was running. What changed in the meantime can be in one file and missing in another.")}

Files

${files.join("\n\n")}
`;
}

/** Wraps the text to the width of a terminal. */
function wrapped(text: string, indent = ""): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line !== indent && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? word : ` ${word}`;
  }
  return [...lines, line].join("\n");
}

/** A file of a zip archive that is streamed: each file is read in its turn and compressed on the way, so that none is whole in memory. */
export interface ArchiveFile {
  /** File name with its extension. */
  readonly name: string;
  /** Yields the text in pieces. */
  read(): AsyncIterable<string> | Iterable<string>;
}

/** Size of the pieces that enter the compressor, characters: larger pieces mean fewer queue entries. */
const PIECE = 64 * 1024;

/**
 * The archive's bytes, in pieces of any length.
 * @param madeAt modification time of every file, wall clock, ms
 * @throws what reading a file throws
 */
export async function* zipped(files: readonly ArchiveFile[], madeAt: number): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = new PassThrough();
  let source: Readable | undefined;
  zip.on("error", (error: Error) => output.destroy(error));
  for (const { name, read } of files) {
    zip.addReadStreamLazy(name, { mtime: dateOf(madeAt) }, (begin) => {
      source = Readable.from(pieces(read()), { objectMode: false });
      // Forwards errors, because the archive does not see those of a source before its own pipe.
      source.on("error", (error) => zip.emit("error", error));
      begin(null, source);
    });
  }
  zip.end();
  zip.outputStream.pipe(output);
  try {
    yield* output;
  } finally {
    source?.destroy();
    output.destroy();
  }
}

/** The same text in fewer pieces. */
async function* pieces(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
  let some: string[] = [];
  let length = 0;
  for await (const text of texts) {
    some.push(text);
    length += text.length;
    if (length < PIECE) continue;
    yield Buffer.from(some.join(""));
    some = [];
    length = 0;
  }
  if (length > 0) yield Buffer.from(some.join(""));
}
