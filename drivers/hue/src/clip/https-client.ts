/** HTTPS to a bridge: one request at a time on one connection, each end of which is known before anything is sent. */
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import type { TLSSocket } from "node:tls";
import { doneInTurns, jsonInTurns } from "@porchlight/driver-kit";
import { z } from "zod";
import { type ApiAnswer, type BridgeAddress, bridgeIdOf, CertificateRefused } from "../bridge/bridge-failures.ts";
import { type BridgeFacts, type KeyAnswer, NoBridge, type PairingApi } from "../pairing/pair-bridge.ts";

export interface HttpsClientDeps {
  readonly address: BridgeAddress;
  /** `anybody`: it is only asked what it says to everybody. */
  readonly known: KnownBridge | "anybody";
  /** Somebody is pressing the bridge's button. */
  readonly isPairing?: boolean | undefined;
  /** Ends what is under way. */
  readonly signal?: AbortSignal | undefined;
  /** Other authorities than the maker's, for tests. */
  readonly roots?: readonly string[] | undefined;
}

/** Largest answer, bytes: a bridge with 200 devices says 500 kB. */
const LARGEST = 8 * 1024 * 1024;
/** A bridge that does not answer is given up after this long, ms. */
const PATIENCE_MS = 10_000;

export class HttpsClient implements Disposable {
  readonly #deps: HttpsClientDeps;
  readonly #agent: Agent;
  /** The certificate that was seen last, and what it was worth. */
  seen: { readonly identity: BridgeIdentity; readonly fingerprint: string } | undefined;

  constructor(deps: HttpsClientDeps) {
    this.#deps = deps;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 2, maxFreeSockets: 1, maxCachedSessions: 0 });
  }

  /** @throws CertificateRefused, and nothing was sent; Error when there is no whole answer */
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

  /** The head of an answer whose body goes on. @throws as `json` */
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
      // Judged by `bridgeIdentityOf`, before a byte is sent: the maker's authorities are not the system's, and the name is no host's.
      ...{ ca: [...(this.#deps.roots ?? BRIDGE_ROOTS)], rejectUnauthorized: false, servername: "" },
      checkServerIdentity: () => undefined,
    };
    return new Promise((resolve, reject) => {
      const sent = request(options, resolve);
      sent.on("error", reject);
      // The head must come within the time; a stream says by itself whether it is alive.
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

/** In slices: an answer with all resources is large. */
async function parsed(text: string): Promise<unknown> {
  try {
    return await doneInTurns(jsonInTurns(text));
  } catch {
    return undefined;
  }
}

/**
 * The authorities that sign the certificates of Hue bridges, as their maker publishes them (developers.meethue.com, "Using HTTPS"):
 * `root-bridge` until 2038, and `Hue Root CA 01` until 2050. A test holds them to their SHA-256.
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

// Whether what answers is the bridge that it should be: by its certificate. Pure.

/** What a connection says of its other end. */
export interface PeerCertificate {
  /** The maker has signed it, and it is valid now. */
  readonly isSigned: boolean;
  /** The name that it is made out to. */
  readonly name: string;
  /** SHA-256 of it, as Node.js writes it. */
  readonly fingerprint: string;
}

/** What was seen when the bridge was paired. */
export interface KnownBridge {
  readonly bridgeId: string;
  /** Of a certificate that the maker has not signed, as older bridges have: its SHA-256. */
  readonly pinned?: string | undefined;
}

/**
 * `signed`: by the maker, for this bridge. `pinned`: the very one that was seen at pairing. `new`: none is known yet, and it is made out
 * to the bridge, by itself. `other`: nothing may be sent to it.
 */
export type BridgeIdentity = "signed" | "pinned" | "new" | "other";

/** @param isPairing somebody is pressing the bridge's button: one that nobody has signed is taken as it is, and kept */
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

// What is asked of a bridge before it is paired, over HTTPS.

/** `/api/0/config` says this to everybody. */
const config = z.looseObject({
  bridgeid: z.string().max(64),
  name: z.string().max(128).default("Hue bridge"),
  swversion: z.string().regex(/^\d{1,12}$/),
});

/** One answer for what was asked: a key, or an error by number. */
const keyAnswer = z.tuple([
  z.object({
    success: z.object({ username: z.string().min(1).max(256) }).optional(),
    error: z.object({ type: z.number(), description: z.string().default("") }).optional(),
  }),
]);

/** "Link button not pressed." */
const NOT_PRESSED = 101;

/** @param roots other authorities than the maker's, for tests */
export function pairingByHttps(hubEdgeId: string, roots?: HttpsClientDeps["roots"]): PairingApi {
  return {
    facts: (address, signal) => facts(address, roots, signal),
    askKey: async (address, bridgeId, mustBeSigned) => {
      using client = new HttpsClient({ address, known: { bridgeId }, isPairing: !mustBeSigned, roots });
      return await askKey(client, hubEdgeId);
    },
  };
}

/** Of whatever answers there: nothing is sent that is for the bridge only. */
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
  // The bridge's list of apps shows it: at most 20 characters after the #.
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
