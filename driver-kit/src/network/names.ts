/** Names of services and hosts in multicast DNS: validity and equality. Pure. */

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
