/**
 * What bonjour-service 1.4.4 does by itself, where that is not what a hub needs: each shortfall of docs/adr/0024 with its proof. A test that
 * fails after an update says that the library does better now, and that what we put around it may go.
 */
import { EventEmitter } from "node:events";
import Bonjour, { Browser } from "bonjour-service";
import dns from "dns-packet";
import { afterEach, describe, expect, test, vi } from "vitest";

const TYPE = "_shelly._tcp.local";
afterEach(() => void vi.useRealTimers());

interface Announcement {
  readonly name?: string;
  readonly port?: number;
  readonly address?: string;
  readonly txt?: readonly string[];
  readonly ttl?: number;
}

function recordsOf({ name = "Lamp", port = 80, address = "10.0.0.7", txt = ["gen=2"], ttl = 120 }: Announcement) {
  const fqdn = `${name}.${TYPE}`;
  return {
    pointer: { name: TYPE, type: "PTR", ttl, data: fqdn },
    place: { name: fqdn, type: "SRV", ttl, data: { target: "lamp.local", port } },
    text: { name: fqdn, type: "TXT", ttl, data: txt.map((each) => Buffer.from(each)) },
    address: { name: "lamp.local", type: "A", ttl, data: address },
  };
}

/** The library's browser on a network that says what the test says. */
class Network extends EventEmitter {
  readonly asked: string[] = [];
  readonly browser = new Browser(this, { type: "shelly" });
  readonly changes: string[] = [];

  constructor() {
    super();
    for (const what of ["up", "down", "srv-update", "txt-update"] as const)
      this.browser.on(what, ({ fqdn }: { fqdn: string }) => this.changes.push(`${what} ${fqdn}`));
  }

  query(name: string, type: string): void {
    // The browser asks while it is made.
    this.asked?.push(`${type} ${name}`);
  }

  say(changes: Announcement = {}): void {
    this.hear(Object.values(recordsOf(changes)));
  }

  hear(answers: readonly object[]): void {
    this.emit("response", { answers, additionals: [] });
  }

  get services() {
    return this.browser.services;
  }
}

describe("the browser of bonjour-service by itself", () => {
  test("does not list a service whose records come in several packets, and does not ask for what is missing", () => {
    const network = new Network();
    for (const record of Object.values(recordsOf({}))) network.hear([record]);
    expect([network.services, network.asked]).toEqual([[], ["PTR _shelly._tcp.local"]]);
  });

  test("asks when it starts, and never again", () => {
    vi.useFakeTimers();
    const network = new Network();
    vi.advanceTimersByTime(3_600_000);
    expect(network.asked).toHaveLength(1);
  });

  test("does not see that a service has moved to another address", () => {
    const network = new Network();
    network.say({ address: "10.0.0.7" });
    network.say({ address: "10.0.0.8" });
    expect(network.services.map(({ addresses }) => addresses)).toEqual([["10.0.0.7"]]);
    expect(network.changes).toEqual([`up Lamp.${TYPE}`]);
  });

  test("lets nothing expire before it is called upon, and then by the wall clock", () => {
    vi.useFakeTimers({ now: 0 });
    const network = new Network();
    network.say({ ttl: 120 });
    vi.setSystemTime(86_400_000);
    expect(network.services).toHaveLength(1);
    network.browser.expire();
    expect(network.services).toHaveLength(0);
  });

  test("lets a service expire that has been heard again in time", () => {
    vi.useFakeTimers({ now: 0 });
    const network = new Network();
    for (const seconds of [0, 60, 120, 121]) {
      vi.setSystemTime(seconds * 1000);
      network.say({ ttl: 120 });
    }
    network.browser.expire();
    expect(network.services).toHaveLength(0);
  });

  test("takes a service off at its goodbye, before its second to say otherwise has passed", () => {
    const network = new Network();
    network.say();
    network.say({ ttl: 0 });
    network.say();
    expect(network.changes).toEqual(["up", "down", "up"].map((what) => `${what} Lamp.${TYPE}`));
  });

  test("keeps as many services as anybody cares to announce", () => {
    const network = new Network();
    for (let each = 0; each < 2000; each++) network.say({ name: `n${each}` });
    expect(network.services).toHaveLength(2000);
  });

  test("lists names with control characters, ports that are none, and texts for addresses", () => {
    const network = new Network();
    network.say({ name: "La\u001b[2Jmp", port: 0, address: "ten" });
    expect(network.services[0]).toMatchObject({ name: "La\u001b[2Jmp", port: 0, addresses: ["ten"] });
  });

  test("cuts a name at its first dot, and does not list one that begins with a dot", () => {
    const network = new Network();
    network.say({ name: "Lamp 2.0" });
    network.say({ name: ".Lamp" });
    expect(network.services.map(({ name, type }) => [name, type])).toEqual([["Lamp 2", "0"]]);
  });

  test.each([
    ["keeps the last of two equal keys", ["v=1", "v=2"], { v: "2" }],
    ["takes keys that differ in case for two", ["Gen=2"], { Gen: "2" }],
    ["takes the = of an empty value for a part of the key", ["a="], { "a=": undefined }],
    ["cuts a value at a line break", ["a=b\nc"], { a: "b" }],
    ["loses a key that is called __proto__", ["__proto__=1", "a=b"], { a: "b" }],
    ["leaves out a key of one letter", ["a"], {}],
  ])("%s in a TXT record", (_, txt, expected) => {
    const network = new Network();
    network.say({ txt });
    expect(network.services[0]?.txt).toEqual(expected);
  });

  test("does not see a TXT record change behind what it reads of it", () => {
    const network = new Network();
    network.say({ txt: ["a=b\nc"] });
    network.say({ txt: ["a=b\nd"] });
    expect(network.services[0]).toMatchObject({ rawTxt: [Buffer.from("a=b\nc")] });
  });
});

/** A socket of which it is seen what becomes of it. */
class SeenSocket extends EventEmitter {
  readonly calls: unknown[][] = [];
  readonly bind = (...args: unknown[]) => void this.calls.push(["bind", ...args.slice(0, 2)]);
  readonly addMembership = (group: string, on: string) => void this.calls.push(["join", group, on]);
  readonly setMulticastInterface = () => undefined;
  readonly setMulticastTTL = () => undefined;
  readonly setMulticastLoopback = () => undefined;
  readonly dropMembership = () => undefined;
  readonly send = () => undefined;
  readonly close = () => undefined;
  readonly address = () => ({ port: 5353 });
}

const LISTENING = { type: "udp4", multicast: false, bind: false };

describe("the multicast DNS below bonjour-service by itself", () => {
  test("receives from every sender to the socket, from any network and any port", () => {
    const options = { ...LISTENING, socket: new SeenSocket() };
    const found = new Bonjour(options).find({ type: "shelly" });
    const packet = dns.encode({ type: "response", answers: Object.values(recordsOf({})) as dns.Answer[] });
    options.socket.emit("message", packet, { address: "8.8.8.8", port: 4711, family: "IPv4", size: packet.length });
    expect(found.services).toHaveLength(1);
  });

  test("binds to the given interface, where Linux keeps from it what is sent to the group", () => {
    const socket = new SeenSocket();
    const bonjour = new Bonjour({ ...{ type: "udp4", interface: "10.0.0.1" }, ...{ socket } });
    expect(socket.calls).toEqual([["bind", 5353, "10.0.0.1"]]);
    bonjour.destroy();
  });

  test("throws a failure of its socket where no caller can catch it", () => {
    const options = { ...LISTENING, socket: new SeenSocket() };
    new Bonjour(options);
    const inUse = Object.assign(new Error("the port is in use"), { code: "EADDRINUSE" });
    expect(() => options.socket.emit("error", inUse)).toThrow("the port is in use");
  });

  test("asks about another name when there is a dot in one", () => {
    const bytes = dns.encode({ type: "query", questions: [{ name: `Lamp 2.0.${TYPE}`, type: "SRV" }] });
    expect(bytes.subarray(12, 22).toString("latin1")).toBe("\u0006Lamp 2\u00010\u0007");
  });
});
