/**
 * Determines the client's address. Behind trusted proxies it is the one that they state in their headers, read from the right:
 * entries further left may be forged.
 */
import type { IncomingHttpHeaders } from "node:http";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** The parts of a request that show its origin. */
export interface Origin {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

export class Addresses {
  readonly #trusted: readonly Network[];

  /** @param trusted networks (CIDR) or single addresses of proxies */
  constructor(trusted: readonly string[] = []) {
    this.#trusted = trusted.map(networkOf);
  }

  /** The client's address, an IPv4-mapped one as IPv4; "" when the connection is closed. */
  of({ socket, headers }: Origin): string {
    const peer = plain(socket.remoteAddress ?? "");
    if (this.#trusted.length === 0 || !this.#isTrusted(parse(peer))) return peer;
    const { forwarded, "x-forwarded-for": listed } = headers;
    const byStandard = forwarded === undefined ? undefined : this.#walk(peer, forwardedFor(forwarded));
    const byList = listed === undefined ? undefined : this.#walk(peer, String(listed).split(","));
    // A proxy that writes only one of the two headers forwards the other unchecked from the client.
    if (byStandard !== undefined && byList !== undefined && byStandard !== byList) return peer;
    return byStandard ?? byList ?? peer;
  }

  /** Whether this machine or a trusted proxy sent the request itself: no header shows that it was forwarded. */
  isOwn(origin: Origin): boolean {
    return (
      isDirect(origin) && (this.isLocal(origin) || this.#isTrusted(parse(plain(origin.socket.remoteAddress ?? ""))))
    );
  }

  /** Whether the request comes from this machine, and no header shows that it was forwarded. */
  isLocal(origin: Origin): boolean {
    return isDirect(origin) && parse(plain(origin.socket.remoteAddress ?? ""))?.range() === "loopback";
  }

  /** Walks from the right while the sender is trusted. An unreadable entry ends the walk at its sender. */
  #walk(peer: string, hops: readonly string[]): string {
    let origin = peer;
    for (const hop of hops.toReversed()) {
      const address = parse(withoutPort(hop.trim()));
      if (!address) return origin;
      origin = address.toString();
      if (!this.#isTrusted(address)) return origin;
    }
    return origin;
  }

  #isTrusted(address: Address | undefined): boolean {
    return address !== undefined && this.#trusted.some((network) => within(address, network));
  }
}

/** Key of an address for a rate limit: the address, or the /64 of an IPv6 address, because one household or machine has all of that. */
export function networkKey(address: string): string {
  if (!address.includes(":")) return address;
  const parsed = parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return address;
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** Headers in which proxies state the client, standard and customary ones. */
const HANDED_ON = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"] as const;

function isDirect({ headers }: Origin): boolean {
  return HANDED_ON.every((name) => headers[name] === undefined);
}

function networkOf(text: string): Network {
  if (!ipaddr.isValidCIDR(text)) {
    const address = ipaddr.process(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  }
  const [address, bits] = ipaddr.parseCIDR(text);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96)
    return [address.toIPv4Address(), bits - 96];
  return [address, bits];
}

function within(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Converts the usual forms cheaply: IPv4, and IPv4 in IPv6. */
function plain(address: string): string {
  if (!address.includes(":")) return address;
  if (address.startsWith("::ffff:") && address.includes(".")) return address.slice(7);
  return parse(address)?.toString() ?? address;
}

/** Undefined for text that is not an address; IPv4 in four decimal parts only. */
function parse(text: string): Address | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !(text.includes(":") && ipaddr.IPv6.isValid(text))) return undefined;
  const address = ipaddr.process(text);
  // A zone has a meaning only on one link of one machine.
  if (address instanceof ipaddr.IPv6) delete address.zoneId;
  return address;
}

/** Strips the port of `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** The `for` of each element of `forwarded` (RFC 7239); "" for an element without it. */
function forwardedFor(header: string): string[] {
  return split(header, ",").map((element) => {
    const pair = split(element, ";").find((each) => /^\s*for\s*=/i.test(each)) ?? "";
    const value = pair.slice(pair.indexOf("=") + 1).trim();
    return value.startsWith('"') ? value.replace(/^"|"$/g, "").replaceAll(/\\(.)/g, "$1") : value;
  });
}

/** Splits at separators outside quoted strings. */
function split(text: string, separator: "," | ";"): string[] {
  const parts: string[] = [];
  let part = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const each = text[at] ?? "";
    if (quoted && each === "\\") {
      part += each + (text[++at] ?? "");
      continue;
    }
    if (each === '"') quoted = !quoted;
    if (each === separator && !quoted) {
      parts.push(part);
      part = "";
    } else part += each;
  }
  return [...parts, part];
}
