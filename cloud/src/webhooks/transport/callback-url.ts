/** What a callback URL must be before anything is resolved: well formed, and not plainly somewhere that nothing may be sent. */
import { isIP } from "node:net";
import { NamedError } from "@porchlight/shared/kernel";
import ipaddr from "ipaddr.js";

/** The characters of a URI (RFC 3986): a parser of browsers forgives others, and means something else by them. */
const URI = /^https?:\/\/(?![/?#])(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})+$/i;

/** Octal, hexadecimal, short: an address in a spelling that programs disagree on. */
const ODD_IPV4 = /^https?:\/\/(?!(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})(?:[:/?#]|$))/i;

/**
 * The URL as it will be called.
 * @param text null and "" are as missing
 * @throws "Webhook Callback Missing", "Webhook Callback Invalid"
 */
export function readCallback(text: string | null | undefined, networks: Networks): string {
  if (text === undefined || text === null || text === "")
    throw new NamedError("Webhook Callback Missing", "`url` is missing: the address that events are sent to.");
  return readReceiverUrl(text, networks, {
    name: "the callback URL",
    instead: "Check the signature of each delivery instead.",
    invalid: (detail) => new NamedError("Webhook Callback Invalid", detail),
  });
}

/** What a URL is for, in the words of its refusals. */
export interface UrlUse {
  readonly name: string;
  /** What to do in place of a user name and password. */
  readonly instead: string;
  invalid(detail: string): NamedError;
}

/** The URL of a receiver as it will be called. @throws what `use` makes of a sentence */
export function readReceiverUrl(text: string, networks: Networks, { name, instead, invalid }: UrlUse): string {
  const must = (what: string) => invalid(`The${name.slice(3)} must ${what}`);
  const url = URI.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw must("be an absolute URL that begins with https:// or http://.");
  if (url.username !== "" || url.password !== "") throw must(`not contain a user name or password. ${instead}`);
  if (text.includes("#")) throw must("not contain a fragment (#…): a fragment is never sent.");
  if (url.port === "0") throw must("not use port 0.");
  const address = literalAddress(url);
  if (address !== undefined && isIP(address) === 4 && ODD_IPV4.test(text))
    throw invalid(`An IP address in ${name} must be four decimal numbers.`);
  const judged = address === undefined ? undefined : judgeAddress(address, networks);
  if (judged === "refused") throw must("have a public address, or one that the operator of the service allows.");
  // A name may turn out to be in an allowed network, where there is any.
  if (url.protocol === "http:" && judged !== "allowed" && (judged === "public" || networks.length === 0))
    throw must("use https.");
  return url.href;
}

/** The address that stands in a URL in place of a name, without brackets. The parser has made one of every odd spelling. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * Which addresses a webhook may be sent to: a pure decision about every address that a callback names, literally or by a name.
 * Whoever writes a callback is a stranger, and the service stands inside somebody's network: what is not plainly public is
 * refused, in any notation.
 */
type Address = ipaddr.IPv4 | ipaddr.IPv6;
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
type Judgement = "public" | "allowed" | "refused";

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
