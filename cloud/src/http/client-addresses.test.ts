import { describe, expect, it } from "vitest";
import { Addresses, networkKey } from "./client-addresses.ts";

const from = (trusted: string[], remoteAddress: string, headers: Record<string, string> = {}) =>
  new Addresses(trusted).of({ socket: { remoteAddress }, headers });
const PROXIES = ["10.0.0.0/8", "fd00::/8", "192.0.2.7"];

describe("without a trusted proxy", () => {
  it("the address is the peer's, regardless of the headers", () => {
    const headers = { forwarded: "for=203.0.113.9", "x-forwarded-for": "203.0.113.9" };
    expect(from([], "198.51.100.1", headers)).toBe("198.51.100.1");
    expect(from(PROXIES, "198.51.100.1", headers)).toBe("198.51.100.1");
  });

  it.each([
    ["::ffff:198.51.100.1", "198.51.100.1"],
    ["::ffff:c633:6401", "198.51.100.1"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::1", "::1"],
    ["", ""],
  ])("%s is written %s", (given, written) => {
    expect(from([], given)).toBe(written);
  });
});

describe("behind trusted proxies", () => {
  it.each([
    // The usual one.
    ["10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["192.0.2.7", "203.0.113.9", "203.0.113.9"],
    // Two proxies, and a client that writes what it likes before them.
    ["10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
    ["10.0.0.1", "10.9.9.9, 203.0.113.9", "203.0.113.9"],
    // Only proxies: the first of them is the caller.
    ["10.0.0.1", "10.0.0.3,10.0.0.2", "10.0.0.3"],
    // What cannot be read is no caller: the proxy that sent it stands for it.
    ["10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"],
    ["10.0.0.1", "203.0.113.9, rubbish, 10.0.0.2", "10.0.0.2"],
    ["10.0.0.1", "1, 0x7f.1, 300.1.1.1", "10.0.0.1"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["10.0.0.1", "203.0.113.9,", "10.0.0.1"],
    // Ports, brackets, mapped addresses.
    ["10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
    ["10.0.0.1", "[2001:db8::9]:4711", "2001:db8::9"],
    ["10.0.0.1", "2001:db8::9", "2001:db8::9"],
    ["10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"],
    ["fd00::1", "203.0.113.9, ::ffff:10.0.0.2", "203.0.113.9"],
  ])("%s saying x-forwarded-for %j it is %s", (peer, listed, expected) => {
    expect(from(PROXIES, peer, { "x-forwarded-for": listed })).toBe(expected);
  });

  it.each([
    ["for=203.0.113.9", "203.0.113.9"],
    ['For="[2001:db8::9]:4711";proto=https;by=10.0.0.1', "2001:db8::9"],
    ["proto=https;for=203.0.113.9 , for=10.0.0.2", "203.0.113.9"],
    ['for="203.0.113.9, for=1.1.1.1", for=203.0.113.8', "203.0.113.8"],
    ['for="a\\", for=1.1.1.1', "10.0.0.1"],
    ["for=unknown", "10.0.0.1"],
    ["for=_hidden, for=10.0.0.2", "10.0.0.2"],
    ["proto=https", "10.0.0.1"],
  ])("forwarded %j is %s", (forwarded, expected) => {
    expect(from(PROXIES, "10.0.0.1", { forwarded })).toBe(expected);
  });

  it("the two headers are believed when they agree, and neither when a client may have made one up", () => {
    const both = (forwarded: string, listed: string) =>
      from(PROXIES, "10.0.0.1", { forwarded, "x-forwarded-for": listed });
    expect(both("for=203.0.113.9", "203.0.113.9")).toBe("203.0.113.9");
    expect(both("for=1.1.1.1", "203.0.113.9")).toBe("10.0.0.1");
  });
});

describe("for a rate limit", () => {
  it("an IPv6 address counts as its /64, and IPv4 as itself", () => {
    expect(networkKey("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
    expect(networkKey("2001:db8:1:2::9")).toBe(networkKey("2001:db8:1:2:ffff::1"));
    expect(networkKey("2001:db8:1:3::9")).not.toBe(networkKey("2001:db8:1:2::9"));
    expect(networkKey("203.0.113.9")).toBe("203.0.113.9");
  });
});

describe("a network to trust", () => {
  it("of mapped addresses is that of IPv4", () => {
    expect(from(["::ffff:10.0.0.0/104"], "10.1.1.1", { "x-forwarded-for": "203.0.113.9" })).toBe("203.0.113.9");
  });
});
