/**
 * The TXT record of a service: strings of bytes, read as keys and values (RFC 6763, section 6). Pure. Our own, because the library keeps
 * the last of two equal keys, reads `key=` as a key without a value, cuts a value at a line break, and loses `__proto__`.
 */

export type Txt = Readonly<Record<string, string>>;

/** Longest TXT record that is read, bytes. */
const LONGEST_TXT = 1024;

/** The record's strings; undefined when the data is no TXT record, or is too long. */
export function txtStrings(data: unknown): readonly Buffer[] | undefined {
  const strings: unknown[] = Array.isArray(data) ? data : [data];
  if (!strings.every((each) => Buffer.isBuffer(each))) return undefined;
  const bytes = strings.reduce((all, { length }) => all + length, 0);
  return bytes > LONGEST_TXT ? undefined : strings;
}

/** Keys in lower case; of a repeated key the first counts; a key without a value has an empty one. Any key is safe to look up. */
export function readTxt(strings: readonly Buffer[]): Txt {
  const txt: Record<string, string> = Object.create(null);
  for (const each of strings) {
    const text = each.toString("utf8");
    const at = text.indexOf("=");
    const key = (at < 0 ? text : text.slice(0, at)).toLowerCase();
    if (isKey(key) && !(key in txt)) txt[key] = at < 0 ? "" : text.slice(at + 1);
  }
  return txt;
}

function isKey(key: string): boolean {
  return /^[\x20-\x7e]+$/.test(key);
}
