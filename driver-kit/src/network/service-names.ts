/** Names and TXT records of services in multicast DNS: validity, equality, keys and values. Pure. */

/** Names compare without regard to ASCII case or a trailing dot. */
export function nameKey(name: string): string {
  return name.replace(/\.$/, "").replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether the text is valid as a name: people see it, and questions contain it. */
export function isName(name: string): boolean {
  return name.length <= 255 && !/[\p{Cc}\p{Cs}\ufffd]/u.test(name);
}

/**
 * The instance's own name, such as `Lamp 2.0`, from its full name; undefined when the name is not of the type. A name that begins with a
 * dot is refused too: the library cuts the instance name at the first dot, and would not list it.
 * @param type such as `_shelly._tcp.local`
 */
export function instanceOf(name: string, type: string): string | undefined {
  const isOfType = isName(name) && !name.startsWith(".") && nameKey(name).endsWith(`.${type}`);
  const instance = name.replace(/\.$/, "").slice(0, -(type.length + 1));
  return isOfType && instance !== "" ? instance : undefined;
}

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
    if (/^[\x20-\x7e]+$/.test(key) && !(key in txt)) txt[key] = at < 0 ? "" : text.slice(at + 1);
  }
  return txt;
}
