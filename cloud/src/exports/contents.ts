/** The files of an archive: one of JSON lines for each exporter, after a README.txt that describes them. */

import { PassThrough, Readable } from "node:stream";
import { formatTime } from "@porchlight/shared/api";
import { dateOf } from "@porchlight/shared/kernel";
import { ZipFile } from "yazl";
import type { ExportedAccount, Exporter } from "./exporter.ts";

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
