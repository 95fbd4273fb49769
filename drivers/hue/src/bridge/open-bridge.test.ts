import { systemClock } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { capturedResources } from "../bridge-capture.fixture.ts";
import { MemoryBridge } from "../memory-bridge.fixture.ts";
import { BridgeBusy, CertificateRefused, KeyRefused, SoftwareTooOld } from "./bridge-failures.ts";
import { ownCertificate, signedCertificate } from "./certificates.fixture.ts";
import { pairingByHttps } from "./https-client.ts";
import { BridgeSetup, HueServer } from "./hue-server.fixture.ts";
import { openByHttps } from "./open-bridge.ts";
import { NoBridge } from "./pair-bridge.ts";

const ID = "001788FFFEAABBCC";
const KEY = "the key of this hub";
const SIGNED = signedCertificate(ID);
const OWN = ownCertificate(ID);

/** A bridge on loopback, and what it keeps. */
async function bridgeWith(certificate: typeof OWN) {
  const setup = new BridgeSetup(ID);
  setup.keys.add(KEY);
  const memory = new MemoryBridge(systemClock, capturedResources());
  const server = await HueServer.start({ setup, memory, certificate });
  return { setup, memory, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

type Bridge = Awaited<ReturnType<typeof bridgeWith>>;

const open = ({ server }: Bridge, { key = KEY, pinned }: { key?: string; pinned?: string } = {}) => {
  const heard: unknown[] = [];
  const next = Promise.withResolvers<void>();
  const take = (message: unknown) => {
    heard.push(message);
    next.resolve();
  };
  const paired = { address: server.address, known: { bridgeId: ID, pinned }, key, roots: [SIGNED.root] };
  const opened = openByHttps(paired)(take, new AbortController().signal);
  return { opened, heard, next: next.promise };
};

describe("a bridge over HTTPS", () => {
  it("is read, set, and followed, on the certificate that its maker signed", async () => {
    await using bridge = await bridgeWith(SIGNED);
    const { opened, heard, next } = open(bridge);
    await using connection = await opened;
    const on = { on: { on: true } };
    expect(await connection.request("PUT", "/light/light-ceiling", on)).toEqual({
      ...{ status: 200, json: { errors: [], data: [{ rid: "light-ceiling", rtype: "light" }] } },
    });
    await next;
    expect(heard).toMatchObject([[{ type: "update", data: [{ id: "light-ceiling", type: "light", ...on }] }]]);
    expect(bridge.server.asked).toEqual([
      ...["GET /eventstream/clip/v2", 'PUT /clip/v2/resource/light/light-ceiling {"on":{"on":true}}'],
    ]);
  });

  it("states why its stream has ended", async () => {
    await using bridge = await bridgeWith(SIGNED);
    await using connection = await open(bridge).opened;
    bridge.server.endStreams();
    expect(await connection.closed).toBe("The bridge has closed its event stream.");
  });

  it("that does not know the key, bears no more streams or has old software, is reported apart from one that is away", async () => {
    await using bridge = await bridgeWith(SIGNED);
    await expect(open(bridge, { key: "another" }).opened).rejects.toThrow(KeyRefused);
    bridge.server.mostStreams = 0;
    await expect(open(bridge).opened).rejects.toThrow(BridgeBusy);
    bridge.server.hasClipV2 = false;
    await expect(open(bridge).opened).rejects.toThrow(SoftwareTooOld);
  });

  it("is sent nothing, and no key, when its certificate is another's", async () => {
    await using bridge = await bridgeWith(OWN);
    await expect(open(bridge).opened).rejects.toThrow(CertificateRefused);
    await expect(open(bridge, { pinned: "AA" }).opened).rejects.toThrow(CertificateRefused);
    expect(bridge.server.asked).toEqual([]);
  });
});

describe("pairing over HTTPS", () => {
  const pairing = () => pairingByHttps("02-00-00-00-00-01", [SIGNED.root]);

  it("learns what the bridge publishes, and waits for its button", async () => {
    await using bridge = await bridgeWith(SIGNED);
    const { address } = bridge.server;
    const { facts, askKey } = pairing();
    expect(await facts(address)).toEqual({ bridgeId: ID, name: "Hall", software: 1_967_054_020 });
    expect(await askKey(address, ID, false)).toEqual({ kind: "waiting" });
    bridge.setup.isPressed = true;
    expect(await askKey(address, ID, false)).toEqual({ kind: "pressed", key: `key-1-of-${ID}`, pinned: undefined });
    const stated = 'POST /api {"devicetype":"porchlight#020000000001","generateclientkey":true}';
    expect(bridge.server.asked.at(-1)).toBe(stated);
  });

  it("keeps the certificate of a bridge that its maker did not sign, and asks no other", async () => {
    await using bridge = await bridgeWith(OWN);
    const { address } = bridge.server;
    bridge.setup.isPressed = true;
    const answer = await pairing().askKey(address, ID, false);
    expect(answer).toMatchObject({ kind: "pressed", pinned: expect.stringMatching(/^([0-9A-F]{2}:){31}/) });
    const pinned = answer.kind === "pressed" ? answer.pinned : undefined;
    await using connection = await open(bridge, { ...(pinned && { pinned }) }).opened;
    expect((await connection.request("GET", "")).status).toBe(200);
    await expect(pairing().askKey(address, "001788FFFE000000", false)).rejects.toThrow(CertificateRefused);
    await expect(pairing().askKey(address, ID, true), "it was signed before").rejects.toThrow(CertificateRefused);
  });

  it("knows what is no bridge, and stops asking when no caller waits any more", async () => {
    await using bridge = await bridgeWith(OWN);
    bridge.setup.software = "none";
    await expect(pairing().facts(bridge.server.address)).rejects.toThrow(NoBridge);
    const asked = pairing().facts(bridge.server.address, AbortSignal.abort());
    await expect(asked).rejects.toThrow("aborted");
  });
});
