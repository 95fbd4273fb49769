/** Multicast DNS with real sockets, on loopback. Others may use it there at the same time: what is waited for has a name of its own. */
import { createSocket, type Socket } from "node:dgram";
import { networkInterfaces } from "node:os";
import dns from "dns-packet";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findInterface, type MdnsRecord, type MdnsSocket, openMdnsSocket } from "./mdns-socket.ts";

const NAME = `lamp-${process.pid}.local`;
const GROUP = "224.0.0.251";
vi.setConfig({ testTimeout: 60_000 });

let hub: MdnsSocket;
let ignored: string[];
let heard: MdnsRecord[];
let wake: () => void;
/** Settles once `check` is so, looked at after each packet that the hub receives. */
async function hears(check: () => boolean): Promise<void> {
  while (!check()) await new Promise<void>((resolve) => (wake = resolve));
}

const sockets: Socket[] = [];
/** Another host on the network, at a port of the machine. */
async function neighbour(port: number, onMessage: (bytes: Buffer) => void = () => undefined): Promise<Socket> {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  sockets.push(socket);
  socket.on("message", onMessage);
  await new Promise<void>((resolve) => socket.bind(port, resolve));
  socket.addMembership(GROUP, "127.0.0.1");
  socket.setMulticastInterface("127.0.0.1");
  return socket;
}

beforeEach(async () => {
  [ignored, heard, wake] = [[], [], () => undefined];
  const on = findInterface("127.0.0.1", networkInterfaces());
  if (!on) throw new Error("this machine has no loopback interface");
  hub = await openMdnsSocket(on, {
    answer: (records) => {
      heard.push(...records.filter(({ name }) => name === NAME));
      wake();
    },
    ignored: (what) => {
      ignored.push(what);
      wake();
    },
    failed: (reason) => expect.unreachable(reason),
  });
});
afterEach(() => {
  hub[Symbol.dispose]();
  for (const socket of sockets.splice(0)) socket.close();
});

const answer = dns.encode({
  type: "response",
  answers: [{ name: NAME, type: "A", ttl: 120, flush: true, data: "127.0.0.1" }],
});

test("an answer to the group is heard, record by record", async () => {
  (await neighbour(5353)).send(answer, 5353, GROUP);
  await hears(() => heard.length > 0);
  expect(heard[0]).toEqual({ name: NAME, type: "A", ttl: 120, flush: true, data: "127.0.0.1" });
});

test("what comes from another port, or is no packet, is counted by its name and not heard", async () => {
  (await neighbour(0)).send(answer, 5353, GROUP);
  await hears(() => ignored.includes("foreignPackets"));
  (await neighbour(5353)).send(Buffer.from("not a packet"), 5353, GROUP);
  await hears(() => ignored.includes("badPackets"));
  expect(heard).toEqual([]);
});

test("a question goes to the group, and a closed socket asks nothing", async () => {
  const asked = Promise.withResolvers<dns.Question>();
  await neighbour(5353, (bytes) => {
    const [question] = dns.decode(bytes).questions ?? [];
    if (question?.name === NAME) asked.resolve(question);
  });
  hub.ask([{ name: NAME, type: "SRV" }]);
  expect(await asked.promise).toMatchObject({ name: NAME, type: "SRV" });
  hub[Symbol.dispose]();
  hub[Symbol.dispose]();
  hub.ask([{ name: NAME, type: "SRV" }]);
});
