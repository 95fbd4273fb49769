import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CertificateRefused, KeyRefused } from "../bridge/bridge-failures.ts";
import { openByHttps } from "./open-bridge.ts";
import { pairingByHttps } from "./pairing-https.ts";

const ID = "001788fffeaabbcc";
const KEY = "the key of this hub";

const CONFIG = `{"name":"Hall","bridgeid":"${ID.toUpperCase()}","swversion":"1967054020","apiversion":"1.67.0"}`;
const NOT_PRESSED = '[{"error":{"type":101,"address":"","description":"link button not pressed"}}]';
const SUCCESS = `[{"success":{"username":"${KEY}","clientkey":"E3B5"}}]`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-hue-"));
  const openssl = (...args: readonly string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...ec,
    "-subj",
    "/C=NL/O=Test/CN=root",
    "-keyout",
    "root.key",
    "-out",
    "root.pem",
    "-days",
    "9",
  );
  openssl("req", "-new", ...ec, "-subj", `/C=NL/O=Test/CN=${ID}`, "-keyout", "signed.key", "-out", "signed.csr");
  const by = ["-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", "-days", "9"];
  openssl("x509", "-req", "-in", "signed.csr", ...by, "-out", "signed.pem");
  openssl("req", "-x509", ...ec, "-subj", `/CN=${ID}`, "-keyout", "own.key", "-out", "own.pem", "-days", "9");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string) => readFileSync(join(folder, name), "utf8");

/** A bridge on loopback that notes what it was asked. */
class FakeBridge implements AsyncDisposable {
  readonly asked: string[] = [];
  readonly streams: ServerResponse[] = [];
  isPressed = false;
  readonly #server: Server;

  private constructor(certificate: string) {
    const tls = { cert: file(`${certificate}.pem`), key: file(`${certificate}.key`) };
    this.#server = createServer(tls, (request, response) => this.#answer(request, response));
  }

  static async start(certificate: "signed" | "own"): Promise<FakeBridge> {
    const bridge = new FakeBridge(certificate);
    await new Promise<void>((resolve) => bridge.#server.listen(0, "127.0.0.1", resolve));
    return bridge;
  }

  get address() {
    return { host: "127.0.0.1", port: (this.#server.address() as AddressInfo).port };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const part of request) body += part;
    this.asked.push(`${request.method} ${request.url} ${body}`.trim());
    const open = { "/api/0/config": CONFIG, "/api": this.isPressed ? SUCCESS : NOT_PRESSED }[request.url ?? ""];
    if (open) {
      response.writeHead(200, { "content-type": "application/json" }).end(open);
      return;
    }
    if (request.headers["hue-application-key"] !== KEY) {
      response.writeHead(403).end("<html>");
      return;
    }
    if (request.url === "/eventstream/clip/v2") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": hi\n\n");
      this.streams.push(response);
      return;
    }
    response
      .writeHead(200, { "content-type": "application/json" })
      .end('{"errors":[],"data":[{"id":"a","type":"light"}]}');
  }
}

const open = (bridge: FakeBridge, { key = KEY, pinned }: { key?: string; pinned?: string } = {}) => {
  const heard: unknown[] = [];
  const next = Promise.withResolvers<void>();
  const take = (message: unknown) => {
    heard.push(message);
    next.resolve();
  };
  const paired = {
    address: bridge.address,
    known: { bridgeId: ID.toUpperCase(), pinned },
    key,
    roots: [file("root.pem")],
  };
  const opened = openByHttps(paired)(take, new AbortController().signal);
  return { opened, heard, next: next.promise };
};

describe("a bridge over HTTPS", () => {
  it("is asked, told, and heard, on the certificate that its maker signed", async () => {
    await using bridge = await FakeBridge.start("signed");
    const { opened, heard, next } = open(bridge);
    await using connection = await opened;
    expect(await connection.request("PUT", "/light/a", { on: { on: true } })).toEqual({
      ...{ status: 200, json: { errors: [], data: [{ id: "a", type: "light" }] } },
    });
    bridge.streams[0]?.write('id: 1:0\ndata: [{"type":"update","data":[]}]\n\n');
    await next;
    expect(heard).toEqual([[{ type: "update", data: [] }]]);
    expect(bridge.asked).toEqual(["GET /eventstream/clip/v2", 'PUT /clip/v2/resource/light/a {"on":{"on":true}}']);
  });

  it("says why its stream has ended", async () => {
    await using bridge = await FakeBridge.start("signed");
    await using connection = await open(bridge).opened;
    bridge.streams[0]?.end();
    expect(await connection.closed).toBe("The bridge has closed its event stream.");
  });

  it("that does not know the key is told apart from one that is away", async () => {
    await using bridge = await FakeBridge.start("signed");
    await expect(open(bridge, { key: "another" }).opened).rejects.toThrow(KeyRefused);
  });

  it("is sent nothing, and no key, when its certificate is another's", async () => {
    await using bridge = await FakeBridge.start("own");
    await expect(open(bridge).opened).rejects.toThrow(CertificateRefused);
    await expect(open(bridge, { pinned: "AA" }).opened).rejects.toThrow(CertificateRefused);
    expect(bridge.asked).toEqual([]);
  });
});

describe("pairing over HTTPS", () => {
  const pairing = () => pairingByHttps("02-00-00-00-00-01", [file("root.pem")]);

  it("learns what the bridge says to everybody, and waits for its button", async () => {
    await using bridge = await FakeBridge.start("signed");
    const { facts, askKey } = pairing();
    expect(await facts(bridge.address)).toEqual({ bridgeId: ID.toUpperCase(), name: "Hall", software: 1_967_054_020 });
    expect(await askKey(bridge.address, ID, false)).toEqual({ kind: "waiting" });
    bridge.isPressed = true;
    expect(await askKey(bridge.address, ID, false)).toEqual({ kind: "pressed", key: KEY, pinned: undefined });
    expect(bridge.asked.at(-1)).toBe('POST /api {"devicetype":"porchlight#020000000001","generateclientkey":true}');
  });

  it("keeps the certificate of a bridge that its maker did not sign, and asks no other", async () => {
    await using bridge = await FakeBridge.start("own");
    bridge.isPressed = true;
    const answer = await pairing().askKey(bridge.address, ID, false);
    expect(answer).toMatchObject({ kind: "pressed", pinned: expect.stringMatching(/^([0-9A-F]{2}:){31}/) });
    const pinned = answer.kind === "pressed" ? answer.pinned : undefined;
    await using connection = await open(bridge, { ...(pinned && { pinned }) }).opened;
    expect((await connection.request("GET", "")).status).toBe(200);
    await expect(pairing().askKey(bridge.address, "001788FFFE000000", false)).rejects.toThrow(CertificateRefused);
    await expect(pairing().askKey(bridge.address, ID, true), "it was signed before").rejects.toThrow(
      CertificateRefused,
    );
  });
});
