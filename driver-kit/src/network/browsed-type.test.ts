import { describe, expect, test } from "vitest";
import { BrowsedType, type RefusedPlace } from "./browsed-type.ts";
import type { MdnsRecord } from "./mdns-socket.ts";

const TYPE = "_shelly._tcp.local";

interface Announcement {
  readonly name?: string;
  readonly port?: number;
  readonly addresses?: readonly string[];
  readonly txt?: readonly string[];
  readonly ttl?: number;
}

function announced({
  name = "Lamp",
  port = 80,
  addresses = ["10.0.0.7"],
  txt = ["gen=2"],
  ttl = 120,
}: Announcement = {}) {
  const fqdn = `${name}.${TYPE}`;
  const records: MdnsRecord[] = [
    { name: TYPE, type: "PTR", ttl, flush: false, data: fqdn },
    { name: fqdn, type: "SRV", ttl, flush: true, data: { target: `${name}.local`, port } },
    { name: fqdn, type: "TXT", ttl, flush: true, data: txt.map((each) => Buffer.from(each)) },
    ...addresses.map((data) => ({
      ...{ name: `${name}.local`, type: data.includes(":") ? "AAAA" : "A" },
      ...{ ttl, flush: true, data },
    })),
  ];
  return records;
}

function browsing(wanted: (name: string | undefined) => boolean = () => false) {
  const refused: RefusedPlace[] = [];
  const browsed = new BrowsedType({
    type: "_shelly._tcp",
    wanted: ({ id }) => (wanted(id) ? id : undefined),
    place: (address) => {
      if (address.startsWith("fe80:")) return { kind: "onLink", address: `${address}%eth0` };
      return address.startsWith("10.") ? { kind: "onLink", address } : { kind: "refused", why: "offLink" };
    },
    refused: (place) => void refused.push(place),
  });
  return { browsed, refused };
}

/** The list after the announcement. */
function after(browsed: BrowsedType, at: number, ...announcements: readonly Announcement[]) {
  for (const each of announcements) browsed.take(announced(each), at);
  browsed.settle(at);
  return browsed.announced();
}

describe("services of a type", () => {
  test("are listed with their own name, their places with zones, IPv4 first, and their TXT record", () => {
    const { browsed } = browsing();
    const addresses = ["fe80::7", "10.0.0.7"];
    expect(after(browsed, 0, { name: "Lamp 2.0", addresses, txt: ["GEN=2", "__proto__=1"] })).toEqual([
      {
        instance: "Lamp 2.0",
        addresses: ["10.0.0.7", "fe80::7%eth0"],
        port: 80,
        txt: expect.objectContaining({ gen: "2" }),
      },
    ]);
    expect(Object.entries(browsed.announced()[0]?.txt ?? {})).toContainEqual(["__proto__", "1"]);
  });

  test.each([
    ["address", { addresses: ["10.0.0.8"] }, { addresses: ["10.0.0.8"] }],
    ["port", { port: 81 }, { port: 81 }],
    ["TXT record, behind what the library reads of it", { txt: ["gen=2\n"] }, { txt: { gen: "2\n" } }],
    ["second address", { addresses: ["10.0.0.7", "10.0.0.8"] }, { addresses: ["10.0.0.7", "10.0.0.8"] }],
  ])("are listed once, as announced last, when one announces another %s", (_, change, expected) => {
    const { browsed } = browsing();
    after(browsed, 0, {});
    const services = after(browsed, 5000, change);
    expect(services).toHaveLength(1);
    expect(services[0]).toMatchObject(expected);
  });

  test("are not reported as changed when they announce the same again, in another order", () => {
    const { browsed } = browsing();
    after(browsed, 0, { addresses: ["10.0.0.7", "10.0.0.8"] });
    browsed.take(announced({ addresses: ["10.0.0.8", "10.0.0.7"] }), 5000);
    expect(browsed.settle(5000)).toEqual({ hasChanged: false, isDone: true, until: 125_000 });
  });

  test("are taken off when they run out, and a second after a goodbye", () => {
    const { browsed } = browsing();
    after(browsed, 0, { name: "One" }, { name: "Two", ttl: 4500 });
    expect(after(browsed, 120_000).map(({ instance }) => instance)).toEqual(["Two"]);
    expect(after(browsed, 121_000, { name: "Two", ttl: 0 })).toHaveLength(1);
    expect(after(browsed, 122_000)).toEqual([]);
  });

  test("are asked for by the library, and for what is missing by us", () => {
    const { browsed } = browsing();
    browsed.take(announced({ name: "Lamp 2.0" }).slice(0, 1), 0);
    const name = `Lamp 2.0.${TYPE}`;
    expect(browsed.questions(0, 0)).toEqual([
      { name: TYPE, type: "PTR" },
      { name, type: "SRV" },
      { name, type: "TXT" },
    ]);
    browsed.end();
  });
});

describe("places where no device may be", () => {
  test("are not listed, and logged and counted once, however often they are announced", () => {
    const { browsed, refused } = browsing();
    for (let at = 0; at < 10; at++) {
      const [service] = after(browsed, at, { addresses: ["8.8.8.8", "10.0.0.7", "127.0.0.1"] });
      expect(service?.addresses).toEqual(["10.0.0.7"]);
    }
    const name = `Lamp.${TYPE}`;
    expect(refused).toEqual([
      { name, address: "8.8.8.8", port: 80, why: "offLink" },
      { name, address: "127.0.0.1", port: 80, why: "offLink" },
    ]);
    expect(browsed.ignored).toEqual({ offLink: 2 });
  });

  test("are logged a few times when a service announces ever others", () => {
    const { browsed, refused } = browsing();
    for (let at = 0; at < 100; at++) after(browsed, at, { addresses: [`8.8.8.${at}`] });
    expect(refused).toHaveLength(8);
  });
});

describe("a flood of services", () => {
  const flood = (from: number): Announcement[] =>
    Array.from({ length: 500 }, (_, at) => ({ name: `n${from + at}`, txt: [`id=n${from + at}`] }));

  test("is listed in steps, those first that a driver wants, and in the end in full", () => {
    const { browsed } = browsing((id) => id === "n400");
    for (const announcements of flood(0)) browsed.take(announced(announcements), 0);
    expect(browsed.settle(0)).toMatchObject({ hasChanged: true, isDone: false });
    const first = browsed.announced().map(({ instance }) => instance);
    expect([first.length, first.includes("n400")]).toEqual([32, true]);
    let steps = 1;
    while (!browsed.settle(steps).isDone) steps += 1;
    expect([browsed.announced().length, steps]).toEqual([500, 15]);
  });

  test("leaves a list no longer than what is kept", () => {
    const { browsed } = browsing();
    for (let round = 0; round < 20; round++) {
      const services = after(browsed, round, ...flood(round * 500));
      expect(services.length).toBeLessThanOrEqual(512 + 32);
    }
  });
});
