/** A node of the network on real sockets of loopback: TCP, TLS with its key, and its announcement by multicast DNS. */
import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { systemClock } from "@porchlight/shared/kernel";
import dns from "dns-packet";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { NodeDefinition } from "./devices/definition.ts";
import { socketLink } from "./links/socket-link.ts";
import { DEFINITION, ScriptedHub } from "./node/test-node.fixture.ts";
import { Ports } from "./open-port.ts";
import { Simulator } from "./simulator.ts";

/** Others may announce on this machine's loopback at the same time. */
const OWN = [process.pid >> 8, process.pid].map((byte) => (byte & 255).toString(16).padStart(2, "0").toUpperCase());
const NODE = `02-50-4C-${OWN.join("-")}-09`;
const KEY = Buffer.alloc(16, 7);
const GROUP = "224.0.0.251";

const stack: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of stack.splice(0).reverse()) await undo();
});

async function started(network: Partial<NodeDefinition["network"]> = {}) {
  const ports = new Ports({ clock: systemClock, address: "127.0.0.1" });
  const definition = { ...DEFINITION, edgeId: NODE, network: { port: 0, announce: true, ...network } };
  const simulator = await Simulator.start({
    clock: systemClock,
    seed: 1,
    definitions: [definition],
    openPort: (node, attach, port) => ports.open(node, attach, port),
  });
  const stop = async () => {
    await ports[Symbol.asyncDispose]();
    await simulator[Symbol.asyncDispose]();
  };
  stack.push(stop);
  const port = () => simulator.nodes[0]?.port?.port ?? 0;
  return { simulator, port, stop };
}

function tcp(port: number): ScriptedHub {
  const socket = connect({ port, host: "127.0.0.1" });
  stack.push(() => socket.destroy());
  return new ScriptedHub(socketLink(socket), systemClock);
}

function tls(port: number, key: Buffer): Promise<ScriptedHub> {
  const socket = connectTls({
    port,
    host: "127.0.0.1",
    ciphers: "TLS_AES_128_GCM_SHA256:PSK-AES128-GCM-SHA256",
    checkServerIdentity: () => undefined,
    pskCallback: () => ({ psk: key, identity: NODE }),
  });
  stack.push(() => socket.destroy());
  return new Promise((resolve, reject) => {
    socket.once("secureConnect", () => resolve(new ScriptedHub(socketLink(socket), systemClock)));
    socket.once("error", reject).once("close", () => reject(new Error("closed")));
  });
}

const greeted = (hub: ScriptedHub) => expect.poll(() => hub.last("HELLO").info.id).toBe(NODE);

describe("a node of the network", () => {
  test("greets every hub that connects, and serves the newer one after its first good frame", async () => {
    const { simulator, port } = await started();
    const first = tcp(port());
    await greeted(first);
    await first.acknowledge();
    await expect.poll(() => simulator.nodes[0]?.node.state).toBe("live");
    const second = tcp(port());
    await second.say({ type: "WHO", seq: 1 });
    await greeted(second);
    await expect.poll(() => first.closed).toBeDefined();
  });

  test("with a key speaks TLS to all who has it, and to no one else", async () => {
    const { port } = await started({ psk: KEY });
    await greeted(await tls(port(), KEY));
    await expect(tls(port(), Buffer.alloc(16))).rejects.toThrow();
    const bare = tcp(port());
    await bare.say({ type: "WHO", seq: 1 }).catch(() => undefined);
    await expect.poll(() => bare.closed).toBeDefined();
    expect(bare.heard).toEqual([]);
  });

  test("vanishes with every connection when it is unplugged, and is back at the same port; it moves to another", async () => {
    const { simulator, port } = await started();
    const before = port();
    const hub = tcp(before);
    await greeted(hub);
    simulator.unplug(NODE);
    await expect.poll(() => hub.closed).toBeDefined();
    expect(await simulator.plug(NODE)).toBe(`tcp 127.0.0.1:${before}`);
    await greeted(tcp(before));
    expect(await simulator.move(NODE)).not.toBe(`tcp 127.0.0.1:${before}`);
    await greeted(tcp(port()));
  });
});

describe("what is reported of it", () => {
  let heard: dns.Answer[];
  let ask: (name: string) => void;
  beforeEach(async () => {
    heard = [];
    const socket = createSocket({ type: "udp4", reuseAddr: true });
    stack.push(() => socket.close());
    socket.on("message", (bytes) => {
      const { answers = [] } = dns.decode(bytes);
      if (JSON.stringify(answers).includes(NODE)) heard.push(...answers);
    });
    await new Promise<void>((resolve) => socket.bind(5353, resolve));
    socket.addMembership(GROUP, "127.0.0.1");
    socket.setMulticastInterface("127.0.0.1");
    ask = (name) => socket.send(dns.encode({ type: "query", questions: [{ name, type: "PTR" }] }), 5353, GROUP);
  });

  const text = () =>
    heard.flatMap((record) => (record.type === "TXT" ? [[record.data].flat().map(String)] : [])).at(-1);
  const places = () => heard.flatMap((record) => (record.type === "SRV" ? [record.data.port] : []));
  const isGone = () => heard.some((record) => record.type === "SRV" && record.ttl === 0);

  test("is its id, model, port and whether it wants TLS; its end is announced before its port closes", async () => {
    const { port, stop } = await started({ psk: KEY });
    await expect.poll(() => places()).toContain(port());
    expect(text()).toEqual(["v=1", `id=${NODE}`, "tls=psk"]);
    await stop();
    await expect.poll(() => isGone()).toBe(true);
  });

  test("is sent again to each question, and when it has moved", async () => {
    const { simulator, port } = await started();
    await expect.poll(() => places().length).toBeGreaterThan(0);
    await simulator.move(NODE);
    await expect.poll(() => places().at(-1)).toBe(port());
    simulator.say(NODE, "withdraw");
    await expect.poll(() => isGone()).toBe(true);
    simulator.say(NODE, "announce");
    heard = [];
    await expect
      .poll(() => {
        ask("_porchlight._tcp.local");
        return places();
      })
      .toContain(port());
  });

  test("is nothing when it must not be announced", async () => {
    const { simulator } = await started({ announce: false });
    ask("_porchlight._tcp.local");
    simulator.say(NODE, "announce");
    await expect.poll(() => places().length).toBeGreaterThan(0);
    // The question came first, and got no answer.
    expect(heard.filter(({ type }) => type === "SRV")).toHaveLength(1);
  });
});
