/**
 * The tunnel between a hub and the cloud, frame by frame. This file is its specification.
 *
 * One WebSocket from the hub carries JSON-RPC 2.0 messages; both sides ask and notify.
 *
 *   opening    cloud -> hub   challenge          a nonce and the versions that the cloud speaks
 *              hub -> cloud   hello              who it is, proved with its key; its place in its history
 *                             <- welcome         epoch, lease, what was last acknowledged
 *              hub -> cloud   inventory          only when the digest in the hello differs from the cloud's
 *              hub -> cloud   describe           a device that the cloud does not know as it is
 *   steady     hub -> cloud   heartbeat          every heartbeatMs; the answer renews the hub's own view of its lease
 *              hub -> cloud   records            the hub's history, in order, acknowledged once stored
 *              hub -> cloud   claims             which of these devices live on another hub: they must be left alone
 *              hub -> cloud   unpair             the hub gives its token back
 *              cloud -> hub   names, name        what it calls the hub's devices: only where that has changed
 *              cloud -> hub   scenes, scene      the scenes that the hub stores: only where that has changed
 *              cloud -> hub   command, read      with a deadline in connection time
 *              cloud -> hub   scene.call         many commands of one scene, with one answer
 *              cloud -> hub   drivers            what a person asks of the hub's drivers: admissions, setups
 *              cloud -> hub   maintenance        what a person asks of the hub itself: status, doctor, log, backup, restart
 *              cloud -> hub   cancel             the caller of that command or read has gone
 *   leaving    cloud -> hub   goaway             come back in afterMs; calls in flight still end
 *
 * Connection time: milliseconds since the cloud received the hello, on the cloud's monotonic clock. `at` in a frame of
 * the cloud is the connection time at which it was sent. Times named `…At` are wall-clock milliseconds since 1970 UTC.
 * Unknown methods and notifications are skipped and counted; a malformed message closes the tunnel.
 */
import { z } from "zod";
import {
  HUB_FAILURES,
  HUB_OUTCOMES,
  hubHops,
  INDEX,
  isEdgeId,
  isName,
  propertyShape,
  type Value,
  valueBreach,
} from "../model/index.ts";
import { LONGEST_ID, MOST_RECORDS } from "./frame-bounds.ts";
import { calledScene } from "./scene-frames.ts";

const edgeId = z.string().refine(isEdgeId, "must be an EUI-48 or EUI-64");
const word = z.string().refine(isName, "is no service or property name");
const count = z.int().min(0);
const index = z.string().regex(INDEX);
/** Looked at before anything walks it (see bounded-value): what breaks its bounds breaks the frame. */
const value = z.custom<Value>((given) => valueBreach(given) === undefined, "is no JSON value, or one past its bounds");
const text = z.string().max(1024);
/** No longer than any date; what of it is believed, its reader decides. */
const time = z.number().min(-8.64e15).max(8.64e15);

/** One property of one device. */
const target = { device: edgeId, service: word, index, property: word };

// --- opening ---------------------------------------------------------------------------------------------------------

export const challenge = z.object({
  /** 32 random bytes, base64url: what the hello signs, so that no hello can be played again. */
  nonce: z.string().min(22).max(128),
  oldest: count,
  newest: count,
});

export const hello = z.object({
  oldest: count,
  newest: count,
  edgeId,
  /** Random, new at every start of the agent: tells a reconnect from a second agent. */
  instance: z.string().min(8).max(64),
  agentVersion: z.string().max(64),
  /** Ed25519 public key, base64 of its SPKI DER. */
  publicKey: z.string().max(256),
  /** Ed25519 over {@link helloProof}, base64. */
  signature: z.string().max(256),
  /** Names the hub's database: made with it, new after a restore or a rebuild. */
  logId: z.string().min(8).max(64),
  /** The last number of the history that the hub has given out. */
  lastNumber: count,
  /** The last number that the hub has had acknowledged. */
  acknowledged: count,
  /** Digest of the inventory that {@link inventory} would send. */
  inventoryDigest: z.string().max(64),
  /** The hub's wall clock. */
  now: time,
  /** Records that wait to be sent. */
  queued: count,
  /** Digest of the last {@link names} that the hub has whole, "" for none; absent: it serves no API at home. */
  namesDigest: z.string().max(64).optional(),
  /** Digest of the last {@link scenes} that the hub has whole, "" for none; absent: it knows of no scenes, and no `scene.call`. */
  scenesDigest: z.string().max(64).optional(),
});

export const welcome = z.object({
  at: z.number(),
  version: count,
  /** Larger with every connection of the client. */
  epoch: count,
  /** The cloud's wall clock. */
  now: z.number(),
  leaseMs: z.number(),
  heartbeatMs: z.number(),
  /** Where the history goes on: records up to this number need not be sent. */
  acknowledged: count,
  /** The inventory must be sent. */
  inventory: z.boolean(),
  /** The cloud has lost what the hub was told it has: every current value must be sent again, under new numbers. */
  resync: z.boolean(),
});

export const inventory = z.object({
  digest: z.string().max(64),
  devices: z
    .array(
      z.object({
        edgeId,
        /** Digest of the description and of what the device says of itself. */
        digest: z.string().max(64),
        /** Grows when the device leaves its link and comes back, or its owner adds it. */
        arrival: count,
        online: z.boolean(),
      }),
    )
    .max(1000),
});
export const inventoryAnswer = z.object({
  /** Devices whose description the cloud wants. */
  wanted: z.array(edgeId),
  /** Devices that live on another hub of the home. The hub leaves them alone; what it tells of them has no effect. */
  claimed: z.array(edgeId).default([]),
});

const property = z.object({
  ...propertyShape,
  property: word,
  unit: z.string().max(16).optional(),
  values: z.array(z.union([z.string().max(64), z.number(), z.boolean()])).optional(),
});

/** A description too long for one message goes in parts; a service is never cut. */
export const describe = z.object({
  edgeId,
  digest: z.string().max(64),
  arrival: count,
  online: z.boolean(),
  /** System metadata: manufacturer, model, firmware, serial, name, transport. */
  about: z.record(z.string().max(32), z.string().max(256)),
  part: count,
  parts: z.int().min(1).max(64),
  services: z.array(z.object({ service: word, index, properties: z.array(property).max(64) })).max(64),
});

// --- devices that several hubs can reach -----------------------------------------------------------------------------

/**
 * Asked before a hub touches a device of the network that it does not have: a device serves the hub that came last, so that
 * the question has to come first. Asked again, now and then, while the answer is that another hub has it.
 */
export const claims = z.object({ edgeIds: z.array(edgeId).min(1).max(1000) });
/** `claimed`: those that live on another hub, which is online or has not been offline for 60 s. */
export const claimsAnswer = z.object({ claimed: z.array(edgeId) });

// --- the end of a pairing --------------------------------------------------------------------------------------------

/**
 * The token with which the hub came is revoked. That is answered by the tunnel's end as `token_revoked`, which may overtake
 * the answer.
 */
export const unpair = z.object({});

// --- the hub's history -----------------------------------------------------------------------------------------------

/** What became of a command on the hub. */
export const hubOutcome = z.enum(HUB_OUTCOMES);

export const failure = z.object({
  /** A name of the error table: Device Unreachable, Device Rejected, Hub Timeout. */
  name: z.enum(HUB_FAILURES),
  detail: text,
  /** The device's own error code, when it gave one. */
  code: count.optional(),
});

export const valueRecord = z.object({
  kind: z.literal("value"),
  n: count,
  ...target,
  value,
  /** When the device said so. */
  observedAt: z.number(),
  /** `report`: the device told; `read`: it was asked; `local`: a write at home. */
  cause: z.enum(["report", "read", "local"]),
  /** With `local`: a scene that the hub called by itself. */
  scene: calledScene.optional(),
});

/** The end of a command; with `confirmed`, also the value that the device says it now has. */
export const resultRecord = z.object({
  kind: z.literal("result"),
  n: count,
  command: z.string().max(LONGEST_ID),
  ...target,
  requested: value,
  outcome: hubOutcome,
  value: value.optional(),
  observedAt: z.number(),
  failure: failure.optional(),
});

/** A device came onto its link or left it. */
export const presenceRecord = z.object({
  kind: z.literal("presence"),
  n: count,
  device: edgeId,
  online: z.boolean(),
  observedAt: z.number(),
});

/** Every value that the hub learns takes the next number in the transaction that stores it, for every way that it then travels. */
export const record = z.discriminatedUnion("kind", [valueRecord, resultRecord, presenceRecord]);

export const records = z.object({ records: z.array(record).min(1).max(MOST_RECORDS) });
export const recordsAnswer = z.object({
  /** The last number that is stored together with its effects. */
  acknowledged: count,
});

// --- heartbeat -------------------------------------------------------------------------------------------------------

export const heartbeat = z.object({
  /** Records that wait to be sent. */
  queued: count,
  /** Round trip of the heartbeat before, ms. */
  roundTripMs: time.optional(),
  /** The hub's wall clock. */
  now: time,
});
/** `slowedMs`: for how long the hub was not read since the last answer, because it said more than its budget; absent: it was not. */
export const heartbeatAnswer = z.object({ at: z.number(), slowedMs: z.number().min(0).optional() });

// --- what the cloud asks ---------------------------------------------------------------------------------------------

export const command = z.object({
  at: z.number(),
  /** Connection time after which the hardware is not touched any more. */
  deadline: z.number(),
  id: z.string().max(LONGEST_ID),
  ...target,
  value,
  /** The request that it is for, for the hub's log; absent: it is for none that somebody waits for. */
  requestId: z.string().max(LONGEST_ID).optional(),
  /** Whether the answer is to say where the hub's time went. */
  trace: z.boolean().optional(),
});

/** The fast copy of the record that ends the command. `n` is 0 when there is none: the hub's disk took nothing, or an older agent refused. */
export const commandAnswer = resultRecord.extend({
  /** On a hub that knows of it, when it was asked. */
  hops: hubHops.optional(),
});

export const read = z.object({
  at: z.number(),
  deadline: z.number(),
  items: z.array(z.object(target)).min(1).max(500),
  /** A value that its device has confirmed within this time, ms, is answered without a read; absent: every device is read. */
  maxAge: time.optional(),
});
export const readAnswer = z.object({
  /** One for each item asked for, in order. */
  items: z.array(
    z.union([
      z.object({
        /** Number of the value in the history; that of the stored one when the value is equal. */
        n: count,
        value,
        observedAt: z.number(),
      }),
      z.object({ failure }),
    ]),
  ),
});

/** `id`: JSON-RPC id of the request that is not waited for any more. */
export const cancel = z.object({ id: count });

// --- the home beside its devices ------------------------------------------------------------------------------------

export * from "./home-frames.ts";
export * from "./scene-frames.ts";

export const goaway = z.object({ afterMs: z.number().min(0) });
