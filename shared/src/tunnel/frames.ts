/**
 * The tunnel between a hub and the cloud, frame by frame. This file is its specification.
 *
 * One WebSocket from the hub carries JSON-RPC 2.0 messages; both sides send requests and notifications.
 *
 *   opening    cloud -> hub   challenge          a nonce and the versions that the cloud supports
 *              hub -> cloud   hello              its identity, proved with its key; its position in its history
 *                             <- welcome         epoch, lease, last acknowledged number
 *              hub -> cloud   inventory          only when the digest in the hello differs from the cloud's
 *              hub -> cloud   describe           a device whose current description the cloud does not have
 *   steady     hub -> cloud   heartbeat          every heartbeatMs; the answer renews the hub's own view of its lease
 *              hub -> cloud   records            the hub's history, in order, acknowledged once stored
 *              hub -> cloud   claims             which of these devices live on another hub and must be left alone
 *              hub -> cloud   unpair             the hub gives its token back
 *              cloud -> hub   names, name        the cloud's names of the hub's devices, only changed ones
 *              cloud -> hub   scenes, scene      the scenes that the hub stores, only changed ones
 *              cloud -> hub   command, read      with a deadline in connection time
 *              cloud -> hub   scene.call         many commands of one scene, with one answer
 *              cloud -> hub   drivers            a user's request to the hub's drivers: admissions, setups
 *              cloud -> hub   maintenance        a user's request to the hub itself: status, doctor, log, backup, restart
 *              cloud -> hub   cancel             the caller of that command or read has gone
 *   leaving    cloud -> hub   goaway             reconnect in afterMs; calls in flight still end
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
/** Checked before any code walks the value (see `model/value.ts`): a value beyond its bounds makes the frame malformed. */
const value = z.custom<Value>((given) => valueBreach(given) === undefined, "is no JSON value, or one past its bounds");
const text = z.string().max(1024);
/** Bounded by the range of dates; the reader decides which times are plausible. */
const time = z.number().min(-8.64e15).max(8.64e15);

/** One property of one device. */
const target = { device: edgeId, service: word, index, property: word };

// --- opening ---------------------------------------------------------------------------------------------------------

export const challenge = z.object({
  /** 32 random bytes, base64url: the hello signs it, so that a hello cannot be replayed. */
  nonce: z.string().min(22).max(128),
  oldest: count,
  newest: count,
});

export const hello = z.object({
  oldest: count,
  newest: count,
  edgeId,
  /** Random, new at every start of the agent: distinguishes a reconnect from a second agent. */
  instance: z.string().min(8).max(64),
  agentVersion: z.string().max(64),
  /** Ed25519 public key, base64 of its SPKI DER. */
  publicKey: z.string().max(256),
  /** Ed25519 over {@link helloProof}, base64. */
  signature: z.string().max(256),
  /** Identifies the hub's database: created with it, new after a restore or a rebuild. */
  logId: z.string().min(8).max(64),
  /** The last number that the hub has assigned in its history. */
  lastNumber: count,
  /** The last number that was acknowledged to the hub. */
  acknowledged: count,
  /** Digest of the inventory, as {@link inventory} would send it. */
  inventoryDigest: z.string().max(64),
  /** The hub's wall clock. */
  now: time,
  /** Number of records that wait to be sent. */
  queued: count,
  /** Digest of the last {@link names} that the hub has completely, "" for none; absent: the hub serves no API at home. */
  namesDigest: z.string().max(64).optional(),
  /** Digest of the last {@link scenes} that the hub has completely, "" for none; absent: it supports neither scenes nor `scene.call`. */
  scenesDigest: z.string().max(64).optional(),
});

export const welcome = z.object({
  at: z.number(),
  version: count,
  /** Increases with every connection of the client. */
  epoch: count,
  /** The cloud's wall clock. */
  now: z.number(),
  leaseMs: z.number(),
  heartbeatMs: z.number(),
  /** Where the history continues: records up to this number need not be sent. */
  acknowledged: count,
  /** Whether the hub must send its inventory. */
  inventory: z.boolean(),
  /** The cloud has lost data that it acknowledged: the hub must send every current value again, under new numbers. */
  resync: z.boolean(),
});

export const inventory = z.object({
  digest: z.string().max(64),
  devices: z
    .array(
      z.object({
        edgeId,
        /** Digest of the description and of the device's metadata. */
        digest: z.string().max(64),
        /** Increases when the device leaves its link and returns, or its owner adds it. */
        arrival: count,
        online: z.boolean(),
      }),
    )
    .max(1000),
});
export const inventoryAnswer = z.object({
  /** Devices whose description the cloud wants. */
  wanted: z.array(edgeId),
  /** Devices that live on another hub of the home. The hub leaves them alone; the cloud ignores its reports about them. */
  claimed: z.array(edgeId).default([]),
});

const property = z.object({
  ...propertyShape,
  property: word,
  unit: z.string().max(16).optional(),
  values: z.array(z.union([z.string().max(64), z.number(), z.boolean()])).optional(),
});

/** A description that is too long for one message is sent in parts; a service is never split. */
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
 * Sent before a hub touches a network device that it does not have: such a device serves the hub that came last, so the hub must ask
 * first. The hub repeats it from time to time while another hub has the device.
 */
export const claims = z.object({ edgeIds: z.array(edgeId).min(1).max(1000) });
/** `claimed`: devices that live on another hub, which is online or has been offline for less than 60 s. */
export const claimsAnswer = z.object({ claimed: z.array(edgeId) });

// --- the end of a pairing --------------------------------------------------------------------------------------------

/** Revokes the token of this connection. The answer is the end of the tunnel with `token_revoked`, which may arrive before the response. */
export const unpair = z.object({});

// --- the hub's history -----------------------------------------------------------------------------------------------

/** The outcome of a command on the hub. */
export const hubOutcome = z.enum(HUB_OUTCOMES);

export const failure = z.object({
  /** A name of the error table: Device Unreachable, Device Rejected, Hub Timeout. */
  name: z.enum(HUB_FAILURES),
  detail: text,
  /** The device's own error code, when it returned one. */
  code: count.optional(),
});

export const valueRecord = z.object({
  kind: z.literal("value"),
  n: count,
  ...target,
  value,
  /** When the device reported the value. */
  observedAt: z.number(),
  /** `report`: the device reported it; `read`: a read returned it; `local`: a write at home. */
  cause: z.enum(["report", "read", "local"]),
  /** With `local`: a scene that the hub called on its own. */
  scene: calledScene.optional(),
});

/** The end of a command; with `confirmed`, also the value that the device then reports. */
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

/** A device joined its link or left it. */
export const presenceRecord = z.object({
  kind: z.literal("presence"),
  n: count,
  device: edgeId,
  online: z.boolean(),
  observedAt: z.number(),
});

/** Every value that the hub learns takes the next number in the transaction that stores it; the number identifies it on every path. */
export const record = z.discriminatedUnion("kind", [valueRecord, resultRecord, presenceRecord]);

export const records = z.object({ records: z.array(record).min(1).max(MOST_RECORDS) });
export const recordsAnswer = z.object({
  /** The last number that the cloud stored together with its effects. */
  acknowledged: count,
});

// --- heartbeat -------------------------------------------------------------------------------------------------------

export const heartbeat = z.object({
  /** Number of records that wait to be sent. */
  queued: count,
  /** Round trip of the previous heartbeat, ms. */
  roundTripMs: time.optional(),
  /** The hub's wall clock. */
  now: time,
});
/**
 * `slowedMs`: how long since the last answer the cloud did not read from the hub, because the hub exceeded its budget; absent: not at
 * all.
 */
export const heartbeatAnswer = z.object({ at: z.number(), slowedMs: z.number().min(0).optional() });

// --- what the cloud asks ---------------------------------------------------------------------------------------------

export const command = z.object({
  at: z.number(),
  /** Connection time after which the hub must not touch the hardware. */
  deadline: z.number(),
  id: z.string().max(LONGEST_ID),
  ...target,
  value,
  /** The request behind the command, for the hub's log; absent when no request waits for it. */
  requestId: z.string().max(LONGEST_ID).optional(),
  /** Whether the answer must state where the hub's time went. */
  trace: z.boolean().optional(),
});

/**
 * An early copy of the record that ends the command. `n` is 0 when there is no record: the hub's disk was full or failed, or an older
 * agent refused.
 */
export const commandAnswer = resultRecord.extend({
  /** Only from a hub that supports it, and only on request. */
  hops: hubHops.optional(),
});

export const read = z.object({
  at: z.number(),
  deadline: z.number(),
  items: z.array(z.object(target)).min(1).max(500),
  /** A value that its device confirmed within this time, ms, is answered without a read; absent: every device is read. */
  maxAge: time.optional(),
});
export const readAnswer = z.object({
  /** One entry for each requested item, in order. */
  items: z.array(
    z.union([
      z.object({
        /** Number of the value in the history; when the value is unchanged, the number of the stored one. */
        n: count,
        value,
        observedAt: z.number(),
      }),
      z.object({ failure }),
    ]),
  ),
});

/** `id`: JSON-RPC id of the request whose caller no longer waits. */
export const cancel = z.object({ id: count });

// --- the home beside its devices ------------------------------------------------------------------------------------

export * from "./home-frames.ts";
export * from "./scene-frames.ts";

export const goaway = z.object({ afterMs: z.number().min(0) });
