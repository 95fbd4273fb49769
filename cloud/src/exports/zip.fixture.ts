/** Reads a zip archive as its specification says (APPNOTE 4.3), from the end: a judge that shares nothing with what wrote it. */
import { crc32, inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

/** The files by name, in the order of the archive. @throws Error when it is no archive, or a file is damaged */
export function unzipped(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || archive.readUInt32LE(end) !== END) throw new Error("no end of a central directory");
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error(`no entry at ${at}`);
    const [nameLength, extra, comment] = [28, 30, 32].map((each) => archive.readUInt16LE(at + each));
    const name = archive.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    files.set(name, fileAt(archive, archive.readUInt32LE(at + 42), at, name));
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}

/** All that there is to come. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function fileAt(archive: Buffer, local: number, entry: number, name: string): string {
  if (archive.readUInt32LE(local) !== LOCAL) throw new Error(`no file at ${local}`);
  const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(begin, begin + archive.readUInt32LE(entry + 20));
  const bytes = archive.readUInt16LE(entry + 10) === 8 ? inflateRawSync(packed) : packed;
  if (crc32(bytes) !== archive.readUInt32LE(entry + 16)) throw new Error(`${name} is damaged`);
  if (bytes.length !== archive.readUInt32LE(entry + 24)) throw new Error(`${name} has another length`);
  return bytes.toString("utf8");
}
