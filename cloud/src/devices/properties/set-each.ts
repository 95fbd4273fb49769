/**
 * The writes of one call of a scene: each is a PUT with its own command and its own answer, all within one deadline;
 * those for one hub share a request to it (T5.2).
 */
import type { PropertyItem, WriteFailure } from "@porchlight/shared/api";
import { isNamed } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";
import { frames } from "@porchlight/shared/tunnel";
import type { CommandKeeper } from "../commands/command-result.ts";
import type { EnvironmentState } from "../environment-state.ts";
import type { SceneOfWrite, SetPropertyRequest } from "../relay/accepted-write.ts";
import { type BatchMember, WriteBatch } from "../relay/write-batch.ts";
import { environmentOf, tooLate, writeFailureOf } from "./set-properties.ts";
import { type SetPropertyDeps, setProperty } from "./set-property.ts";

/** A value to be written to one property. */
export interface PlannedWrite {
  readonly deviceId: string;
  readonly address: PropertyAddress;
  readonly value: Value;
}

export interface SetEachRequest {
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly scene: SceneOfWrite;
  /** Each property at most once. */
  readonly writes: readonly PlannedWrite[];
  /** How long the caller waits, ms. */
  readonly waitMs: number;
  readonly tokenId: string;
  readonly requestId?: string | undefined;
  readonly origin?: SetPropertyRequest["origin"];
  /** Set when the request came with an idempotency key. */
  readonly keeper?: CommandKeeper | undefined;
}

/** The result of one write. */
export type EachResult =
  | { readonly kind: "item"; readonly item: PropertyItem; readonly commandId: string }
  | { readonly kind: "failure"; readonly failure: WriteFailure };

/** Maximum concurrent writes of virtual devices. */
const SIDE_BY_SIDE = 32;
/** Maximum characters of the values of one batch as JSON: with their envelope, they fit into one message. */
const MOST_JSON = 96 * 1024;

/** Returns the results in the order of the writes. @throws "Service Unavailable" while the environment cannot be read */
export async function setEach(deps: SetPropertyDeps, request: SetEachRequest): Promise<readonly EachResult[]> {
  const answerBy = deps.clock.monotonic() + request.waitMs;
  const environment = await environmentOf(deps.cache, request);
  const results = new Map<PlannedWrite, EachResult>();
  const set = async (write: PlannedWrite, member?: BatchMember) => {
    try {
      results.set(write, await setOne(deps, environment, request, write, answerBy, member));
    } finally {
      member?.leave();
    }
  };
  const hubOf = ({ deviceId }: PlannedWrite) => environment.device(deviceId)?.clientId ?? null;
  const work = [...Map.groupBy(request.writes, hubOf)].map(async ([clientId, writes]) => {
    if (clientId === null) return sideBySide(writes, set);
    for (const batch of batchesOf(writes)) {
      const members = WriteBatch.of(batch.length);
      await Promise.all(batch.map((write, at) => set(write, members[at])));
    }
  });
  await Promise.all(work);
  return request.writes.flatMap((write) => results.get(write) ?? []);
}

async function setOne(
  deps: SetPropertyDeps,
  environment: EnvironmentState,
  { scene, tokenId, requestId, origin, keeper }: SetEachRequest,
  { deviceId, address, value }: PlannedWrite,
  answerBy: number,
  member: BatchMember | undefined,
): Promise<EachResult> {
  const { ecosystemId, environmentId } = environment;
  // Whole ms: the command's expiry is stored, and the monotonic clock is finer.
  const waitMs = Math.floor(answerBy - deps.clock.monotonic());
  try {
    if (waitMs <= 0) throw tooLate();
    const place = { ecosystemId, environmentId, deviceId, selector: addressKey(address) };
    const asked = { ...place, value, waitMs, tokenId, requestId, origin, keeper, scene, member };
    return { kind: "item", ...(await setProperty(deps, asked)) };
  } catch (error) {
    if (!isNamed(error)) throw error;
    return { kind: "failure", failure: writeFailureOf(environment, deviceId, address, error) };
  }
}

/** Splits the writes by the maximum size of a message. */
function batchesOf(writes: readonly PlannedWrite[]): PlannedWrite[][] {
  const batches: PlannedWrite[][] = [];
  let room = 0;
  for (const write of writes) {
    const length = JSON.stringify(write.value).length;
    const last = batches.at(-1);
    if (last && length <= room && last.length < frames.MOST_SCENE_WRITES) last.push(write);
    else batches.push([write]);
    room = (batches.at(-1) === last ? room : MOST_JSON) - length;
  }
  return batches;
}

async function sideBySide(
  writes: readonly PlannedWrite[],
  set: (write: PlannedWrite) => Promise<unknown>,
): Promise<void> {
  const waiting = writes.values();
  const work = async () => {
    for (const write of waiting) await set(write);
  };
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, writes.length) }, work));
}
