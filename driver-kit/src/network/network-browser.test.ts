import { type Log, seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { beforeEach, describe, expect, test } from "vitest";
import type { HomeInterface, MdnsListener, MdnsQuestion } from "./mdns-socket.ts";
import { NetworkBrowser } from "./network-browser.ts";

const INTERFACE: HomeInterface = {
  name: "eth0",
  address: "10.0.0.1",
  isOnLink: () => true,
  place: (address) => ({ kind: "onLink", address }),
};

let clock: VirtualClock;
let logged: string[];
let found: HomeInterface | undefined;
/** Each socket that was opened, with what was asked on it. */
let sockets: { readonly asked: MdnsQuestion[][]; isOpen: boolean; readonly listener: MdnsListener }[];
let network: NetworkBrowser;
beforeEach(() => {
  [clock, logged, found, sockets] = [new VirtualClock(), [], INTERFACE, []];
  const say = (_fields: unknown, message: string) => void logged.push(message);
  const log: Log = { ...silentLog, warn: say, error: say };
  network = new NetworkBrowser({
    ...{ clock, log, random: seededRandom(1) },
    findInterface: () => found,
    open: async (_on, listener) => {
      const socket: (typeof sockets)[number] = { asked: [], isOpen: true, listener };
      sockets.push(socket);
      return {
        ask: (questions) => void socket.asked.push([...questions]),
        [Symbol.dispose]: () => {
          socket.isOpen = false;
        },
      };
    },
  });
});

const nothing = () => undefined;
const open = () => sockets.filter(({ isOpen }) => isOpen);
const pointers = (questions: readonly MdnsQuestion[] = []) =>
  questions.flatMap(({ name, type }) => (type === "PTR" ? [name] : []));

/** A device says that it has a service, and what follows has happened. */
async function announce(name: string, type: string, address = "10.0.0.7"): Promise<void> {
  const service = `${type}.local`;
  const fqdn = `${name}.${service}`;
  open()[0]?.listener.answer([
    { name: service, type: "PTR", ttl: 120, flush: false, data: fqdn },
    { name: fqdn, type: "SRV", ttl: 120, flush: true, data: { target: `${name}.local`, port: 80 } },
    { name: fqdn, type: "TXT", ttl: 120, flush: true, data: [Buffer.from("gen=2")] },
    { name: `${name}.local`, type: "A", ttl: 120, flush: true, data: address },
  ]);
  await clock.advance(200);
}

describe("the browser of a home's network", () => {
  test("has a socket while a driver is subscribed, one for all types, and asks for all of them in one packet", async () => {
    expect(sockets).toEqual([]);
    const shelly = network.services("_shelly._tcp").subscribe(nothing);
    await clock.advance(0);
    const hue = network.services("_hue._tcp").subscribe(nothing);
    await clock.advance(120_000);
    expect(open()).toHaveLength(1);
    const asked = open()[0]?.asked.map(pointers) ?? [];
    expect([asked[0], asked[1], asked.at(-1)]).toEqual([
      ["_shelly._tcp.local"],
      ["_shelly._tcp.local", "_hue._tcp.local"],
      ["_shelly._tcp.local", "_hue._tcp.local"],
    ]);
    shelly[Symbol.dispose]();
    await clock.advance(60_000);
    expect(pointers(open()[0]?.asked.at(-1))).toEqual(["_hue._tcp.local"]);
    hue[Symbol.dispose]();
    hue[Symbol.dispose]();
    expect([open(), network.status().listening, clock.pending()]).toEqual([[], false, []]);
    network.services("_hue._tcp").subscribe(nothing);
    await clock.advance(0);
    expect([open().length, sockets.length]).toEqual([1, 2]);
  });

  test("notifies each driver of its own type, and lists what is announced with an address", async () => {
    const notified = { shelly: 0, hue: 0 };
    const shelly = network.services("_shelly._tcp");
    shelly.subscribe(() => void notified.shelly++);
    network.services("_hue._tcp").subscribe(() => void notified.hue++);
    await clock.advance(0);
    const before = { ...notified };
    await announce("plug", "_shelly._tcp");
    await announce("plug", "_shelly._tcp");
    expect([notified.shelly - before.shelly, notified.hue - before.hue]).toEqual([1, 0]);
    expect(shelly.current()).toEqual([
      { instance: "plug", address: "10.0.0.7", port: 80, txt: expect.objectContaining({ gen: "2" }) },
    ]);
    expect(network.services("_hue._tcp").current()).toEqual([]);
  });

  test("removes a withdrawn service after a second, and what has run out, also between two rounds of questions", async () => {
    const shelly = network.services("_shelly._tcp");
    shelly.subscribe(nothing);
    await clock.advance(600_000);
    await announce("plug", "_shelly._tcp");
    await announce("lamp", "_shelly._tcp");
    const fqdn = "plug._shelly._tcp.local";
    open()[0]?.listener.answer([{ name: "_shelly._tcp.local", type: "PTR", ttl: 0, flush: false, data: fqdn }]);
    await clock.advance(900);
    expect(shelly.current()).toHaveLength(2);
    await clock.advance(200);
    expect(shelly.current().map(({ instance }) => instance)).toEqual(["lamp"]);
    await clock.advance(118_000);
    expect(shelly.current()).toHaveLength(1);
    await clock.advance(1000);
    expect(shelly.current()).toEqual([]);
  });

  test("does not list what has no address that the hub may connect to", async () => {
    found = { ...INTERFACE, place: () => ({ kind: "refused", why: "offLink" }) };
    const shelly = network.services("_shelly._tcp");
    shelly.subscribe(nothing);
    await clock.advance(0);
    await announce("plug", "_shelly._tcp");
    expect([shelly.current(), shelly.announced().length, shelly.ignored()]).toEqual([[], 1, { offLink: 1 }]);
    expect(logged).toEqual([
      "a device is announced at an address to which the hub does not connect; the announcement is ignored",
    ]);
  });

  test("keeps what it knows when its socket fails, and what a failing driver does from the others", async () => {
    let notified = 0;
    const shelly = network.services("_shelly._tcp");
    shelly.subscribe(() => {
      throw new Error("broken");
    });
    shelly.subscribe(() => void notified++);
    await clock.advance(0);
    await announce("plug", "_shelly._tcp");
    expect(notified).toBeGreaterThan(0);
    open()[0]?.listener.failed("ENETDOWN");
    expect(network.status()).toMatchObject({ listening: false, problem: "ENETDOWN" });
    await clock.advance(1000);
    expect([network.status().problem, shelly.current().length]).toEqual([undefined, 1]);
  });

  test("closes a socket that opens when no driver is subscribed any more", async () => {
    network.services("_shelly._tcp").subscribe(nothing)[Symbol.dispose]();
    await settle();
    expect([sockets.length, open().length]).toEqual([1, 0]);
  });

  test("waits for an interface while there is none, and looks for nothing when it is stopped", async () => {
    found = undefined;
    const subscription = network.services("_shelly._tcp").subscribe(nothing);
    expect(network.status().problem).toBe("there is no such interface, or it has no address");
    found = INTERFACE;
    await clock.advance(60_000);
    expect([network.status().problem, open().length]).toEqual([undefined, 1]);
    subscription[Symbol.dispose]();
    expect(clock.pending()).toEqual([]);
  });

  test("asks soon for what was announced without its place, in a home where it is alone with its type", async () => {
    network.services("_shelly._tcp").subscribe(nothing);
    await clock.advance(0);
    const name = "Lamp 2.0._shelly._tcp.local";
    open()[0]?.listener.answer([{ name: "_shelly._tcp.local", type: "PTR", ttl: 120, flush: false, data: name }]);
    await clock.advance(200);
    expect(open()[0]?.asked.at(-1)).toEqual([
      { name, type: "SRV" },
      { name, type: "TXT" },
    ]);
  });
});

describe("what may keep announcements from the hub", () => {
  const trouble = () => network.services("_shelly._tcp").trouble()?.why;

  test("is none at first, and `nothing_announced` when no announcement has come for five minutes", async () => {
    using _ = network.services("_shelly._tcp").subscribe(nothing);
    await clock.advance(299_000);
    expect(trouble()).toBeUndefined();
    await clock.advance(2000);
    expect(trouble()).toBe("nothing_announced");
    await announce("a printer", "_ipp._tcp");
    expect(trouble(), "any sender shows that multicast is not blocked").toBeUndefined();
  });

  test("is that there is no interface, or no socket", async () => {
    found = undefined;
    using _ = network.services("_shelly._tcp").subscribe(nothing);
    await settle();
    expect(network.services("_shelly._tcp").trouble()).toMatchObject({
      why: "cannot_listen",
      says: "The hub cannot look for devices on the network: there is no such interface, or it has no address.",
    });
    found = INTERFACE;
    await clock.advance(60_000);
    expect(trouble()).toBeUndefined();
  });

  test("is not known while no driver looks for devices", async () => {
    await clock.advance(600_000);
    expect(trouble()).toBeUndefined();
  });
});
