import { describe, expect, test } from "vitest";
import { type Link, placeOnLink } from "./node-address.ts";

const HOME: Link = {
  name: "eth0",
  isLoopback: false,
  own: [
    { address: "192.168.1.10", bits: 24 },
    { address: "fe80::1", bits: 64 },
    { address: "2001:db8::10", bits: 64 },
  ],
};
const LOOPBACK: Link = {
  name: "lo",
  isLoopback: true,
  own: [
    { address: "127.0.0.1", bits: 8 },
    { address: "::1", bits: 128 },
  ],
};
/** What RFC 3927 gives an interface without a server of addresses. */
const AUTOMATIC: Link = { name: "eth0", isLoopback: false, own: [{ address: "169.254.7.7", bits: 16 }] };

const at = (address: string, link = HOME, port = 4000) => {
  const place = placeOnLink(address, port, link);
  return place.kind === "onLink" ? place.address : place.why;
};

describe("the address that a node announces", () => {
  test.each([
    ["on the hub's network", "192.168.1.77", "192.168.1.77"],
    ["on the hub's network of IPv6", "2001:db8::77", "2001:db8::77"],
    ["of the link, which needs its zone", "fe80::77", "fe80::77%eth0"],
    ["of the link with its zone", "fe80::77%eth0", "fe80::77%eth0"],
    ["of a simulator on the hub itself", "192.168.1.10", "192.168.1.10"],
  ])("is taken when it is %s: %s", (_, address, taken) => {
    expect(at(address)).toBe(taken);
  });

  test.each([
    ["the hub's own loopback", "127.0.0.1", "loopback"],
    ["loopback of IPv6", "::1", "loopback"],
    ["loopback, written as IPv6", "::ffff:127.0.0.1", "loopback"],
    ["the same in another spelling", "0:0:0:0:0:ffff:7f00:1", "loopback"],
    ["an address of the network, written as IPv6", "::ffff:192.168.1.77", "offLink"],
    ["a cloud's metadata service", "169.254.169.254", "offLink"],
    ["the internet", "8.8.8.8", "offLink"],
    ["the internet of IPv6", "2001:db8:1::1", "offLink"],
    ["another private network", "10.1.2.3", "offLink"],
    ["a private network of IPv6", "fd00::1", "offLink"],
    ["a translator of addresses", "64:ff9b::7f00:1", "offLink"],
    ["the zone of another interface", "fe80::77%eth1", "offLink"],
    ["a zone where none belongs", "192.168.1.77%eth0", "notAnAddress"],
    ["no address at all", "0.0.0.0", "offLink"],
    ["no address at all of IPv6", "::", "offLink"],
    ["everybody", "255.255.255.255", "broadcast"],
    ["everybody on the network", "192.168.1.255", "broadcast"],
    ["the network itself", "192.168.1.0", "broadcast"],
    ["a group", "224.0.0.251", "multicast"],
    ["a group of IPv6", "ff02::fb", "multicast"],
    ["a name", "lamp.local", "notAnAddress"],
    ["a number that a resolver would take for an address", "2130706433", "notAnAddress"],
  ])("is refused when it is %s: %s", (_, address, why) => {
    expect(at(address)).toBe(why);
  });

  test("is on loopback where the settings name it, and nowhere else then", () => {
    expect(["127.0.0.1", "127.0.0.7", "::1"].map((address) => at(address, LOOPBACK))).toEqual([
      "127.0.0.1",
      "127.0.0.7",
      "::1",
    ]);
    expect(["192.168.1.77", "169.254.169.254", "8.8.8.8"].map((address) => at(address, LOOPBACK))).toEqual(
      Array(3).fill("offLink"),
    );
  });

  test("is of the hub itself at a port that programs of users have, and not at one of its services", () => {
    expect([22, 80, 1023].map((port) => at("192.168.1.10", HOME, port))).toEqual(Array(3).fill("ownService"));
    expect(at("2001:DB8:0::10", HOME, 22)).toBe("ownService");
    expect(at("127.0.0.1", LOOPBACK, 22)).toBe("ownService");
    expect(at("192.168.1.10", HOME, 1024)).toBe("192.168.1.10");
    expect(at("192.168.1.77", HOME, 80)).toBe("192.168.1.77");
  });

  test("is one that an interface gave itself only where the hub has such an address too", () => {
    expect(at("169.254.9.9", AUTOMATIC)).toBe("169.254.9.9");
    expect(at("192.168.1.77", AUTOMATIC)).toBe("offLink");
  });

  test("is a neighbour's on a line between two, where no address is the network's", () => {
    expect(at("10.0.0.0", { ...HOME, own: [{ address: "10.0.0.1", bits: 31 }] })).toBe("10.0.0.0");
  });
});
