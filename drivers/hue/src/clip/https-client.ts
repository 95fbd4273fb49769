/** HTTPS to a bridge: one request at a time on one connection, each end of which is known before anything is sent. */
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import type { TLSSocket } from "node:tls";
import { doneInTurns, jsonInTurns } from "@porchlight/driver-kit";
import type { ApiAnswer, BridgeAddress } from "../bridge/bridge-api.ts";
import { CertificateRefused } from "../bridge/bridge-failures.ts";
import { type BridgeIdentity, bridgeIdentityOf, type KnownBridge, type PeerCertificate } from "./bridge-identity.ts";
import { BRIDGE_ROOTS } from "./roots.ts";

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
