/** A node on real sockets: what only a second connection shows, with TLS and without. */
import { readFileSync } from "node:fs";
import { seededRandom, systemClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { openNetworkPort } from "../../simulator/links/network-port.ts";
import { connectTcp, connectTls } from "../../simulator/links/socket-link.ts";
import { SimulatedNode } from "../../simulator/node/simulated-node.ts";
import { DEFINITION } from "../../simulator/node/test-node.fixture.ts";
import { proveNode } from "./prove-node.ts";
import { ruleTexts } from "./rule.ts";

const texts = ruleTexts(readFileSync(new URL("../../../../docs/contract/device-protocol.md", import.meta.url), "utf8"));
const KEY = { identity: DEFINITION.edgeId, key: new Uint8Array(32).fill(7) };

test.each([
  ["plain TCP", undefined],
  ["TLS with the key that it shares", KEY],
] as const)("a second connection takes over and a closed one is no reboot, over %s", async (_, psk) => {
  await using node = SimulatedNode.start({ clock: systemClock, random: seededRandom(1), definition: DEFINITION });
  const opened = await openNetworkPort({ address: "127.0.0.1", port: 0, psk }, (link) => node.attach(link));
  const place = { host: "127.0.0.1", port: opened.port };
  const connect = () => (psk ? connectTls(place, psk) : connectTcp(place));
  const proof = {
    clock: systemClock,
    random: seededRandom(2),
    jitter: 1000,
    where: "here",
    texts,
    only: ["F5", "L5", "L6"],
  };
  const report = await proveNode({ ...proof, link: await connect(), connect });
  opened.close();
  expect(report.results.map(({ id, verdict }) => [id, verdict.kind])).toEqual([
    ["L5", "pass"],
    ["L6", "pass"],
    ["F5", "pass"],
  ]);
});

test("a board with another key is not reached", async () => {
  await using node = SimulatedNode.start({ clock: systemClock, random: seededRandom(1), definition: DEFINITION });
  const opened = await openNetworkPort({ address: "127.0.0.1", port: 0, psk: KEY }, (link) => node.attach(link));
  const wrong = { ...KEY, key: new Uint8Array(32).fill(8) };
  await expect(connectTls({ host: "127.0.0.1", port: opened.port }, wrong)).rejects.toThrow();
  opened.close();
});
