/** The network interface that a hub looks for devices on: which it is now, and which addresses it has. Pure, but for the list handed in. */
import type { NetworkInterfaceInfo } from "node:os";
import { isOnNetwork, type Link, type Place, placeOnLink } from "./node-address.ts";

export type Interfaces = Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>;

export interface HomeInterface {
  readonly name: string;
  /** Its IPv4 address. */
  readonly address: string;
  /** Whether an address is one of its network, as every sender of multicast on it must be. */
  isOnLink(address: string): boolean;
  /** Whether a node may be there, and how it is reached. */
  place(address: string, port: number): Place;
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
  const own = all.flatMap(({ cidr }) => {
    const [net, bits] = cidr?.split("/") ?? [];
    return net && bits ? [{ address: net, bits: Number(bits) }] : [];
  });
  const link: Link = { name, isLoopback: internal, own };
  return {
    name,
    address,
    isOnLink: (other) => isLinkLocal(other) || isOnNetwork(other, link),
    place: (other, port) => placeOnLink(other, port, link),
  };
}

function isLinkLocal(address: string): boolean {
  return /^(169\.254\.|fe80:)/i.test(address);
}
