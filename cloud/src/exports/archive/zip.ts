/** A zip archive as a stream of bytes: each file is read when its turn comes and compressed on the way, so that none is ever whole in memory. */
import { PassThrough, Readable } from "node:stream";
import { dateOf } from "@porchlight/shared/kernel";
import { ZipFile } from "yazl";

export interface ArchiveFile {
  /** With its ending. */
  readonly name: string;
  /** Its text, in parts. */
  read(): AsyncIterable<string> | Iterable<string>;
}

/** So that few parts go through the compressor's queue, characters. */
const PIECE = 64 * 1024;

/**
 * The archive's bytes, in parts of any length.
 * @param madeAt wall clock, ms: the time that each file has
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
      // The archive hears of nothing that happens before its own pipe.
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

/** The same text in fewer parts. */
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
