/** HTTPS to a bridge: one request at a time on one connection, whose peer is verified before anything is sent. */
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import type { TLSSocket } from "node:tls";
import { doneInTurns, jsonInTurns } from "@porchlight/driver-kit";
import { z } from "zod";
import { type ApiAnswer, type BridgeAddress, bridgeIdOf, CertificateRefused } from "./bridge-failures.ts";
import { type BridgeFacts, type KeyAnswer, NoBridge, type PairingApi } from "./pair-bridge.ts";

export interface HttpsClientDeps {
  readonly address: BridgeAddress;
  /** `anybody`: only public information is requested, without verification. */
  readonly known: KnownBridge | "anybody";
  /** Whether a person is pressing the bridge's button. */
  readonly isPairing?: boolean | undefined;
  /** Ends the requests under way. */
  readonly signal?: AbortSignal | undefined;
  /** Certificate authorities for tests, in place of the manufacturer's. */
  readonly roots?: readonly string[] | undefined;
}

/** Largest answer, bytes; a bridge with 200 devices sends 500 kB. */
const LARGEST = 8 * 1024 * 1024;
/** Timeout of a bridge that does not answer, ms. */
const PATIENCE_MS = 10_000;

export class HttpsClient implements Disposable {
  readonly #deps: HttpsClientDeps;
  readonly #agent: Agent;
  /** The last certificate and the verdict on it. */
  seen: { readonly identity: BridgeIdentity; readonly fingerprint: string } | undefined;

  constructor(deps: HttpsClientDeps) {
    this.#deps = deps;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 2, maxFreeSockets: 1, maxCachedSessions: 0 });
  }

  /** @throws CertificateRefused, with nothing sent; Error when there is no complete answer */
  async json(method: string, path: string, headers: Record<string, string>, body?: object): Promise<ApiAnswer> {
    const response = await this.#send(method, path, headers, body);
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
      size += part.byteLength;
      if (size > LARGEST) throw new Error("The bridge's answer is too large.");
      parts.push(part);
    }
    return { status: response.statusCode ?? 0, json: await parsed(Buffer.concat(parts).toString()) };
  }

  /** Resolves with the head of an answer whose body continues. @throws as `json` */
  stream(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
    return this.#send("GET", path, { ...headers, accept: "text/event-stream" }, undefined);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: object | undefined,
  ): Promise<IncomingMessage> {
    const text = body && JSON.stringify(body);
    const options: RequestOptions = {
      ...this.#deps.address,
      ...{ method, path, agent: this.#agent, timeout: PATIENCE_MS, signal: this.#deps.signal },
      headers: { ...headers, ...(text && { "content-type": "application/json" }) },
      // `bridgeIdentityOf` verifies the certificate before a byte is sent, because the manufacturer's authorities are not the system's
      // and the name is not a host name.
      ...{ ca: [...(this.#deps.roots ?? BRIDGE_ROOTS)], rejectUnauthorized: false, servername: "" },
      checkServerIdentity: () => undefined,
    };
    return new Promise((resolve, reject) => {
      const sent = request(options, resolve);
      sent.on("error", reject);
      // The timeout applies to the head only; a stream has its own keepalive.
      sent.on("timeout", () => sent.destroy(new Error("The bridge does not answer.")));
      sent.on("response", (response) => response.socket.setTimeout(0));
      sent.on("socket", (socket) => {
        const go = () => {
          const failure = this.#judge(socket as TLSSocket);
          if (failure) sent.destroy(failure);
          else sent.end(text);
        };
        if (socket.connecting || !(socket as TLSSocket).getPeerCertificate().raw) socket.once("secureConnect", go);
        else go();
      });
    });
  }

  #judge(socket: TLSSocket): Error | undefined {
    const { known, isPairing } = this.#deps;
    const certificate = socket.getPeerCertificate();
    const peer: PeerCertificate = {
      isSigned: socket.authorized,
      name: String(certificate.subject?.CN ?? ""),
      fingerprint: certificate.fingerprint256 ?? "",
    };
    if (known === "anybody") return undefined;
    const identity = bridgeIdentityOf(peer, known, isPairing);
    this.seen = { identity, fingerprint: peer.fingerprint };
    return identity === "other" ? new CertificateRefused(known.bridgeId, peer.name) : undefined;
  }
}

/** Parses in slices, because an answer with all resources is large. */
async function parsed(text: string): Promise<unknown> {
  try {
    return await doneInTurns(jsonInTurns(text));
  } catch {
    return undefined;
  }
}

/**
 * The authorities that sign the certificates of Hue bridges, as published by the manufacturer (developers.meethue.com, "Using HTTPS"):
 * `root-bridge` until 2038, and `Hue Root CA 01` until 2050. A test checks their SHA-256.
 */
export const BRIDGE_ROOTS: readonly string[] = [
  `-----BEGIN CERTIFICATE-----
MIICMjCCAdigAwIBAgIUO7FSLbaxikuXAljzVaurLXWmFw4wCgYIKoZIzj0EAwIw
OTELMAkGA1UEBhMCTkwxFDASBgNVBAoMC1BoaWxpcHMgSHVlMRQwEgYDVQQDDAty
b290LWJyaWRnZTAiGA8yMDE3MDEwMTAwMDAwMFoYDzIwMzgwMTE5MDMxNDA3WjA5
MQswCQYDVQQGEwJOTDEUMBIGA1UECgwLUGhpbGlwcyBIdWUxFDASBgNVBAMMC3Jv
b3QtYnJpZGdlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEjNw2tx2AplOf9x86
aTdvEcL1FU65QDxziKvBpW9XXSIcibAeQiKxegpq8Exbr9v6LBnYbna2VcaK0G22
jOKkTqOBuTCBtjAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIBhjAdBgNV
HQ4EFgQUZ2ONTFrDT6o8ItRnKfqWKnHFGmQwdAYDVR0jBG0wa4AUZ2ONTFrDT6o8
ItRnKfqWKnHFGmShPaQ7MDkxCzAJBgNVBAYTAk5MMRQwEgYDVQQKDAtQaGlsaXBz
IEh1ZTEUMBIGA1UEAwwLcm9vdC1icmlkZ2WCFDuxUi22sYpLlwJY81Wrqy11phcO
MAoGCCqGSM49BAMCA0gAMEUCIEBYYEOsa07TH7E5MJnGw557lVkORgit2Rm1h3B2
sFgDAiEA1Fj/C3AN5psFMjo0//mrQebo0eKd3aWRx+pQY08mk48=
-----END CERTIFICATE-----
`,
  `-----BEGIN CERTIFICATE-----
MIIBzDCCAXOgAwIBAgICEAAwCgYIKoZIzj0EAwIwPDELMAkGA1UEBhMCTkwxFDAS
BgNVBAoMC1NpZ25pZnkgSHVlMRcwFQYDVQQDDA5IdWUgUm9vdCBDQSAwMTAgFw0y
NTAyMjUwMDAwMDBaGA8yMDUwMTIzMTIzNTk1OVowPDELMAkGA1UEBhMCTkwxFDAS
BgNVBAoMC1NpZ25pZnkgSHVlMRcwFQYDVQQDDA5IdWUgUm9vdCBDQSAwMTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABFfOO0jfSAUXGQ9kjEDzyBrcMQ3ItyA5krE+
cyvb1Y3xFti7KlAad8UOnAx0FBLn7HZrlmIwm1QnX0fK3LPM13mjYzBhMB0GA1Ud
DgQWBBTF1pSpsCASX/z0VHLigxU2CAaqoTAfBgNVHSMEGDAWgBTF1pSpsCASX/z0
VHLigxU2CAaqoTAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIBBjAKBggq
hkjOPQQDAgNHADBEAiAk7duT+IHbOGO4UUuGLAEpyYejGZK9Z7V9oSfnvuQ5BQIg
IYSgwwxHXm73/JgcU9lAM6c8Bmu3UE3kBIUwBs1qXFw=
-----END CERTIFICATE-----
`,
];

/** Certificate of a connection's peer, as far as it identifies a bridge. */
export interface PeerCertificate {
  /** Signed by the manufacturer and valid now. */
  readonly isSigned: boolean;
  /** Common name of the certificate. */
  readonly name: string;
  /** SHA-256, in the form of Node.js. */
  readonly fingerprint: string;
}

/** Identity recorded at pairing. */
export interface KnownBridge {
  readonly bridgeId: string;
  /** SHA-256 of a certificate that the manufacturer has not signed, as older bridges have. */
  readonly pinned?: string | undefined;
}

/**
 * `signed`: by the manufacturer, for this bridge. `pinned`: the certificate recorded at pairing. `new`: self-signed for this bridge, with
 * none recorded yet. `other`: nothing may be sent to the peer.
 */
export type BridgeIdentity = "signed" | "pinned" | "new" | "other";

/** @param isPairing a person is pressing the bridge's button: a self-signed certificate is accepted and recorded */
export function bridgeIdentityOf(
  peer: PeerCertificate,
  { bridgeId, pinned }: KnownBridge,
  isPairing = false,
): BridgeIdentity {
  const isNamed = peer.name.toUpperCase() === bridgeId.toUpperCase();
  if (peer.isSigned) return isNamed ? "signed" : "other";
  if (pinned !== undefined) return peer.fingerprint === pinned ? "pinned" : "other";
  return isPairing && isNamed ? "new" : "other";
}

/** Public part of `/api/0/config`. */
const config = z.looseObject({
  bridgeid: z.string().max(64),
  name: z.string().max(128).default("Hue bridge"),
  swversion: z.string().regex(/^\d{1,12}$/),
});

/** Answer to a request for a key: the key, or the number of an error. */
const keyAnswer = z.tuple([
  z.object({
    success: z.object({ username: z.string().min(1).max(256) }).optional(),
    error: z.object({ type: z.number(), description: z.string().default("") }).optional(),
  }),
]);

/** "Link button not pressed." */
const NOT_PRESSED = 101;

/** Pairs with bridges over HTTPS. @param roots certificate authorities for tests, in place of the manufacturer's */
export function pairingByHttps(hubEdgeId: string, roots?: HttpsClientDeps["roots"]): PairingApi {
  return {
    facts: (address, signal) => facts(address, roots, signal),
    askKey: async (address, bridgeId, mustBeSigned) => {
      using client = new HttpsClient({ address, known: { bridgeId }, isPairing: !mustBeSigned, roots });
      return await askKey(client, hubEdgeId);
    },
  };
}

/** Requests public information from an unverified peer; sends nothing confidential. */
async function facts(
  address: BridgeAddress,
  roots: HttpsClientDeps["roots"],
  signal: AbortSignal | undefined,
): Promise<BridgeFacts> {
  using client = new HttpsClient({ address, known: "anybody", roots, signal });
  const { json } = await client.json("GET", "/api/0/config", {});
  const parsed = config.safeParse(json);
  const bridgeId = parsed.success ? bridgeIdOf(parsed.data.bridgeid) : undefined;
  if (!parsed.success || bridgeId === undefined) throw new NoBridge();
  return { bridgeId, name: parsed.data.name, software: Number(parsed.data.swversion) };
}

async function askKey(client: HttpsClient, hubEdgeId: string): Promise<KeyAnswer> {
  // The bridge lists this name among its apps; at most 20 characters may follow the #.
  const devicetype = `porchlight#${hubEdgeId.replaceAll("-", "").slice(-12)}`;
  const { json } = await client.json("POST", "/api", {}, { devicetype, generateclientkey: true });
  const parsed = keyAnswer.safeParse(json);
  const { success, error } = parsed.data?.[0] ?? {};
  if (success) {
    const pinned = client.seen?.identity === "new" ? client.seen.fingerprint : undefined;
    return { kind: "pressed", key: success.username, pinned };
  }
  if (error?.type === NOT_PRESSED) return { kind: "waiting" };
  throw new Error(error ? `${error.description.slice(0, 200)} (error ${error.type})` : "The answer is not understood.");
}
