/** Pairing (RFC 8628): a hub's request for its token, the answers that it polls, and the information for the approver. */
import { z } from "zod";
import { isEdgeId } from "../model/index.ts";
import { aliasInput, environmentInput, idField, textField, timeField } from "./fields.ts";

const edgeId = z.string().refine(isEdgeId, "must be an EUI-48 or EUI-64 such as 02-1B-44-11-3A-B7");
/** The SPKI DER of an Ed25519 key is 44 bytes, of which the first 12 are constant: each key has exactly one text. */
const publicKey = z
  .string()
  .regex(/^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, "must be the base64 of an Ed25519 key's SPKI DER")
  .meta({
    description: "Ed25519, base64 of the SPKI DER",
    example: "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
  });

export const newPairing = z.strictObject({
  edgeId,
  agentVersion: z.string().regex(/^[\x20-\x7e]{1,64}$/, "must be 1 to 64 printable ASCII characters"),
  publicKey,
});
export type NewPairing = z.output<typeof newPairing>;

/** The answer when a hub starts a pairing: it shows the code, and polls with the other one. */
export const startedPairing = z
  .object({
    deviceCode: z.string().meta({ description: "The hub's secret; do not show it" }),
    userCode: z.string().meta({ description: "The code that the hub shows", example: "WDJB-MJHT" }),
    verificationUri: z.string(),
    verificationUriComplete: z.string().meta({ description: "The page with the code in its address, for a QR code" }),
    expiresIn: z.number().meta({ description: "Seconds" }),
    interval: z.number().meta({ description: "Minimum number of seconds between two polls" }),
  })
  .meta({ id: "StartedPairing" });
export type StartedPairing = z.output<typeof startedPairing>;

export const pairingPoll = z.strictObject({
  deviceCode: z.string().min(1).max(256),
  signature: z
    .string()
    .min(1)
    .max(256)
    .meta({ description: "Base64 of the Ed25519 signature over the device code's characters" }),
});
export type PairingPoll = z.output<typeof pairingPoll>;

/** The end of a pairing, as reported to the hub. */
export const pairedHub = z
  .object({
    clientId: idField("cli"),
    token: z.string().meta({ description: "Each poll returns a new token until the hub has used one" }),
    environmentId: idField("env"),
  })
  .meta({ id: "PairedHub" });
export type PairedHub = z.output<typeof pairedHub>;

/** A hub that waits for approval. */
export const pairing = z
  .object({
    userCode: z.string(),
    edgeId: z.string(),
    agentVersion: z.string(),
    address: z.string().meta({ description: "The network address of the hub" }),
    fingerprint: z
      .string()
      .meta({ description: "Fingerprint of the hub's key; compare it with the one that the hub shows" }),
    createdAt: timeField,
    expiresAt: timeField,
  })
  .meta({ id: "Pairing" });
export type Pairing = z.output<typeof pairing>;

export const pairingApproval = z.strictObject({
  environmentId: environmentInput,
  alias: aliasInput,
  name: textField(64).trim().min(1).optional().meta({
    description:
      "What people call it: the `$.name` of its metadata. A hub keeps the name that it has, and gets none when its metadata has no room for it",
    example: "Hall hub",
  }),
});
export type PairingApproval = z.output<typeof pairingApproval>;
