/** The network interface that a hub looks for devices on: which it is now, and which addresses lie on it. Pure, but for the list handed in. */
import { BlockList, isIPv4, isIPv6 } from "node:net";
import type { NetworkInterfaceInfo } from "node:os";

export type Interfaces = Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>;

export interface HomeInterface {
  readonly name: string;
  /** Its IPv4 address. */
  readonly address: string;
  /** Whether an address is one of its network, as whoever multicasts on it must be. */
  isOnLink(address: string): boolean;
  /**
   * How a node at an address is reached, with the zone that an address of the link needs; undefined when none may be there.
   * It is to be on the interface's network, or in another private one that a relay of mDNS leads to.
   */
  reach(address: string): string | undefined;
}

/** @param wanted an IPv4 address of the machine, or an interface's name; undefined when there is no such one at present */
export function findInterface(wanted: string, interfaces: Interfaces): HomeInterface | undefined {
  for (const [name, addresses] of Object.entries(interfaces)) {
    const found = addresses?.find((each) => each.family === "IPv4" && (each.address === wanted || name === wanted));
    if (found) return homeInterface(name, found, addresses ?? []);
  }
  return undefined;
}

function homeInterface(
  name: string,
  { address, internal }: NetworkInterfaceInfo,
  all: readonly NetworkInterfaceInfo[],
): HomeInterface {
  const own = new BlockList();
  for (const { cidr, family } of all) {
    const [net, bits] = cidr?.split("/") ?? [];
    if (net && bits) own.addSubnet(net, Number(bits), family === "IPv4" ? "ipv4" : "ipv6");
  }
  const near = new BlockList();
  for (const [net, bits] of PRIVATE_IPV4) near.addSubnet(net, bits);
  for (const [net, bits] of PRIVATE_IPV6) near.addSubnet(net, bits, "ipv6");
  return {
    name,
    address,
    isOnLink: (other) => contains(own, other) || isLinkLocal(other),
    reach: (other) => {
      // A device on another machine is never at this machine's loopback.
      if (!contains(own, other) && (internal || !contains(near, other))) return undefined;
      return /^fe80:[^%]*$/i.test(other) ? `${other}%${name}` : other;
    },
  };
}

const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
];
const PRIVATE_IPV6: readonly (readonly [string, number])[] = [
  ["fc00::", 7],
  ["fe80::", 10],
];

function contains(list: BlockList, address: string): boolean {
  if (isIPv4(address)) return list.check(address);
  return isIPv6(address) && list.check(address.replace(/%.*$/, ""), "ipv6");
}

function isLinkLocal(address: string): boolean {
  return /^(169\.254\.|fe80:)/i.test(address);
}
