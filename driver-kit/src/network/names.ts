/** Names of services and hosts in multicast DNS: which can be names at all, and when two are the same. Pure. */

/** Names compare without regard to ASCII case or a trailing dot. */
export function nameKey(name: string): string {
  return name.replace(/\.$/, "").replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether it can be a name at all: people will see it, and questions will carry it. */
export function isName(name: string): boolean {
  return name.length <= 255 && !/[\p{Cc}\p{Cs}\ufffd]/u.test(name);
}

/**
 * The instance's own name, such as `Lamp 2.0`, of its whole one; undefined when that is none of the type. One that begins with a dot is
 * none either: the library takes what stands before the first dot for the name, and would not list it.
 * @param type such as `_shelly._tcp.local`
 */
export function instanceOf(name: string, type: string): string | undefined {
  const isOfType = isName(name) && !name.startsWith(".") && nameKey(name).endsWith(`.${type}`);
  const instance = name.replace(/\.$/, "").slice(0, -(type.length + 1));
  return isOfType && instance !== "" ? instance : undefined;
}
