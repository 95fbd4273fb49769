/** What a hub asks of its cloud while it pairs (RFC 8628), and every answer as a value: the seam between pairing and the network. */
import { z } from "zod";

const ADDRESS = /^https?:\/\/[\x21-\x7e]{1,512}$/;
/** Shown in terminals and logs, so that it is what it claims to be and holds nothing else. */
const address = z.string().regex(ADDRESS);

/** A pairing that the cloud has begun. Bounds are the hub's own: what is past them is no answer. */
export const begunPairing = z.object({
  /** A hub signs it, so that it must not be a text that means anything elsewhere: one word, without line ends or spaces. */
  deviceCode: z.string().regex(/^[A-Za-z0-9_-]{16,256}$/),
  userCode: z.string().regex(/^[A-Z0-9-]{4,32}$/),
  verificationUri: address,
  verificationUriComplete: address,
  /** Seconds. */
  expiresIn: z.number().positive(),
  /** Seconds between two polls. */
  interval: z.number().positive().max(3600),
});
export type BegunPairing = z.infer<typeof begunPairing>;

/** What a hub gets when it has been approved. */
export const grant = z.object({
  clientId: z.string().regex(/^[a-z0-9_]{1,64}$/),
  token: z.string().regex(/^[\x21-\x7e]{1,512}$/),
  environmentId: z.string().regex(/^[a-z0-9_]{1,64}$/),
});
export type Grant = z.infer<typeof grant>;

/** The cloud was not reached, or did not say what it was asked. */
export interface Setback {
  readonly kind: "setback";
  readonly detail: string;
  /** What `retry-after` asked for, ms; 0 when it was not there. */
  readonly retryAfterMs: number;
}

export type BeginAnswer = { readonly kind: "begun"; readonly pairing: BegunPairing } | Setback;

export type PollAnswer =
  | { readonly kind: "approved"; readonly grant: Grant }
  | { readonly kind: "pending" | "denied" | "expired" | "unknown" }
  | { readonly kind: "slow_down"; readonly retryAfterMs: number }
  | Setback;

/** Neither call throws but for the signal's reason. */
export interface PairingCloud {
  begin(
    hub: { readonly edgeId: string; readonly agentVersion: string; readonly publicKey: string },
    signal: AbortSignal,
  ): Promise<BeginAnswer>;
  /** @param signature Ed25519 over the device code, base64 */
  poll(proof: { readonly deviceCode: string; readonly signature: string }, signal: AbortSignal): Promise<PollAnswer>;
}
