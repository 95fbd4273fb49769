/**
 * How bonjour-service 1.4.4 announces by itself, where that is not what a simulator of homes needs: each shortfall of docs/adr/0024 with its
 * proof. A test that fails after an update says that the library does better now, and that what we put around it may go.
 */
import { EventEmitter } from "node:events";
import os from "node:os";
import Bonjour from "bonjour-service";
import dns from "dns-packet";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const SERVICE = "_porchlight._tcp.local";
const ALL_SERVICES = "_services._dns-sd._udp.local";
const ETHERNET = { address: "10.0.0.1", family: "IPv4", mac: "02:00:00:00:00:01", internal: false };

class SeenSocket extends EventEmitter {
  readonly sent: dns.Packet[] = [];

  send(packet: Buffer, ...rest: unknown[]): void {
    this.sent.push(dns.decode(packet));
    const done = rest.at(-1);
    if (typeof done === "function") done();
  }

  close(): void {}

  ask(name: string, type: dns.RecordType): void {
    this.emit("message", dns.encode({ type: "query", questions: [{ name, type }] }), { address: "8.8.8.8", port: 53 });
  }

  get records() {
    return this.sent.flatMap(({ answers = [], additionals = [] }) => [...answers, ...additionals]);
  }
}

let socket: SeenSocket;
let bonjour: Bonjour;
let interfaces: Record<string, object[]>;
beforeEach(() => {
  socket = new SeenSocket();
  interfaces = { eth0: [ETHERNET] };
  vi.spyOn(os, "networkInterfaces").mockImplementation(() => interfaces as ReturnType<typeof os.networkInterfaces>);
  const over = { type: "udp4", multicast: false, bind: false, socket };
  bonjour = new Bonjour(over);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const publish = (name: string, probe = false) => bonjour.publish({ name, type: "porchlight", port: 4000, probe });
/** What the library sends, it sends in the next tick. */
const sent = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a service has the addresses of all interfaces, and none on loopback", async () => {
  interfaces.wlan0 = [{ ...ETHERNET, address: "10.1.0.1" }];
  interfaces.lo = [{ ...ETHERNET, address: "127.0.0.1", internal: true }];
  publish("lamp");
  await sent();
  expect(socket.records.flatMap((each) => (each.type === "A" ? [each.data] : []))).toEqual(["10.0.0.1", "10.1.0.1"]);
});

test("no report replaces what was known", async () => {
  publish("lamp");
  await sent();
  expect(socket.records.map((record) => "flush" in record && record.flush)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("one service that is taken back takes its type and the others of it along", async () => {
  const first = publish("first");
  publish("second");
  await sent();
  socket.sent.splice(0);
  first.stop();
  await sent();
  expect(socket.records).toContainEqual(expect.objectContaining({ name: ALL_SERVICES, ttl: 0 }));
  socket.sent.splice(0);
  socket.ask(SERVICE, "PTR");
  await sent();
  expect(socket.sent).toEqual([]);
});

test("every question is answered, from any port and as often as asked", async () => {
  publish("lamp");
  await sent();
  socket.sent.splice(0);
  for (let times = 0; times < 100; times++) socket.ask(SERVICE, "PTR");
  await sent();
  expect(socket.sent).toHaveLength(100);
});

test("a name that is in use is a word on the console, and nothing that a program hears", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stated = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const service = publish("lamp", true);
  const heard: string[] = [];
  for (const event of ["up", "error", "down"]) service.on(event, () => heard.push(event));
  vi.advanceTimersByTime(250);
  await sent();
  const answers: dns.Answer[] = [{ name: `lamp.${SERVICE}`, type: "SRV", data: { target: "other.local", port: 1 } }];
  socket.emit("message", dns.encode({ type: "response", answers }), { address: "10.0.0.9", port: 5353 });
  await sent();
  vi.advanceTimersByTime(2000);
  await sent();
  expect([heard, stated.mock.calls.flat().map(String)]).toEqual([
    [],
    ["Error: Service name is already in use on the network"],
  ]);
});
