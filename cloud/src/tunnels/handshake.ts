/**
 * The handshake, from the first byte of a connection to its welcome: challenge, hello, proof, epoch; then the tunnel
 * takes over the peer.
 */

import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { BoundedMap, type Random, type Timer } from "@porchlight/shared/kernel";
import {
  type CloseReason,
  frames,
  helloProof,
  type MessageSocket,
  negotiate,
  Peer,
  type PeerEvents,
  PeerRefused,
  RPC_ERRORS,
  TUNNEL_VERSION,
  TUNNEL_VERSION_OLDEST,
  type Welcome,
} from "@porchlight/shared/tunnel";
import {
  isIdentityMismatch,
  type Openings,
  type OpenRequest,
  type OpenResult,
  type TunnelOwner,
} from "./open-tunnel.ts";
import { HubReading, type ReadingDeps } from "./session/hub-reading.ts";
import { Lease } from "./session/lease.ts";
import { Tunnel, type TunnelDeps } from "./session/tunnel.ts";

/** The path of the connection, which a proof is bound to. */
export interface ConnectionOrigin {
  /** The `host` that the hub requested. */
  readonly host: string;
  /** SHA-256 of the client token, lower-case hex. */
  readonly tokenDigest: string;
  readonly address: string;
}

export interface HandshakeDeps extends TunnelDeps, ReadingDeps {
  readonly openings: Openings;
  /** A connection is live when a message arrived within this time, ms. */
  readonly leaseMs: number;
  readonly random: Random;
  readonly mismatches: IdentityMismatchThrottle;
  readonly heartbeatMs: number;
  readonly helloMs: number;
  readonly duplicateWaitMs: number;
  /** The welcome is sent and the tunnel is open. */
  readonly onOpen: (tunnel: Tunnel) => void;
  /** The handshake ended: as a tunnel, or with its connection. */
  readonly onOver: (handshake: Handshake) => void;
}

/** The state of a handshake that waits for its hello. */
interface Challenge {
  readonly nonce: string;
  readonly via: ConnectionOrigin;
  readonly timer: Timer;
}

export class Handshake implements PeerEvents {
  readonly #deps: HandshakeDeps;
  readonly owner: TunnelOwner;
  readonly #peer: Peer;
  readonly #lease: Lease;
  readonly #reading: HubReading;
  /** Undefined once the hello has arrived. */
  #challenge: Challenge | undefined;
  #down: CloseReason | "lost" | undefined;
  /** Set when the hello is accepted; the tunnel owns the peer once the welcome is sent. */
  #tunnel: Tunnel | undefined;

  /** Sends the challenge. */
  constructor(deps: HandshakeDeps, socket: MessageSocket, owner: TunnelOwner, via: ConnectionOrigin) {
    this.#deps = deps;
    this.owner = owner;
    const lease = new Lease(deps.clock, deps.leaseMs);
    this.#lease = lease;
    this.#reading = new HubReading(deps, { spender: owner, socket, lease });
    const nonce = Buffer.from(deps.random.bytes(32)).toString("base64url");
    const timer = deps.clock.timer("tunnel hello", deps.helloMs, () => this.close("hello_timeout"));
    this.#challenge = { nonce, via, timer };
    this.#peer = new Peer(socket, deps.clock, this);
    this.#peer.notify("challenge", { nonce, oldest: TUNNEL_VERSION_OLDEST, newest: TUNNEL_VERSION });
  }

  heard({ length }: string): void {
    this.#reading.heard(length);
  }

  close(reason: CloseReason): void {
    this.#peer.close(reason);
  }

  request(method: string, params: unknown): Promise<unknown> | undefined {
    if (this.#tunnel) return this.#tunnel.request(method, params);
    // Before the hello every other message is malformed, and so is a second hello.
    const challenge = this.#challenge;
    if (method !== "hello" || !challenge) return this.#refuse("malformed");
    this.#challenge = undefined;
    challenge.timer.cancel();
    const welcome = this.#hello(params, challenge);
    // The hub must receive the welcome first: callers may use the tunnel only once the peer has sent it.
    welcome.then(
      () => queueMicrotask(() => this.#open()),
      () => undefined,
    );
    return welcome;
  }

  notification(): boolean {
    if (!this.#tunnel) this.close("malformed");
    return false;
  }

  down(reason: CloseReason | "lost"): void {
    this.#down = reason;
    this.#challenge?.timer.cancel();
    this.#reading[Symbol.dispose]();
    this.#deps.onOver(this);
    if (!this.#tunnel) this.#deps.count(`handshake ended: ${reason}`);
  }

  dropped(what: string, error?: unknown): void {
    this.#deps.count(what);
    if (error !== undefined) this.#deps.log.error({ error, client: this.owner.clientId }, "a request of a hub failed");
  }

  async #hello(params: unknown, { nonce, via }: Challenge): Promise<Welcome> {
    const { clock, mismatches } = this.#deps;
    const helloAt = clock.monotonic();
    const parsed = frames.hello.safeParse(params);
    if (!parsed.success) return this.#refuse("malformed");
    const hello = parsed.data;
    const version = negotiate(hello.oldest, hello.newest);
    if (version === undefined) return this.#refuse("version_unsupported");
    if (!provesKey(hello, { nonce, ...via })) return this.#refuse("wrong_key");
    const { clientId } = this.owner;
    const { address } = via;
    const tellOwner = mismatches.mayTell(clientId, hello, helloAt);
    const result = await this.#store({ owner: this.owner, hello, address, tellOwner });
    if (result.kind === "refused") {
      if (result.reason === "duplicate") this.#peer.notify("goaway", { afterMs: this.#deps.duplicateWaitMs });
      if (isIdentityMismatch(result.reason)) mismatches.ownerNotified(clientId, hello, helloAt);
      return this.#refuse(result.reason);
    }
    const tunnel = new Tunnel(this.#deps, this.#peer, this.#lease, this.#reading, {
      hub: result.hub,
      tokenId: this.owner.tokenId,
      address,
      agentVersion: hello.agentVersion,
      openedAt: result.openedAt,
      openings: result.openings,
      helloAt,
      position: result.position,
      queued: hello.queued,
      namesDigest: hello.namesDigest,
      scenesDigest: hello.scenesDigest,
    });
    this.#tunnel = tunnel;
    return {
      at: clock.monotonic() - helloAt,
      version,
      epoch: result.hub.epoch,
      now: clock.now(),
      leaseMs: this.#deps.leaseMs,
      heartbeatMs: this.#deps.heartbeatMs,
      acknowledged: result.position,
      inventory: result.inventory,
      resync: result.resync,
    };
  }

  async #store(request: OpenRequest): Promise<OpenResult> {
    try {
      return await this.#deps.openings.open(request);
    } catch (error) {
      this.#deps.log.error({ error, client: this.owner.clientId }, "a tunnel could not be stored");
      return { kind: "refused", reason: "unavailable" };
    }
  }

  /** The store has the tunnel: from here on its end is reported, even if it ended before a caller could use it. */
  #open(): void {
    const tunnel = this.#tunnel;
    if (!tunnel) return;
    this.#peer.handOver(tunnel);
    this.#deps.onOpen(tunnel);
    this.#deps.onOver(this);
    if (this.#down) this.#deps.onEnd(tunnel, this.#down);
  }

  #refuse(reason: CloseReason): Promise<never> {
    this.close(reason);
    return Promise.reject(new PeerRefused({ ...RPC_ERRORS.invalidParams, message: reason }));
  }
}

/** A hub whose key or edgeId differs from those that its client is bound to. */
interface Mismatch {
  readonly publicKey: string;
  readonly edgeId: string;
}

/** Interval after which the owner is notified of the same mismatch again, ms. */
const AGAIN_AFTER_MS = 60 * 60_000;
/** Maximum remembered mismatches; beyond it the oldest is deleted. */
const MOST_MISMATCHES = 1000;

/** Remembers the mismatched hubs that the owner was notified of, so that a hub that keeps retrying does not fill the event log. */
export class IdentityMismatchThrottle {
  readonly #notifiedAt = new BoundedMap<string, number>(MOST_MISMATCHES);

  /** Whether the owner may be notified of the mismatch. @param now monotonic, ms */
  mayTell(clientId: string, mismatch: Mismatch, now: number): boolean {
    const lastAt = this.#notifiedAt.get(keyOf(clientId, mismatch));
    return lastAt === undefined || now - lastAt >= AGAIN_AFTER_MS;
  }

  ownerNotified(clientId: string, mismatch: Mismatch, now: number): void {
    if (this.mayTell(clientId, mismatch, now)) this.#notifiedAt.set(keyOf(clientId, mismatch), now);
  }
}

function keyOf(clientId: string, { publicKey, edgeId }: Mismatch): string {
  return `${clientId} ${edgeId} ${publicKey}`;
}

/** The parts of a hello that prove that its sender holds the presented key. Only this section uses Ed25519. */
interface ProofClaims {
  /** Base64 of the SPKI DER. */
  readonly publicKey: string;
  /** Base64. */
  readonly signature: string;
}

/** What the proof is bound to: it is not valid with another challenge, token or host. */
interface ProofBinding {
  readonly nonce: string;
  /** SHA-256 of the client token, lower-case hex. */
  readonly tokenDigest: string;
  /** The `host` that the hub requested. */
  readonly host: string;
}

function provesKey(claims: ProofClaims, binding: ProofBinding): boolean {
  return isSignedBy(claims.publicKey, helloProof(binding.nonce, binding.tokenDigest, binding.host), claims.signature);
}

/** Whether the signature over the bytes is the key's. @param publicKey base64 of the SPKI DER @param signature base64 */
export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: string): boolean {
  const key = ed25519Key(publicKey);
  return key !== undefined && verify(null, bytes, key, Buffer.from(signature, "base64"));
}

/** The SPKI DER prefix of every Ed25519 key; its 32 bytes follow (RFC 8410). */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;

/**
 * The key, or undefined when the text is not exactly the base64 of an Ed25519 key's SPKI DER. Its raw bytes are
 * imported, because parsing the DER costs as much as verifying a signature.
 */
function ed25519Key(text: string): KeyObject | undefined {
  const der = Buffer.from(text, "base64");
  // A key has exactly one text, because it is compared as text with the bound key.
  if (der.toString("base64") !== text) return undefined;
  if (der.length !== SPKI.length + KEY_BYTES || !der.subarray(0, SPKI.length).equals(SPKI)) return undefined;
  const x = der.toString("base64url", SPKI.length);
  return withoutStacks(() => createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }));
}

/** Node.js detects the type of its argument with errors that it catches: their stacks cost more than the key. */
function withoutStacks<T>(make: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
