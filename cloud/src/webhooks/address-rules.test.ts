/** Where a webhook may be sent, and above all where not: each class of address once as it stands in a URL, once as a name means it. */
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { judgeAddress, readCallback, readNetworks } from "./callback-url.ts";
import { HOSTILE_HOSTS, NOT_PUBLIC } from "./hostile.fixture.ts";

const NONE = readNetworks([]);

describe("an address", () => {
  it.each(NOT_PUBLIC)("%s is not called under any name", (address) => {
    expect(judgeAddress(address, NONE)).toBe("refused");
  });

  it.each(["8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1"])(
    "%s is public",
    (address) => expect(judgeAddress(address, NONE)).toBe("public"),
  );

  it("of a network that the operator has named is allowed, and its neighbour is not", () => {
    const networks = readNetworks(["127.0.0.0/8", "10.1.0.0/16", "192.168.7.7", "fd00::/8"]);
    const judged = (address: string) => judgeAddress(address, networks);
    expect(["127.3.2.1", "10.1.255.1", "192.168.7.7", "fd12::1", "::ffff:10.1.0.1"].map(judged)).toEqual(
      Array(5).fill("allowed"),
    );
    expect(["10.2.0.1", "192.168.7.8", "fe80::1", "::1"].map(judged)).toEqual(Array(4).fill("refused"));
    expect(judged("8.8.8.8")).toBe("public");
  });

  it("is never public when the IPv4 address inside of it is not, however that is written into IPv6", () => {
    const bytes = fc.tuple(
      fc.constantFrom(10, 127, 169, 192, 172, 0, 100, 224, 240),
      fc.nat(255),
      fc.nat(255),
      fc.nat(255),
    );
    fc.assert(
      fc.property(bytes, ([a, b, c, d]) => {
        const inner = [a, b, c, d].join(".");
        if (judgeAddress(inner, NONE) !== "refused") return;
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const outer = [
          `::ffff:${inner}`,
          `::ffff:${hex}`,
          `::${hex}`,
          `64:ff9b::${hex}`,
          `64:ff9b:1::${hex}`,
          `2002:${hex}::1`,
        ];
        for (const address of outer) expect([address, judgeAddress(address, NONE)]).toEqual([address, "refused"]);
      }),
    );
  });

  it("that is none is refused", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!ipaddr.isValid(text)) expect(judgeAddress(text, NONE)).toBe("refused");
      }),
    );
  });
});

describe("a callback", () => {
  it.each(HOSTILE_HOSTS)("to https://%s/ is refused before anything is asked", (host) => {
    expect(() => readCallback(`https://${host}/`, NONE)).toThrow(/callback URL must /);
  });

  it.each([
    "https://user:password@receiver.example/",
    "https://user@receiver.example/",
    "https://receiver.example/#part",
    "https://receiver.example/#",
    "http://receiver.example/",
    "http://8.8.8.8/",
    "https://receiver.example:0/",
    "https:receiver.example",
    "https:///receiver.example",
    "//receiver.example/",
    "https://receiver.example/a b",
    " https://receiver.example/",
    "https://receiver.example/\t",
    "https:\\\\receiver.example\\",
    "https://receiver.example\\@10.0.0.1/",
    "https://receiver.example/%zz",
    "https://b\u00fccher.example/",
    "https://[::1/",
    "https://",
    "file:///etc/passwd",
    "gopher://receiver.example/",
    "javascript:alert(1)",
  ])("%s is refused", (url) => {
    expect(() => readCallback(url, NONE)).toThrow(/callback URL must /);
  });

  it.each([
    "https://receiver.example/",
    "https://receiver.example:8443/a/b?c=d&e=%20f",
    "https://8.8.8.8/hook",
    "https://[2606:4700::1111]/",
    "https://xn--bcher-kva.example/",
    "HTTPS://Receiver.Example/Path",
  ])("%s is taken", (url) => {
    expect(readCallback(url, NONE)).toBe(new URL(url).href);
  });

  it("without TLS is taken where the operator allows some network, unless it is plainly outside of it", () => {
    const networks = readNetworks(["127.0.0.0/8"]);
    expect(readCallback("http://127.0.0.1:8080/", networks)).toBe("http://127.0.0.1:8080/");
    expect(readCallback("http://receiver.internal/", networks)).toBe("http://receiver.internal/");
    expect(() => readCallback("http://8.8.8.8/", networks)).toThrow(/must use https/);
    expect(() => readCallback("http://10.0.0.1/", networks)).toThrow(/must have a public address/);
  });
});
