/**
 * The protocol between an agent and a child with a driver. This file is the specification; its version is in `ipc-version.ts`.
 *
 *   opening   agent -> child   hello             the versions that the agent supports
 *             child -> agent   hello             the version that both use from now on
 *             agent -> child   start             the driver and its settings
 *             child -> agent   started, failed   the driver runs, or cannot run
 *   steady    agent -> child   ping <- pong      every 5 s
 *             agent -> child   read, write       with the milliseconds left <- result; `abort`: the caller is gone
 *             child -> agent   offered <- granted, refused    `arrived` of the driver's host: the driver requests a device
 *             child -> agent   described, left, opened, unread, forget_reports        calls of the driver's host
 *             child -> agent   withdrawn         the driver no longer wants an offered device
 *             child -> agent   reported, pushed, learned, store_get, store_all, store_set, claims <- answer
 *             child -> agent   watch_admission <- admission, at once and at each change
 *             child -> agent   state             devices found, problem, status
 *             agent -> child   setup <- setup_tell, setup_found, setup_ask -> setup_answer, setup_ended; `setup_abort`
 *   leaving   agent -> child   end <- ended      after the answers to all open questions
 *
 * An id names a question of the end that asks. An unknown or malformed message ends the child.
 */
import { z } from "zod";
import {
  address,
  count,
  driverResult,
  foundDevice,
  ipcEdgeId,
  liveDevice,
  observation,
  questionId,
  reportSource,
  setupFind,
  setupKind,
  setupQuestion,
  shortText,
  unpairedDevice,
  value,
} from "./message-parts.ts";

const message = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...shape });

/** Time left of a deadline, ms: at most a day. */
const msLeft = z
  .number()
  .min(0)
  .max(24 * 3_600_000);
const target = { device: ipcEdgeId, ...address.shape };
const storeKey = z.string().max(256);
/** At most 512 KiB, base64. */
const storeValue = z.base64().max(700_000);

export const toChild = z.discriminatedUnion("type", [
  message("hello", { oldest: count, newest: count }),
  message("start", { name: shortText, entry: z.string().max(4096), settings: z.unknown() }),
  message("ping", { n: count }),
  message("read", { id: questionId, ...target, msLeft }),
  message("write", { id: questionId, ...target, value, msLeft }),
  message("abort", { id: questionId }),
  message("yield", { edgeIds: z.array(ipcEdgeId).max(1000) }),
  message("granted", { edgeId: ipcEdgeId, offer: count }),
  message("refused", { edgeId: ipcEdgeId, offer: count }),
  message("answer", { id: questionId, answer: z.unknown().optional(), failure: shortText.optional() }),
  message("admission", { edgeId: ipcEdgeId, admitted: z.boolean() }),
  message("setup", { id: questionId, kind: shortText }),
  message("setup_abort", { id: questionId }),
  message("setup_answer", { id: questionId, question: count, answer: shortText }),
  message("end", {}),
]);

export const fromChild = z.discriminatedUnion("type", [
  message("hello", { version: count }),
  message("started", {}),
  message("failed", { why: shortText }),
  message("pong", { n: count }),
  message("result", { id: questionId, result: driverResult }),
  message("offered", { offer: count, device: liveDevice }),
  message("withdrawn", { edgeId: ipcEdgeId }),
  message("described", { device: liveDevice }),
  message("left", { edgeId: ipcEdgeId }),
  message("opened", { transport: z.string().max(256) }),
  message("unread", target),
  message("forget_reports", { node: z.string().max(64) }),
  message("reported", { id: questionId, report: observation, source: reportSource }),
  message("pushed", { id: questionId, observation }),
  message("learned", { id: questionId, observation }),
  message("store_get", { id: questionId, key: storeKey }),
  message("store_all", { id: questionId, prefix: storeKey, after: storeKey.optional() }),
  message("store_set", { id: questionId, key: storeKey, value: storeValue.optional() }),
  message("claims", { id: questionId, edgeIds: z.array(ipcEdgeId).max(1000) }),
  message("watch_admission", { edgeId: ipcEdgeId }),
  message("state", {
    found: z.array(foundDevice).max(100),
    unpaired: z.array(unpairedDevice).max(100).default([]),
    problem: shortText.optional(),
    setups: z.array(setupKind).max(32),
    status: z.unknown(),
  }),
  message("log", {
    level: z.enum(["debug", "info", "warn", "error"]),
    fields: z.record(z.string().max(64), z.unknown()),
    text: shortText,
  }),
  message("setup_tell", { id: questionId, text: shortText, seconds: z.number().min(0).optional() }),
  message("setup_found", { id: questionId, find: setupFind }),
  message("setup_ask", { id: questionId, question: count, about: setupQuestion }),
  message("setup_ended", { id: questionId, failure: shortText.optional() }),
  message("ended", {}),
]);

export type ToChild = z.output<typeof toChild>;
export type FromChild = z.output<typeof fromChild>;
/** Messages of one type, or of several. */
export type ToChildOf<T extends ToChild["type"]> = Extract<ToChild, { type: T }>;
export type FromChildOf<T extends FromChild["type"]> = Extract<FromChild, { type: T }>;

/** The questions of a child that have exactly one answer. */
export type ChildQuestion = FromChildOf<
  "reported" | "pushed" | "learned" | "store_get" | "store_all" | "store_set" | "claims"
>;

/** One page of a driver's stored entries; `after` is the last key when there are more. */
export const storePage = z.object({ entries: z.array(z.tuple([storeKey, storeValue])), after: storeKey.optional() });
/** The largest value that can be stored over the channel, bytes. */
export const MAX_STORED_BYTES = 512 * 1024;

/** Describes where a message breaks the protocol, by its type and path, never by its value. */
export function breachOf(issues: readonly { readonly path: readonly PropertyKey[] }[], given: unknown): string {
  const type = typeof given === "object" && given !== null && "type" in given ? String(given.type) : "no type";
  return [type, ...(issues[0]?.path ?? [])].join(".").slice(0, 100);
}
