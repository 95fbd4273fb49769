import { seededRandom } from "@porchlight/shared/kernel";
import dns from "dns-packet";
import { describe, expect, test } from "vitest";
import { answerOf, type MdnsRecord } from "../../links/mdns-socket.ts";
import type { Place } from "../../links/node-address.ts";
import { readAnnouncement, SERVICE } from "./announcement.ts";
import { type RefusedPlace, Sightings } from "./sightings.ts";

const ID = "02-50-4C-53-00-01";
const text = (...pairs: string[]) => pairs.map((pair) => Buffer.from(pair));

interface Told {
  name?: string;
  id?: string;
  host?: string;
  port?: number;
  addresses?: readonly string[];
  ttl?: number;
  txt?: readonly Buffer[];
}

/** A whole announcement, as most nodes send it. */
function announced({
  name = "Lamp",
  id = ID,
  host = "lamp.local",
  port = 4000,
  addresses = ["10.0.0.7"],
  ttl = 120,
  txt,
}: Told = {}) {
  const instance = `${name}.${SERVICE}`;
  const records: MdnsRecord[] = [
    { name: SERVICE, type: "PTR", ttl, flush: false, data: instance },
    { name: instance, type: "SRV", ttl, flush: true, data: { target: host, port, priority: 0, weight: 0 } },
    { name: instance, type: "TXT", ttl, flush: true, data: txt ?? text("v=1", `id=${id}`, "mo=Lamp") },
    ...addresses.map((data) => ({ name: host, type: "A", ttl, flush: true, data })),
  ];
  return records;
}

const onLink = (address: string): Place =>
  address.startsWith("10.") ? { kind: "onLink", address } : { kind: "refused", why: "offLink" };

function heard(wanted: (edgeId: string) => boolean = () => false, refused: RefusedPlace[] = []) {
  return new Sightings({ isWanted: wanted, place: onLink, refused: (place) => void refused.push(place) });
}

describe("a node that is announced", () => {
  test("is seen with where it is, what it is, and whether it wants TLS", () => {
    const seen = heard();
    seen.take(announced({ txt: text("v=1", `id=${ID}`, "mo=Lamp", "tls=psk") }), 0);
    expect(seen.nodes(0).get(ID)).toEqual({
      edgeId: ID,
      model: "Lamp",
      tls: true,
      endpoints: [{ address: "10.0.0.7", port: 4000 }],
    });
  });

  test("in pieces, in any order, is asked for what is missing", () => {
    const [pointer, place, txt, address] = announced();
    const seen = heard();
    for (const [at, record] of [pointer, txt].entries()) if (record) seen.take([record], at);
    expect(seen.questions(2).map(({ type }) => type)).toEqual(["SRV"]);
    if (place) seen.take([place], 3);
    expect(seen.questions(4)).toEqual(["A", "AAAA"].map((type) => ({ name: "lamp.local", type })));
    if (address) seen.take([address], 5);
    expect([seen.questions(6), seen.nodes(6).get(ID)?.endpoints.length]).toEqual([[], 1]);
  });

  test("that has moved is where it last said, and not where it was", () => {
    const seen = heard();
    seen.take(announced(), 0);
    seen.take(announced({ addresses: ["10.0.0.8"] }), 5000);
    expect(seen.nodes(5000).get(ID)?.endpoints).toEqual([{ address: "10.0.0.8", port: 4000 }]);
    seen.take(announced({ port: 5000, addresses: ["10.0.0.8"] }), 6000);
    expect(seen.nodes(6000).get(ID)?.endpoints).toEqual([{ address: "10.0.0.8", port: 5000 }]);
  });

  test("is gone a second after its goodbye, and there again when it says so in time", () => {
    const seen = heard();
    seen.take(announced(), 0);
    seen.take(announced({ ttl: 0 }), 1000);
    expect(seen.nodes(1500).has(ID)).toBe(true);
    seen.forget(2001);
    expect(seen.nodes(2001).has(ID)).toBe(false);
    seen.take(announced(), 3000);
    seen.take(announced({ ttl: 0 }), 4000);
    seen.take(announced(), 4500);
    seen.forget(60_000);
    expect(seen.nodes(60_000).has(ID)).toBe(true);
  });

  test("is gone when its records have run out", () => {
    const seen = heard();
    seen.take(announced({ ttl: 120 }), 0);
    seen.forget(119_999);
    expect(seen.nodes(119_999).size).toBe(1);
    seen.forget(120_000);
    expect([seen.nodes(120_000).size, seen.size]).toEqual([0, 0]);
  });

  test("under two names is one node with both places", () => {
    const seen = heard();
    seen.take(announced(), 0);
    seen.take(announced({ name: "Lamp (2)", host: "lamp-2.local", addresses: ["10.0.0.9"] }), 0);
    expect(
      seen
        .nodes(0)
        .get(ID)
        ?.endpoints.map(({ address }) => address),
    ).toEqual(["10.0.0.7", "10.0.0.9"]);
  });

  test("is looked for on the hub's own network alone; other places are told of and counted once, however often they are said", () => {
    const refused: RefusedPlace[] = [];
    const seen = heard(undefined, refused);
    for (let at = 0; at < 10; at++) {
      seen.take(announced({ addresses: ["8.8.8.8", "10.0.0.7", "127.0.0.1"] }), at);
      expect(seen.nodes(at).get(ID)?.endpoints).toEqual([{ address: "10.0.0.7", port: 4000 }]);
    }
    const name = `Lamp.${SERVICE}`;
    expect(refused).toEqual([
      { name, address: "8.8.8.8", port: 4000, why: "offLink" },
      { name, address: "127.0.0.1", port: 4000, why: "offLink" },
    ]);
    expect(seen.ignored).toEqual({ offLink: 2 });
  });

  test("that says ever other places where no node may be is told of a few times", () => {
    const refused: RefusedPlace[] = [];
    const seen = heard(undefined, refused);
    for (let at = 0; at < 100; at++) {
      seen.take(announced({ addresses: [`8.8.8.${at}`] }), at);
      seen.nodes(at);
    }
    expect(refused).toHaveLength(8);
  });
});

describe("what a hostile network says", () => {
  test.each([
    ["another version", text("v=2", `id=${ID}`), "otherVersion"],
    ["no version", text(`id=${ID}`), "otherVersion"],
    ["no id", text("v=1"), "badId"],
    ["an id that is none", text("v=1", "id=02-50-4c-53-00-01"), "badId"],
    ["a way of securing that is not known", text("v=1", `id=${ID}`, "tls=none"), "otherSecurity"],
    ["a text that is no bytes", "v=1", "badTxt"],
    ["a text without end", text("v=1", `id=${ID}`, "x".repeat(1100)), "badTxt"],
  ])("%s: %j is refused by name", (_, data, reason) => {
    expect(readAnnouncement(data)).toBe(reason);
  });

  test("does not move the cursor of whoever reads the status", () => {
    const said = readAnnouncement(text("v=1", `id=${ID}`, "mo=\u001b[2JLa\u202emp\u0007"));
    expect(said).toMatchObject({ model: "[2JLamp" });
  });

  test("names with control characters, names of others and records of no sense are counted and left", () => {
    const seen = heard();
    seen.take(announced({ name: "La\u0007mp" }), 0);
    seen.take([{ name: SERVICE, type: "PTR", ttl: 120, flush: false, data: "_http._tcp.local" }], 0);
    seen.take([{ name: SERVICE, type: "PTR", ttl: 120, flush: false, data: SERVICE }], 0);
    seen.take(announced({ port: 0 }), 0);
    seen.take(announced({ addresses: ["ten"] }), 0);
    expect(seen.nodes(0).get(ID)?.endpoints ?? []).toEqual([]);
    expect(seen.ignored).toEqual({ badName: 3, badRecord: 2 });
  });

  test("thousands of names are not remembered, and push no wanted node out", () => {
    const seen = heard((edgeId) => edgeId === ID);
    seen.take(announced(), 0);
    for (let each = 0; each < 5000; each++) {
      const id = `02-00-00-00-${(each >> 8).toString(16).padStart(2, "0")}-${(each & 255).toString(16).padStart(2, "0")}`;
      seen.take(announced({ name: `n${each}`, id: id.toUpperCase(), host: `h${each}.local` }), 1 + each);
    }
    expect(seen.size).toBeLessThanOrEqual(512);
    expect(seen.nodes(5001).has(ID)).toBe(true);
    expect(seen.ignored.tooMany).toBe(5001 - 512);
    expect(seen.questions(5001).length).toBeLessThanOrEqual(16);
  });

  test("a thousand names of a node that is wanted leave room for the others", () => {
    const seen = heard(() => true);
    for (let each = 0; each < 1000; each++) seen.take(announced({ name: `n${each}` }), each);
    const other = "02-50-4C-53-00-02";
    seen.take(announced({ name: "Other", id: other, host: "other.local" }), 1000);
    expect([...seen.nodes(1000).keys()]).toEqual([ID, other]);
    expect(seen.size).toBe(512);
  });

  test("one packet of a thousand records, and a host of a hundred addresses, are cut short", () => {
    const seen = heard();
    const addresses = Array.from({ length: 100 }, (_, at) => `10.0.0.${at}`);
    seen.take(announced({ addresses }), 0);
    expect([seen.nodes(0).get(ID)?.endpoints.length, seen.ignored.tooManyAddresses]).toEqual([8, 92]);
    seen.take(
      Array.from({ length: 1000 }, (_, at) => announced({ name: `n${at}` })[0]).flatMap((each) => each ?? []),
      0,
    );
    expect(seen.size).toBeLessThanOrEqual(257);
  });

  test("any bytes whatsoever are an answer, a question or a bad packet", () => {
    const random = seededRandom(20);
    const good = dns.encode({
      type: "response",
      answers: [
        { name: SERVICE, type: "PTR", ttl: 120, data: `Lamp.${SERVICE}` },
        { name: `Lamp.${SERVICE}`, type: "TXT", ttl: 120, data: text("v=1", `id=${ID}`) },
        { name: `Lamp.${SERVICE}`, type: "SRV", ttl: 120, data: { target: "lamp.local", port: 1 } },
      ],
    });
    const seen = heard();
    for (let round = 0; round < 1000; round++) {
      const bytes = Buffer.from(good);
      for (let flip = 0; flip <= round % 8; flip++)
        bytes[Math.floor(random.fraction() * bytes.length)] = Math.floor(random.fraction() * 256);
      const records = answerOf(round % 3 === 0 ? Buffer.from(random.bytes(round % 300)) : bytes);
      if (Array.isArray(records)) seen.take(records, round);
    }
    seen.take(announced(), 1001);
    expect(seen.nodes(1001).get(ID)?.endpoints).toContainEqual({ address: "10.0.0.7", port: 4000 });
  });
});
