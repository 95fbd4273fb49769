/** Checks of a callback URL before its name is resolved: it must be well formed, and not obviously lead to a forbidden place. */
import { isIP } from "node:net";
import { NamedError } from "@porchlight/shared/kernel";
import ipaddr from "ipaddr.js";

/** The characters of a URI (RFC 3986): a browser's parser accepts others, and interprets them differently. */
const URI = /^https?:\/\/(?![/?#])(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})+$/i;

/** Octal, hexadecimal and short IPv4 addresses, which programs interpret differently. */
const ODD_IPV4 = /^https?:\/\/(?!(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})(?:[:/?#]|$))/i;

/**
 * Returns the URL in its normal form.
 * @param text null and "" count as missing
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

/** The use of a URL, for the wording of errors. */
export interface UrlUse {
  readonly name: string;
  /** The alternative to a user name and password in the URL. */
  readonly instead: string;
  invalid(detail: string): NamedError;
}

/** Returns a receiver's URL in its normal form. @throws the error that `use` makes of a sentence */
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
  // A name may resolve to an allowed network, if there is any.
  if (url.protocol === "http:" && judged !== "allowed" && (judged === "public" || networks.length === 0))
    throw must("use https.");
  return url.href;
}

/** The literal address in a URL, without brackets; undefined for a name. The parser has normalised every odd spelling. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * Decides which addresses a webhook may be sent to: pure, for every address of a callback, literal or resolved. The
 * author of a callback is untrusted, and the service runs inside a private network: every address that is not clearly
 * public is refused, in any notation.
 */
type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Networks that the operator allows in addition; plain `http` is allowed in them too. */
export type Networks = readonly (readonly [Address, number])[];

/** The range allocated for global unicast; the rest is reserved or unassigned (RFC 4291, section 2.4). */
const GLOBAL_UNICAST: readonly [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** @param networks `10.0.0.0/8`, or a single address; the settings have validated them */
export function readNetworks(networks: readonly string[]): Networks {
  return networks.map((text) => {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
}

/** `public`: allowed for all webhooks; `allowed`: permitted by the operator; `refused`: neither. */
type Judgement = "public" | "allowed" | "refused";

/** @param text from a resolver or a URL; text that is no address is refused */
export function judgeAddress(text: string, networks: Networks): Judgement {
  const address = readAddress(text);
  if (!address) return "refused";
  if (networks.some((network) => isWithin(address, network))) return "allowed";
  return isPublic(address) ? "public" : "refused";
}

/** An address that embeds an IPv4 address is judged as that. */
function readAddress(text: string): Address | undefined {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  // A link-scoped address is never a valid target.
  if (bare.includes("%") || !ipaddr.isValid(bare)) return undefined;
  // Programs interpret short, octal and hexadecimal forms differently.
  if (!bare.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare);
}

function isWithin(address: Address, [network, bits]: readonly [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** The library knows IANA's special registries: loopback, private, link-local, carrier-grade NAT, NAT64, 6to4, Teredo, and so on. */
function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || address.match(...GLOBAL_UNICAST);
}
