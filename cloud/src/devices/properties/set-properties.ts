/**
 * Sets many properties concurrently within one deadline: one property on every device of an environment or zone (A2), or the
 * writes of a scene (T5.2).
 */
import type { PropertyItem, WriteFailure } from "@porchlight/shared/api";
import { isNamed, NamedError } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, parseSelector, type Value } from "@porchlight/shared/model";
import { lastKnownOf } from "@porchlight/shared/rest";
import { frames } from "@porchlight/shared/tunnel";
import { devicesWithinZone, type Resolved } from "../../access/index.ts";
import type { Store } from "../../store/index.ts";
import type { CommandKeeper } from "../commands/command-result.ts";
import { deviceNotFound } from "../device-row.ts";
import type { EnvironmentCache } from "../environment-cache.ts";
import type { EnvironmentState, Selected } from "../environment-state.ts";
import type { SceneOfWrite, SetPropertyRequest } from "../relay/accepted-write.ts";
import { type BatchMember, WriteBatch } from "../relay/write-batch.ts";
import { type SetPropertyDeps, setProperty } from "./set-property.ts";

export interface SetPropertiesRequest {
  /** `SERVICE[:INDEX].PROPERTY`. */
  readonly selector: string;
  readonly value: Value;
  /** How long the caller waits, ms. */
  readonly waitMs: number;
  readonly tokenId: string;
  readonly requestId?: string | undefined;
  readonly origin?: SetPropertyRequest["origin"];
  /** Set when the request came with an idempotency key. */
  readonly keeper?: CommandKeeper | undefined;
}

export interface WriteAnswer {
  readonly items: readonly PropertyItem[];
  /** Absent without failures. */
  readonly failures?: readonly WriteFailure[] | undefined;
}

/** Maximum concurrent writes on one hub, or on all virtual devices: a slow hub does not delay the others, and no hub is flooded. */
const SIDE_BY_SIDE = 32;

/** @throws "Service Not Found", "Service Property Invalid" */
export async function setProperties(
  deps: SetPropertyDeps,
  scope: PropertyScope,
  request: SetPropertiesRequest,
): Promise<WriteAnswer> {
  const answerBy = deps.clock.monotonic() + request.waitMs;
  const environment = await environmentOf(deps.cache, scope);
  const selected = planWrite(environment, request.selector, idsOf(scope));
  const entries = new Map<Selected, PropertyItem | WriteFailure>();
  const work = async (waiting: Iterator<Selected>) => {
    for (let next = waiting.next(); !next.done; next = waiting.next())
      entries.set(next.value, await setOne(deps, environment, request, next.value, answerBy));
  };
  const queues = [...Map.groupBy(selected, ({ device }) => device.clientId).values()];
  await Promise.all(
    queues.flatMap((queue) => {
      const waiting = queue.values();
      return Array.from({ length: Math.min(SIDE_BY_SIDE, queue.length) }, () => work(waiting));
    }),
  );
  return answerOf(selected, entries);
}

/** @throws "Service Not Found", "Service Property Invalid" */
function planWrite(
  environment: EnvironmentState,
  selectorText: string,
  among: readonly string[] | undefined,
): readonly Selected[] {
  const selector = parseSelector(selectorText);
  if (!selector) throw new NamedError("Service Not Found", "The selector must be SERVICE[:INDEX].PROPERTY.");
  if (!environment.hasService(selector, among))
    throw new NamedError("Service Not Found", `No device here has the service ${selectorText}.`);
  if (selector.property === undefined)
    throw new NamedError("Service Property Invalid", "Name the property of the service to set.");
  const selected = environment.select(selector, among);
  if (selected.length === 0)
    throw new NamedError("Service Property Invalid", `${selector.service} has no property ${selector.property} here.`);
  return selected;
}

async function setOne(
  deps: SetPropertyDeps,
  environment: EnvironmentState,
  { value, ...request }: SetPropertiesRequest,
  selected: Selected,
  answerBy: number,
): Promise<PropertyItem | WriteFailure> {
  const { ecosystemId, environmentId } = environment;
  const { device, property } = selected;
  // Whole ms: the command's expiry is stored, and the monotonic clock is finer.
  const waitMs = Math.floor(answerBy - deps.clock.monotonic());
  try {
    if (waitMs <= 0) throw tooLate();
    const scope = { ecosystemId, environmentId, deviceId: device.id };
    return (await setProperty(deps, { ...request, ...scope, selector: property.key, value, waitMs })).item;
  } catch (error) {
    if (!isNamed(error)) throw error;
    return writeFailureOf(environment, device.id, property, error);
  }
}

/** Orders the results as the selection, and not by completion. */
function answerOf(
  selected: readonly Selected[],
  entries: ReadonlyMap<Selected, PropertyItem | WriteFailure>,
): WriteAnswer {
  const items: PropertyItem[] = [];
  const failures: WriteFailure[] = [];
  for (const each of selected) {
    const entry = entries.get(each);
    if (entry && "outcome" in entry) failures.push(entry);
    else if (entry) items.push(entry);
  }
  return failures.length === 0 ? { items } : { items, failures };
}

/**
 * The entry of a failed write among many (A2), for writes to a zone and for those of a scene. A refusal of the cloud
 * has no outcome:
 * nothing was sent, and there is no command.
 */
export function writeFailureOf(
  environment: EnvironmentState,
  deviceId: string,
  { service, index, property }: PropertyAddress,
  error: NamedError,
): WriteFailure {
  const described = environment.device(deviceId)?.described.byKey.get(addressKey({ service, index, property }));
  const known = described && environment.item(deviceId, described);
  const commandId = error.outcome && error.headers?.["x-command-id"];
  const code = error.members?.code;
  return {
    deviceId,
    service,
    index,
    property,
    name: error.name,
    detail: error.message,
    outcome: error.outcome === undefined || error.outcome === "confirmed" ? "not_sent" : error.outcome,
    ...(typeof code === "number" && { code }),
    ...(commandId !== undefined && { commandId }),
    ...(known && { lastKnown: lastKnownOf(known) }),
  };
}

/** The error of a write whose turn came after the common deadline. */
function tooLate(): NamedError {
  return new NamedError("Hub Timeout", "The write waited too long in the queue: nothing was sent.", {
    outcome: "not_sent",
  });
}

/** The devices that a read or write covers: one device, those of a zone, or all of an environment. */
export interface PropertyScope {
  readonly ecosystemId: string;
  readonly environmentId: string;
  /** One device; undefined: several. */
  readonly deviceId?: string | undefined;
  /** The devices of a zone, in the order of their IDs; undefined: all of the environment. */
  readonly deviceIds?: readonly string[] | undefined;
}

/** All devices in the zone and its zones, each once. */
export async function zoneScope(
  store: Store,
  { ecosystemId, environmentId, id }: Resolved<"zon">,
): Promise<PropertyScope> {
  const deviceIds = await devicesWithinZone(store.of(ecosystemId).sql, ecosystemId, id);
  // A zone is always in an environment.
  return { ecosystemId, environmentId: environmentId ?? "", deviceIds };
}

/** The IDs of the covered devices; undefined: all. */
export function idsOf({ deviceId, deviceIds }: PropertyScope): readonly string[] | undefined {
  return deviceId === undefined ? deviceIds : [deviceId];
}

/** The environment in memory. @throws "Device Not Found" when the single device is not in it */
export async function environmentOf(cache: EnvironmentCache, scope: PropertyScope): Promise<EnvironmentState> {
  const environment = cache.peek(scope.environmentId) ?? (await cache.get(scope.ecosystemId, scope.environmentId));
  if (scope.deviceId !== undefined && !environment.device(scope.deviceId)) throw deviceNotFound();
  return environment;
}

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
/** Maximum characters of the values of one batch as JSON: with their envelope, they fit into one message. */
const MOST_JSON = 96 * 1024;

/**
 * The writes of one call of a scene: each is a PUT with its own command; those for one hub share a request to it. Returns the results in
 * the order of the writes. @throws "Service Unavailable" while the environment cannot be read
 */
export async function setEach(deps: SetPropertyDeps, request: SetEachRequest): Promise<readonly EachResult[]> {
  const answerBy = deps.clock.monotonic() + request.waitMs;
  const environment = await environmentOf(deps.cache, request);
  const results = new Map<PlannedWrite, EachResult>();
  const set = async (write: PlannedWrite, member?: BatchMember) => {
    try {
      results.set(write, await setPlanned(deps, environment, request, write, answerBy, member));
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

async function setPlanned(
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
