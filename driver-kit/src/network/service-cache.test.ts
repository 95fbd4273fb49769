import { seededRandom } from "@porchlight/shared/kernel";
import dns from "dns-packet";
import { describe, expect, test } from "vitest";
import { answerOf, type MdnsRecord } from "./mdns-socket.ts";
import { ServiceCache } from "./service-cache.ts";

const TYPE = "_shelly._tcp.local";
const ID = "a8032ab1";
const text = (...pairs: string[]) => pairs.map((pair) => Buffer.from(pair));

interface Announcement {
  name?: string;
  id?: string;
  host?: string;
  port?: number;
  addresses?: readonly string[];
  ttl?: number;
  txt?: unknown;
}

/** A whole announcement, as most devices send it. */
function announced({
  name = "Lamp",
  id = ID,
  host = "lamp.local",
  port = 4000,
  addresses = ["10.0.0.7"],
  ttl = 120,
  txt,
}: Announcement = {}) {
  const instance = `${name}.${TYPE}`;
  const records: MdnsRecord[] = [
    { name: TYPE, type: "PTR", ttl, flush: false, data: instance },
    { name: instance, type: "SRV", ttl, flush: true, data: { target: host, port, priority: 0, weight: 0 } },
    { name: instance, type: "TXT", ttl, flush: true, data: txt ?? text(`id=${id}`) },
    ...addresses.map((data) => ({ name: host, type: "A", ttl, flush: true, data })),
  ];
  return records;
}

/** A cache for a driver that wants the devices with these ids. */
function caching(isWanted: (id: string) => boolean = () => false) {
  return new ServiceCache({ type: TYPE, wanted: ({ id = "" }) => (isWanted(id) ? id : undefined) });
}

const LAMP = `lamp.${TYPE}`;
const addressesOf = (cache: ServiceCache, at: number, name = LAMP) => cache.services(at).get(name)?.addresses;

describe("a service that is announced", () => {
  test("is known with its name, host, port, addresses and TXT record", () => {
    const cache = caching();
    cache.take(announced({ addresses: ["10.0.0.7", "10.0.0.8"] }), 0);
    expect([...cache.services(0).values()]).toEqual([
      {
        name: `Lamp.${TYPE}`,
        host: "lamp.local",
        port: 4000,
        txt: text(`id=${ID}`),
        addresses: ["10.0.0.7", "10.0.0.8"],
        until: 120_000,
      },
    ]);
  });

  test("in pieces, in any order, is asked for what is missing", () => {
    const [pointer, place, txt, address] = announced();
    const cache = caching();
    for (const [at, record] of [pointer, txt].entries()) if (record) cache.take([record], at);
    expect([cache.questions(2).map(({ type }) => type), cache.services(2).size]).toEqual([["SRV"], 0]);
    if (place) cache.take([place], 3);
    expect(cache.questions(4)).toEqual(["A", "AAAA"].map((type) => ({ name: "lamp.local", type })));
    expect(addressesOf(cache, 4)).toEqual([]);
    if (address) cache.take([address], 5);
    expect([cache.questions(6), addressesOf(cache, 6)]).toEqual([[], ["10.0.0.7"]]);
  });

  test("is asked again for what will not hold until the next round", () => {
    const cache = caching();
    cache.take(announced({ ttl: 120 }), 0);
    expect(cache.questions(59_000, 119_000)).toEqual([]);
    expect(cache.questions(60_000, 120_000).map(({ type }) => type)).toEqual(["SRV", "A", "AAAA", "TXT"]);
  });

  test("that has moved is at the address that it announced last, and not at the one before", () => {
    const cache = caching();
    cache.take(announced(), 0);
    cache.take(announced({ addresses: ["10.0.0.8"] }), 5000);
    expect(addressesOf(cache, 5000)).toEqual(["10.0.0.8"]);
    cache.take(announced({ port: 5000, addresses: ["10.0.0.8"] }), 6000);
    expect(cache.services(6000).get(LAMP)?.port).toBe(5000);
  });

  test("is gone a second after its goodbye, and there again when it says so in time", () => {
    const cache = caching();
    cache.take(announced(), 0);
    cache.take(announced({ ttl: 0 }), 1000);
    expect(cache.services(1500).has(LAMP)).toBe(true);
    cache.forget(2001);
    expect(cache.services(2001).has(LAMP)).toBe(false);
    cache.take(announced(), 3000);
    cache.take(announced({ ttl: 0 }), 4000);
    cache.take(announced(), 4500);
    cache.forget(60_000);
    expect(cache.services(60_000).has(LAMP)).toBe(true);
  });

  test("is gone when its records have run out, and after two hours however long they say that they hold", () => {
    const cache = caching();
    cache.take(announced({ ttl: 120 }), 0);
    cache.forget(119_999);
    expect(cache.services(119_999).size).toBe(1);
    cache.forget(120_000);
    expect([cache.services(120_000).size, cache.size]).toEqual([0, { instances: 0, hosts: 0 }]);
    cache.take(announced({ ttl: 4_294_967_295 }), 0);
    expect([cache.services(7_199_999).size, cache.services(7_200_000).size]).toEqual([1, 0]);
  });

  test("without a TXT record of use is not known", () => {
    const cache = caching();
    cache.take(announced({ txt: "v=1" }), 0);
    cache.take(announced({ txt: text("x".repeat(1100)) }), 1);
    expect([cache.services(2).size, cache.ignored]).toEqual([0, { badTxt: 2 }]);
  });
});

describe("what a hostile network says", () => {
  test("names with control characters, names of others and records of no sense are counted and left", () => {
    const cache = caching();
    cache.take(announced({ name: "La\u0007mp" }), 0);
    cache.take(announced({ name: ".Lamp" }), 0);
    cache.take([{ name: TYPE, type: "PTR", ttl: 120, flush: false, data: "_http._tcp.local" }], 0);
    cache.take([{ name: TYPE, type: "PTR", ttl: 120, flush: false, data: TYPE }], 0);
    cache.take(announced({ port: 0 }), 0);
    cache.take(announced({ addresses: ["ten"] }), 0);
    expect(addressesOf(cache, 0) ?? []).toEqual([]);
    expect(cache.ignored).toEqual({ badName: 4, badRecord: 2 });
  });

  test("thousands of names are not remembered, and push no wanted device out", () => {
    const cache = caching((id) => id === ID);
    cache.take(announced(), 0);
    for (let each = 0; each < 5000; each++)
      cache.take(announced({ name: `n${each}`, id: `i${each}`, host: `h${each}.local` }), 1 + each);
    expect(cache.size.instances).toBeLessThanOrEqual(512);
    expect(cache.services(5001).has(LAMP)).toBe(true);
    expect(cache.ignored.tooMany).toBe(5001 - 512);
    expect(cache.questions(5001).length).toBeLessThanOrEqual(16);
  });

  test("a thousand names of a device that is wanted leave room for the others", () => {
    const cache = caching(() => true);
    for (let each = 0; each < 1000; each++) cache.take(announced({ name: `n${each}` }), each);
    cache.take(announced({ name: "Other", id: "other", host: "other.local" }), 1000);
    const ids = [...cache.services(1000).values()].map(({ txt }) => String(txt[0]));
    expect([...new Set(ids)]).toEqual([`id=${ID}`, "id=other"]);
    expect(cache.size.instances).toBe(512);
  });

  test("one packet of a thousand records, and a host of a hundred addresses, are cut short", () => {
    const cache = caching();
    const addresses = Array.from({ length: 100 }, (_, at) => `10.0.0.${at}`);
    cache.take(announced({ addresses }), 0);
    expect([addressesOf(cache, 0)?.length, cache.ignored.tooManyAddresses]).toEqual([8, 92]);
    cache.take(
      Array.from({ length: 1000 }, (_, at) => announced({ name: `n${at}` })[0]).flatMap((each) => each ?? []),
      0,
    );
    expect(cache.size.instances).toBeLessThanOrEqual(257);
  });

  test("a service that says ever another host leaves none behind", () => {
    const cache = caching();
    for (let each = 0; each < 1000; each++) cache.take(announced({ host: `h${each}.local`, ttl: 7200 }), each * 100);
    expect(cache.size.hosts).toBeLessThanOrEqual(11);
  });

  test("any bytes whatsoever are an answer, a question or a bad packet", () => {
    const random = seededRandom(20);
    const good = dns.encode({
      type: "response",
      answers: [
        { name: TYPE, type: "PTR", ttl: 120, data: `Lamp.${TYPE}` },
        { name: `Lamp.${TYPE}`, type: "TXT", ttl: 120, data: text(`id=${ID}`) },
        { name: `Lamp.${TYPE}`, type: "SRV", ttl: 120, data: { target: "lamp.local", port: 1 } },
      ],
    });
    const cache = caching();
    for (let round = 0; round < 1000; round++) {
      const bytes = Buffer.from(good);
      for (let flip = 0; flip <= round % 8; flip++)
        bytes[Math.floor(random.fraction() * bytes.length)] = Math.floor(random.fraction() * 256);
      const records = answerOf(round % 3 === 0 ? Buffer.from(random.bytes(round % 300)) : bytes);
      if (Array.isArray(records)) cache.take(records, round);
    }
    cache.take(announced(), 1001);
    expect(addressesOf(cache, 1001)).toContain("10.0.0.7");
  });
});
