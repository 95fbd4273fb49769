/** The hub's side of the opening of a tunnel: the cloud's challenge, the hub's proof, and the welcome with the cloud's state. */
import { createHash } from "node:crypto";
import type { Clock } from "@porchlight/shared/kernel";
import {
  type Challenge,
  frames,
  type Hello,
  helloProof,
  negotiate,
  type Peer,
  TUNNEL_VERSION,
  TUNNEL_VERSION_OLDEST,
  type Welcome,
} from "@porchlight/shared/tunnel";
import type { Home, HubScenes, State } from "../state/index.ts";

/** The hub's identity, and its proof. */
export interface HubIdentity {
  readonly edgeId: string;
  /** Ed25519 public key, base64 of its SPKI DER. */
  readonly publicKey: string;
  /** Signs bytes with Ed25519; returns the signature in base64. */
  sign(bytes: Uint8Array): string;
}

export interface HandshakeDeps {
  readonly clock: Clock;
  readonly identity: HubIdentity;
  readonly token: string;
  /** Host (and port) of the tunnel's address. */
  readonly host: string;
  /** New at every start of the agent. */
  readonly instance: string;
  readonly agentVersion: string;
  readonly state: Pick<State, "logId" | "lastNumber" | "acknowledged" | "inventoryDigest" | "queued">;
  /** The home's state with the cloud's names; undefined when the API at home is not served. */
  readonly home?: Pick<Home, "namesDigest"> | undefined;
  /** The scenes that the hub stores; undefined on a hub without scenes. */
  readonly scenes?: Pick<HubScenes, "digest"> | undefined;
  /** Longest wait for the welcome, ms. */
  readonly timeoutMs: number;
}

export type HandshakeResult =
  | {
      readonly kind: "welcome";
      readonly welcome: Welcome;
      /** When the hello was sent and the welcome received, on the monotonic clock, ms. */
      readonly sentAt: number;
      readonly cameAt: number;
      /** The digest of the inventory in the hello. */
      readonly inventoryDigest: string;
    }
  | { readonly kind: "version_unsupported" }
  | { readonly kind: "malformed" };

/**
 * Answers a challenge.
 * @throws PeerGone, PeerTimeout, PeerRefused as the peer does
 */
export async function shakeHands(peer: Peer, challenge: Challenge, deps: HandshakeDeps): Promise<HandshakeResult> {
  const { clock, timeoutMs } = deps;
  if (negotiate(challenge.oldest, challenge.newest) === undefined) return { kind: "version_unsupported" };
  const hello = makeHello(challenge, deps);
  const sentAt = clock.monotonic();
  const answer = await peer.ask("hello", hello, { timeoutMs });
  const cameAt = clock.monotonic();
  const { data: welcome } = frames.welcome.safeParse(answer);
  if (!welcome) return { kind: "malformed" };
  return { kind: "welcome", welcome, sentAt, cameAt, inventoryDigest: hello.inventoryDigest };
}

function makeHello(challenge: Challenge, deps: HandshakeDeps): Hello {
  const { clock, identity, token, host, instance, agentVersion, state, home, scenes } = deps;
  const tokenDigest = createHash("sha256").update(token).digest("hex");
  return {
    oldest: TUNNEL_VERSION_OLDEST,
    newest: TUNNEL_VERSION,
    edgeId: identity.edgeId,
    instance,
    agentVersion,
    publicKey: identity.publicKey,
    signature: identity.sign(helloProof(challenge.nonce, tokenDigest, host)),
    logId: state.logId,
    lastNumber: state.lastNumber,
    acknowledged: state.acknowledged,
    inventoryDigest: state.inventoryDigest,
    now: clock.now(),
    queued: state.queued,
    ...(home && { namesDigest: home.namesDigest }),
    ...(scenes && { scenesDigest: scenes.digest }),
  };
}
