/**
 * Where a request comes from. Behind proxies that the operator trusts it is what they say, read from the right: what
 * stands further left may be false.
 */
import type { IncomingHttpHeaders } from "node:http";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** What of a request tells its origin. */
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

  /** The caller's address, an IPv4-mapped one as IPv4; "" when the connection has gone. */
  of({ socket, headers }: Origin): string {
    const peer = plain(socket.remoteAddress ?? "");
    if (this.#trusted.length === 0 || !this.#isTrusted(parse(peer))) return peer;
    const { forwarded, "x-forwarded-for": listed } = headers;
    const byStandard = forwarded === undefined ? undefined : this.#walk(peer, forwardedFor(forwarded));
    const byList = listed === undefined ? undefined : this.#walk(peer, String(listed).split(","));
    // A proxy that writes only one of the two passes the other on as a client made it up.
    if (byStandard !== undefined && byList !== undefined && byStandard !== byList) return peer;
    return byStandard ?? byList ?? peer;
  }

  /** Whether it comes from this machine, or from a trusted proxy, on its own account: nothing says that it was handed on. */
  isOwn(origin: Origin): boolean {
    return (
      isDirect(origin) && (this.isLocal(origin) || this.#isTrusted(parse(plain(origin.socket.remoteAddress ?? ""))))
    );
  }

  /** Whether it comes from this machine, and nothing says that it was handed on. */
  isLocal(origin: Origin): boolean {
    return isDirect(origin) && parse(plain(origin.socket.remoteAddress ?? ""))?.range() === "loopback";
  }

  /** From the right, as long as the sender is trusted. What cannot be read ends the way: its sender stands for it. */
  #walk(peer: string, hops: readonly string[]): string {
    let told = peer;
    for (const hop of hops.toReversed()) {
      const address = parse(withoutPort(hop.trim()));
      if (!address) return told;
      told = address.toString();
      if (!this.#isTrusted(address)) return told;
    }
    return told;
  }

  #isTrusted(address: Address | undefined): boolean {
    return address !== undefined && this.#trusted.some((network) => within(address, network));
  }
}

/** What an address counts as for a rate limit: itself, or the /64 of an IPv6 address, which one household or machine has whole. */
export function networkKey(address: string): string {
  if (!address.includes(":")) return address;
  const parsed = parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return address;
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** What proxies write of whom they ask for, by the standard and by habit. */
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

/** The usual forms cost nothing: IPv4, and IPv4 in IPv6. */
function plain(address: string): string {
  if (!address.includes(":")) return address;
  if (address.startsWith("::ffff:") && address.includes(".")) return address.slice(7);
  return parse(address)?.toString() ?? address;
}

/** Undefined for what is no address; IPv4 in four decimal parts only. */
function parse(text: string): Address | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !(text.includes(":") && ipaddr.IPv6.isValid(text))) return undefined;
  const address = ipaddr.process(text);
  // A zone means something on one link of one machine only.
  if (address instanceof ipaddr.IPv6) delete address.zoneId;
  return address;
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711` without the port. */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** The `for` of each element of `forwarded` (RFC 7239); "" of one that has none. */
function forwardedFor(header: string): string[] {
  return split(header, ",").map((element) => {
    const pair = split(element, ";").find((each) => /^\s*for\s*=/i.test(each)) ?? "";
    const value = pair.slice(pair.indexOf("=") + 1).trim();
    return value.startsWith('"') ? value.replace(/^"|"$/g, "").replaceAll(/\\(.)/g, "$1") : value;
  });
}

/** At a separator that stands in no quoted text. */
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
