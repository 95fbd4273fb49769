/** The service's own TLS, over real connections: what it speaks, and that a renewal needs no restart. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { connect as connectPlain } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { type Log, type LogWrite, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { TUNNEL_SUBPROTOCOL } from "@porchlight/shared/tunnel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { TestCloud } from "../app.fixture.ts";
import { cloudSettings } from "../config/settings.ts";
import { selfSigned } from "./tls.fixture.ts";
import { readTls, TlsBroken, TlsKeeper, type TlsPair } from "./tls.ts";

/** 31 December, in seconds since 1970. */
const END_OF_2048 = 2_492_985_600;
const END_OF_2049 = 2_524_521_600;

let folder: string;
let files: { cert: string; key: string };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-tls-"));
  files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write({ cert, key }: TlsPair): TlsPair {
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  return { cert, key };
}

describe("a service with TLS", () => {
  let cloud: TestCloud;
  let pair: TlsPair;
  let url: URL;
  beforeEach(async () => {
    pair = write(selfSigned(1));
    cloud = await TestCloud.start({ tlsCert: files.cert, tlsKey: files.key });
    url = new URL(await cloud.app.listen());
  });
  afterEach(() => cloud[Symbol.asyncDispose]());

  async function get(path: string, ca: string): Promise<{ status: number | undefined; body: string; serial: string }> {
    const asked = request(new URL(path, url), { ca, agent: false });
    asked.end();
    const [response] = await once(asked, "response");
    const serial = (response.socket as TLSSocket).getPeerCertificate().serialNumber;
    return { status: response.statusCode, body: await text(response), serial };
  }
  async function shakeHands(options: ConnectionOptions): Promise<string> {
    const socket = connect({ host: url.hostname, port: Number(url.port), ca: pair.cert, ...options });
    try {
      await once(socket, "secureConnect");
      return socket.getProtocol() ?? "";
    } catch (error) {
      return String(error);
    } finally {
      socket.destroy();
    }
  }

  it("has `https` in its address, and answers", async () => {
    expect(url.protocol).toBe("https:");
    expect(await get("/healthz", pair.cert)).toEqual({ status: 200, body: '{"status":"ok"}', serial: "01" });
  });

  it("asks browsers to use TLS only (RFC 6797)", async () => {
    const asked = request(new URL("/healthz", url), { ca: pair.cert, agent: false });
    asked.end();
    const [{ headers }] = await once(asked, "response");
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
  });

  it("speaks TLS 1.3 and 1.2, and nothing older", async () => {
    expect(await shakeHands({})).toBe("TLSv1.3");
    expect(await shakeHands({ maxVersion: "TLSv1.2" })).toBe("TLSv1.2");
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    expect(await shakeHands(old)).toMatch(/protocol version/i);
  });

  it("takes hubs over wss", async () => {
    const { token, environmentId } = await cloud.home();
    const client = await cloud.good("POST", "/api/clients", { token, body: { environmentId } });
    const issued = await cloud.good("POST", `/api/clients/${client.id}/tokens`, { token });
    const headers = { authorization: `Bearer ${issued.token}` };
    const hub = new WebSocket(`wss://${url.host}/api/tunnel`, TUNNEL_SUBPROTOCOL, { headers, ca: pair.cert });
    await once(hub, "message");
    hub.terminate();
  });

  it("closes connections that send plain HTTP", async () => {
    const socket = connectPlain(Number(url.port), url.hostname);
    socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(socket, "close");
  });

  it("takes a renewed certificate for new connections, and the old ones go on", async () => {
    const standing = connect({ host: url.hostname, port: Number(url.port), ca: pair.cert });
    await once(standing, "secureConnect");
    const renewed = write(selfSigned(2));
    expect((await get("/healthz", pair.cert)).serial).toBe("01");
    await cloud.clock.advance(10_000);
    expect((await get("/healthz", renewed.cert)).serial).toBe("02");
    standing.write("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    expect(await text(standing)).toContain("200 OK");
  });

  it("reports in its metrics when the certificate in use expires", async () => {
    const expiry = /^porchlight_certificate_expiry_timestamp_seconds (\S+)$/m;
    const read = async (ca: string) => Number(expiry.exec((await get("/metrics", ca)).body)?.[1]);
    expect(await read(pair.cert)).toBe(END_OF_2049);
    const renewed = write(selfSigned(2, 2048));
    await cloud.clock.advance(10_000);
    expect(await read(renewed.cert)).toBe(END_OF_2048);
  });

  it("keeps the old one while the new files are broken", async () => {
    writeFileSync(files.key, selfSigned(2).key);
    await cloud.clock.advance(60_000);
    expect((await get("/healthz", pair.cert)).serial).toBe("01");
    rmSync(files.cert);
    await cloud.clock.advance(60_000);
    expect((await get("/healthz", pair.cert)).serial).toBe("01");
  });
});

describe("the files of a certificate", () => {
  it.each([
    [
      "a certificate that is missing",
      (pair: TlsPair) => writeFileSync(files.key, pair.key),
      /certificate .*cert.pem cannot be read \(ENOENT\)/,
    ],
    [
      "a key that is missing",
      (pair: TlsPair) => writeFileSync(files.cert, pair.cert),
      /key .*key.pem cannot be read \(ENOENT\)/,
    ],
    [
      "a key of another certificate",
      (pair: TlsPair) => write({ ...pair, key: selfSigned(2).key }),
      /no pair .* belong together/,
    ],
    ["no certificate at all", (pair: TlsPair) => write({ ...pair, cert: "a letter" }), /no pair of PEM files/],
    ["no key at all", (pair: TlsPair) => write({ ...pair, key: "" }), /no pair of PEM files/],
  ])("are refused in one line for %s", (_what, place, words) => {
    place(selfSigned(1));
    expect(() => readTls(files)).toThrow(TlsBroken);
    expect(() => readTls(files)).toThrow(words);
    expect(() => readTls(files)).not.toThrow(/\n/);
  });

  it.each([
    [{ tlsCert: "a" }, "tlsKey"],
    [{ tlsKey: "a" }, "tlsCert"],
  ])("are settings of which one alone is wrong: %j", (given, missing) => {
    expect(cloudSettings.safeParse(given).error?.issues).toMatchObject([{ path: [missing] }]);
    expect(cloudSettings.safeParse({ tlsCert: "a", tlsKey: "b" }).success).toBe(true);
  });

  it("are complained of once, and not for the moment in which a renewal has written one of them", async () => {
    const clock = new VirtualClock();
    const logged: string[] = [];
    const say: LogWrite = (_fields, message) => void logged.push(message);
    const log: Log = { ...silentLog, info: say, error: say };
    const { Server } = await import("node:https");
    const pair = write(selfSigned(1));
    const server = new Server(pair);
    using _keeper = TlsKeeper.start(server, { clock, log, files, pair });
    const renewed = selfSigned(2);
    writeFileSync(files.cert, renewed.cert);
    await clock.advance(10_000);
    writeFileSync(files.key, renewed.key);
    await clock.advance(10_000);
    expect(logged).toEqual(["the TLS certificate is in use", "the TLS certificate is in use"]);
    writeFileSync(files.key, "half a ke");
    await clock.advance(60_000);
    expect(logged.slice(2)).toEqual(["the TLS certificate could not be reloaded; the previous one stays in use"]);
    write(selfSigned(3, 2001));
    await clock.advance(10_000);
    expect(logged.slice(3)).toEqual(["the TLS certificate has expired: clients will refuse it"]);
  });
});
