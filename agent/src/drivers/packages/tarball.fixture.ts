/** Archives as a test wants them, also such as npm never makes. */
import { gzipSync } from "node:zlib";

export interface TarEntry {
  readonly path: string;
  readonly content?: string | Buffer;
  /** `0` is a file, `2` a symbolic link, `5` a folder. */
  readonly type?: string;
}

/** A gzipped archive of these, in the folder `package`. */
export function tarballOf(...entries: readonly TarEntry[]): Buffer {
  return gzipSync(tarOf(...entries.map((entry) => ({ ...entry, path: `package/${entry.path}` }))));
}

/** An archive of these, as they are. */
export function tarOf(...entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(entryOf), Buffer.alloc(1024)]);
}

function entryOf({ path, content = "", type = "0" }: TarEntry): Buffer[] {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(path, 0, 100, "latin1");
  header.write("0000644\0", 100);
  header.write(`${bytes.byteLength.toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\0", 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, bytes, Buffer.alloc((512 - (bytes.byteLength % 512)) % 512)];
}
