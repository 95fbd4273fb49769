import type { NetworkInterfaceInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { findInterface } from "./mdns-socket.ts";

const ipv4 = (address: string, bits: number, internal = false): NetworkInterfaceInfo => ({
  address,
  cidr: `${address}/${bits}`,
  netmask: "",
  mac: "",
  family: "IPv4",
  internal,
});
const ipv6 = (address: string, bits: number): NetworkInterfaceInfo => ({
  ...ipv4(address, bits),
  family: "IPv6",
  scopeid: 2,
});
const MACHINE = {
  lo: [ipv4("127.0.0.1", 8, true)],
  eth0: [ipv6("fe80::1", 64), ipv4("192.168.1.10", 24), ipv6("2001:db8::10", 64)],
};

describe("the interface in the settings of a hub", () => {
  test.each([
    ["its address", "192.168.1.10", "eth0"],
    ["its name", "eth0", "eth0"],
    ["loopback's address", "127.0.0.1", "lo"],
  ])("is found by %s", (_, wanted, name) => {
    expect(findInterface(wanted, MACHINE)?.name).toBe(name);
  });

  test("is not there while no interface has that address or name, or it has no IPv4 address", () => {
    expect(findInterface("192.168.1.11", MACHINE)).toBeUndefined();
    expect(findInterface("wlan0", MACHINE)).toBeUndefined();
    expect(findInterface("eth0", { eth0: [ipv6("fe80::1", 64)] })).toBeUndefined();
  });
});

describe("an address", () => {
  test("of a node is judged by the interface's own networks", () => {
    const home = findInterface("eth0", MACHINE);
    expect(home?.place("fe80::77", 4000)).toEqual({ kind: "onLink", address: "fe80::77%eth0" });
    expect(home?.place("192.168.1.77", 4000)).toEqual({ kind: "onLink", address: "192.168.1.77" });
    expect(home?.place("127.0.0.1", 4000)).toEqual({ kind: "refused", why: "loopback" });
    expect(findInterface("lo", MACHINE)?.place("127.0.0.7", 4000)).toEqual({ kind: "onLink", address: "127.0.0.7" });
  });

  test("of every sender of multicast is on the link, with any content of the packet", () => {
    const home = findInterface("eth0", MACHINE);
    const isOnLink = (address: string) => home?.isOnLink(address);
    expect(["192.168.1.77", "169.254.1.1", "fe80::5"].map(isOnLink)).toEqual([true, true, true]);
    expect(["192.168.2.77", "10.1.2.3", "8.8.8.8"].map(isOnLink)).toEqual([false, false, false]);
  });
});
