/**
 * Reads the files of a package as `npm pack` writes it: a gzipped tar archive (POSIX.1-1988, ustar), within bounds.
 *
 * Our own reader, because existing ones unpack archives with links, owners and long names, and a package with one bundled file has
 * none of these.
 */
import { gunzipSync } from "node:zlib";
import { printable } from "@porchlight/shared/model";
import { PackageUnusable } from "./manifest.ts";

/** Largest archive, bytes; its code may be as large. */
export const MAX_TARBALL_BYTES = 8 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 2 * MAX_TARBALL_BYTES;
const MOST_FILES = 100;
const BLOCK = 512;
/** Maximum characters of a forbidden name in an error. */
const LONGEST_SHOWN = 100;
/** In archives of npm, all files are in one folder. */
const IN_FOLDER = /^[^/]+\/(.+)$/;
const PLAIN = /^[\w@+-][\w@+ .-]*(?:\/[\w@+-][\w@+ .-]*)*$/;

/** Returns the contents by path within the package. @throws PackageUnusable */
export function readTarball(archive: Uint8Array): ReadonlyMap<string, Buffer> {
  if (archive.byteLength > MAX_TARBALL_BYTES) throw new PackageUnusable("it is larger than 8 MB");
  const tar = unzipped(archive);
  const files = new Map<string, Buffer>();
  for (let at = 0; at + BLOCK <= tar.byteLength; ) {
    const header = tar.subarray(at, at + BLOCK);
    // Two empty blocks end the archive; the rest is ignored.
    if (header.every((byte) => byte === 0)) return files;
    if (checksum(header) !== octal(header, 148, 8)) throw new PackageUnusable("it is no archive, or a damaged one");
    const size = octal(header, 124, 12);
    const content = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (content.byteLength < size) throw new PackageUnusable("it is incomplete");
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const path = pathOf(header);
    if (path === undefined) continue;
    if (files.has(path)) throw new PackageUnusable(`it has ${path} twice`);
    if (files.size === MOST_FILES) throw new PackageUnusable(`it has more than ${MOST_FILES} files`);
    files.set(path, content);
  }
  return files;
}

function unzipped(archive: Uint8Array): Buffer {
  try {
    return gunzipSync(archive, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch {
    throw new PackageUnusable("it is not compressed by gzip, or larger than 16 MB");
  }
}

/** The path of a file; undefined for a harmless entry of another type. @throws PackageUnusable for an entry that no package may have */
function pathOf(header: Buffer): string | undefined {
  const name = [text(header, 345, 155), text(header, 0, 100)].filter((part) => part !== "").join("/");
  switch (String.fromCharCode(header.readUInt8(156))) {
    case "0":
    case "\0": {
      const [, path = ""] = IN_FOLDER.exec(name) ?? [];
      if (!PLAIN.test(path))
        throw new PackageUnusable(
          `it has a file with a name that is not allowed: ${printable(name.slice(0, LONGEST_SHOWN))}`,
        );
      return path;
    }
    // A folder, or attributes of the whole archive.
    case "5":
    case "g":
      return undefined;
    default:
      throw new PackageUnusable(`it has an entry that is not a plain file: ${printable(name.slice(0, LONGEST_SHOWN))}`);
  }
}

/** The text up to the first zero byte. */
function text(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString("latin1");
}

/** @throws PackageUnusable when it is not a number */
function octal(header: Buffer, from: number, length: number): number {
  const [digits] = /^[0-7]+/.exec(text(header, from, length).trim()) ?? [];
  if (digits === undefined) throw new PackageUnusable("it is no archive, or a damaged one");
  return Number.parseInt(digits, 8);
}

/** The sum of the header's bytes; the bytes of the checksum itself count as spaces. */
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}
