import { VirtualClock } from "@porchlight/shared/kernel";
import dns from "dns-packet";
import { beforeEach, expect, test } from "vitest";
import { type AnnouncedNode, NodeAnnouncement } from "./announcer.ts";

const NODE: AnnouncedNode = { edgeId: "02-50-4C-53-00-01", model: "Lamp", port: 4000, tls: true };
const SERVICE = "_porchlight._tcp.local";
const HOST = "porchlight-02-50-4c-53-00-01-4000.local";

let clock: VirtualClock;
let sent: dns.Packet[];
const start = (node = NODE) =>
  new NodeAnnouncement(node, {
    address: "127.0.0.1",
    clock,
    send: (packet, done) => {
      sent.push(dns.decode(packet));
      done();
    },
  });
/** What the library sends, it sends in the next tick. */
const saying = () => new Promise<void>((resolve) => setImmediate(resolve));
const records = () => sent.splice(0).flatMap(({ answers = [] }) => answers);
const brief = (record: dns.Answer) => [record.type, record.name, "ttl" in record && record.ttl !== 0];
beforeEach(() => {
  clock = new VirtualClock();
  sent = [];
});

test("a node is announced with its place, TXT record and the address of its interface alone, which replace what was known", async () => {
  const { instance } = start();
  await saying();
  const stated = records();
  expect(stated.map((record) => [record.type, record.name, "flush" in record && record.flush])).toEqual([
    ["PTR", SERVICE, false],
    ["SRV", instance, true],
    ["TXT", instance, true],
    ["PTR", "_services._dns-sd._udp.local", false],
    ["A", HOST, true],
  ]);
  expect(stated.at(-1)).toMatchObject({ data: "127.0.0.1" });
  const text = stated.find(({ type }) => type === "TXT");
  expect(text && "data" in text && [text.data].flat().map(String)).toEqual([
    ...["v=1", `id=${NODE.edgeId}`, "mo=Lamp", "tls=psk"],
  ]);
});

test.each([
  ["its type", SERVICE, "PTR"],
  ["itself", `PORCHLIGHT ${NODE.edgeId} at 4000.${SERVICE}`, "SRV"],
  ["its host", HOST.toUpperCase(), "A"],
] as const)("a question about %s is answered with its place and address", async (_, name, type) => {
  const node = start();
  await saying();
  await clock.advance(100);
  sent.splice(0);
  node.asked([{ name, type }]);
  await saying();
  expect(records().map(brief)).toEqual(
    expect.arrayContaining([
      ["SRV", node.instance, true],
      ["A", HOST, true],
    ]),
  );
});

test("a question about others is not answered, and a hundred questions get ten answers a second", async () => {
  const node = start();
  await saying();
  await clock.advance(100);
  sent.splice(0);
  node.asked([{ name: "_http._tcp.local", type: "PTR" }]);
  await saying();
  expect(sent).toEqual([]);
  for (let times = 0; times < 100; times++) {
    node.asked(Array.from({ length: 64 }, () => ({ name: SERVICE, type: "PTR" })));
    await saying();
    await clock.advance(10);
  }
  expect(sent).toHaveLength(10);
});

test("a goodbye takes back the node and not its type, and is its last packet", async () => {
  const node = start();
  await saying();
  await clock.advance(100);
  sent.splice(0);
  await node.withdraw();
  expect(records().map(brief)).toEqual([
    ["PTR", SERVICE, false],
    ["SRV", node.instance, false],
    ["TXT", node.instance, false],
    ["A", HOST, false],
  ]);
  node.asked([{ name: SERVICE, type: "PTR" }]);
  await saying();
  expect(sent).toEqual([]);
});

test("a node that is forgotten sends no goodbye, and another of its type goes on answering", async () => {
  const [gone, stays] = [start(), start({ ...NODE, port: 4001 })];
  await saying();
  await clock.advance(100);
  sent.splice(0);
  gone.forget();
  for (const node of [gone, stays]) node.asked([{ name: SERVICE, type: "PTR" }]);
  await saying();
  expect(records().flatMap((record) => (record.type === "SRV" ? [record.name] : []))).toEqual([stays.instance]);
});
