/**
 * Which addresses a webhook may be sent to: a pure decision about every address that a callback names, literally or by a name.
 * Whoever writes a callback is a stranger, and the service stands inside somebody's network: what is not plainly public is
 * refused, in any notation.
 */
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Networks that the operator allows besides, in which plain `http` is allowed too. */
export type Networks = readonly (readonly [Address, number])[];

/** All that is given out to be reached by everybody; outside of it is reserved or nothing yet (RFC 4291, section 2.4). */
const GLOBAL_UNICAST: readonly [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** @param networks `10.0.0.0/8`, or a single address; the settings have checked them */
export function readNetworks(networks: readonly string[]): Networks {
  return networks.map((text) => {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
}

/** `public`: anybody may be sent there; `allowed`: the operator has said so; `refused`: neither. */
export type Judgement = "public" | "allowed" | "refused";

/** @param text as a resolver or a URL gives it; what is no address is refused */
export function judgeAddress(text: string, networks: Networks): Judgement {
  const address = readAddress(text);
  if (!address) return "refused";
  if (networks.some((network) => isWithin(address, network))) return "allowed";
  return isPublic(address) ? "public" : "refused";
}

/** An address that carries an IPv4 one in itself is judged as that. */
function readAddress(text: string): Address | undefined {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  // One that has a meaning on one link only is never sent to.
  if (bare.includes("%") || !ipaddr.isValid(bare)) return undefined;
  // Short, octal and hexadecimal forms mean different things to different programs.
  if (!bare.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare);
}

function isWithin(address: Address, [network, bits]: readonly [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** The library knows the special registries of IANA: loopback, private, link-local, carrier's, NAT64, 6to4, Teredo, and so on. */
function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || address.match(...GLOBAL_UNICAST);
}
