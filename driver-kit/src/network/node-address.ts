/**
 * Decides whether the hub may connect to an announced address. Pure. Any host on the home network can announce any address, and must not
 * make the hub connect to its own services, to a cloud's metadata service, or to the internet.
 *
 * The hub connects only to nodes on the network of the interface on which they are announced: the one with the default route, unless the
 * settings name another.
 */

import { readFileSync } from "node:fs";
import { BlockList, isIPv4, isIPv6 } from "node:net";

/** The interface on which the hub receives announcements. */
export interface Link {
  readonly name: string;
  readonly isLoopback: boolean;
  /** The hub's own addresses on the interface, each with the length of its network's prefix, bits. */
  readonly own: readonly { readonly address: string; readonly bits: number }[];
}

/** Why the hub does not connect to an address: the names in logs and `status`. */
export type AddressProblem =
  | "notAnAddress"
  | "loopback"
  | "multicast"
  | "broadcast"
  /** Not on a network of the interface. */
  | "offLink"
  /** On the hub itself, at a port that only a service of the system can have. */
  | "ownService";

/** The place of a node: `address` is ready for connecting, a link-local address with its zone. */
export type Place =
  | { readonly kind: "onLink"; readonly address: string }
  | { readonly kind: "refused"; readonly why: AddressProblem };

/** The first port on which unprivileged programs may listen. */
const FIRST_UNPRIVILEGED = 1024;

export function placeOnLink(announced: string, port: number, link: Link): Place {
  const [bare = "", zone] = announced.split("%");
  const family = familyOf(bare);
  if (!family || (zone !== undefined && family === "ipv4")) return refused("notAnAddress");
  const isIn = (list: BlockList) => list.check(bare, family);
  if (isIn(MULTICAST)) return refused("multicast");
  if (!link.isLoopback && isIn(LOOPBACK)) return refused("loopback");
  if (isEverybody(bare, link)) return refused("broadcast");
  // A node announces an IPv4 address as an A record; written as IPv6 it would bypass the checks for IPv4.
  if (family === "ipv6" && isIn(MAPPED)) return refused("offLink");
  if ((zone !== undefined && zone !== link.name) || !isIn(networksOf(link))) return refused("offLink");
  if (port < FIRST_UNPRIVILEGED && (link.isLoopback || isIn(addressesOf(link)))) return refused("ownService");
  return { kind: "onLink", address: isIn(LINK_LOCAL) ? `${bare}%${link.name}` : bare };
}

/** Whether an address, with or without a zone, is on one of the interface's networks. */
export function isOnNetwork(address: string, link: Link): boolean {
  const [bare = ""] = address.split("%");
  const family = familyOf(bare);
  return family !== undefined && networksOf(link).check(bare, family);
}

const LOOPBACK = listOf(["127.0.0.0", 8], ["::1", 128]);
const MULTICAST = listOf(["224.0.0.0", 4], ["ff00::", 8]);
const MAPPED = listOf(["::ffff:0:0", 96]);
const LINK_LOCAL = listOf(["fe80::", 10]);

function listOf(...networks: readonly (readonly [address: string, bits: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of networks) list.addSubnet(address, bits, isIPv4(address) ? "ipv4" : "ipv6");
  return list;
}

function networksOf({ own }: Link): BlockList {
  return listOf(...own.map(({ address, bits }) => [address, bits] as const));
}

function addressesOf({ own }: Link): BlockList {
  return listOf(...own.map(({ address }) => [address, isIPv4(address) ? 32 : 128] as const));
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  if (isIPv4(address)) return "ipv4";
  return isIPv6(address) ? "ipv6" : undefined;
}

/**
 * Whether the address is the broadcast address of an IPv4 network of the link, or the network's own address, which some hosts still treat
 * as broadcast.
 */
function isEverybody(address: string, { own }: Link): boolean {
  if (!isIPv4(address)) return false;
  if (address === "255.255.255.255") return true;
  return own.some(({ address: hub, bits }) => {
    // Both addresses of a network with two are hosts (RFC 3021).
    if (!isIPv4(hub) || bits > 30) return false;
    const hosts = 2 ** (32 - bits);
    const rest = numberOf(address) % hosts;
    return (
      Math.floor(numberOf(address) / hosts) === Math.floor(numberOf(hub) / hosts) && (rest === 0 || rest === hosts - 1)
    );
  });
}

function numberOf(ipv4: string): number {
  return ipv4.split(".").reduce((number, part) => number * 256 + Number(part), 0);
}

function refused(why: AddressProblem): Place {
  return { kind: "refused", why };
}

/** File in which Linux lists the IPv4 routes. */
const ROUTES = "/proc/net/route";
const IS_UP = 1;

/** Name of the interface; undefined when there is no such route, or the system does not show it. */
export function defaultRouteInterface(): string | undefined {
  try {
    return nameOfDefaultRoute(readFileSync(ROUTES, "utf8"));
  } catch {
    // Not Linux, or a container that hides the file: then the settings must name an interface.
    return undefined;
  }
}

/** @param routes as in `/proc/net/route`: the route with the lowest metric counts */
export function nameOfDefaultRoute(routes: string): string | undefined {
  const [heading = "", ...lines] = routes.split("\n").filter((line) => line.trim() !== "");
  const columns = heading.trim().split(/\s+/);
  const all = lines.map((line) => {
    const fields = line.trim().split(/\s+/);
    const field = (name: string) => fields[columns.indexOf(name)] ?? "";
    const isDefault = /^0{8}$/.test(field("Destination")) && /^0{8}$/.test(field("Mask"));
    const isUp = (Number.parseInt(field("Flags"), 16) & IS_UP) !== 0;
    return { name: field("Iface"), metric: Number(field("Metric")), isUsed: isDefault && isUp };
  });
  const [first] = all.filter(({ isUsed }) => isUsed).sort((a, b) => a.metric - b.metric);
  return first?.name;
}
