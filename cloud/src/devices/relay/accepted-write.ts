/**
 * An accepted write: checked against the device's own description before anything is sent (A4), with its
 * deadlines, and the row that it is stored as.
 */
import type { PropertyItem } from "@porchlight/shared/api";
import { type Clock, type Id, TimingBreakdown } from "@porchlight/shared/kernel";
import type { DescribedProperty, Value } from "@porchlight/shared/model";
import { checkWrite } from "@porchlight/shared/rest";
import type { Caller } from "../../access/index.ts";
import type { CommandRow } from "../../store/index.ts";
import { type CommandOrigin, hopsText, originText } from "../commands/command-origin.ts";
import { asUnavailable } from "../commands/command-outcome.ts";
import type { CommandKeeper } from "../commands/command-result.ts";
import { type CommandEnd, confirmedText } from "../commands/command-store.ts";
import { deviceNotFound } from "../device-row.ts";
import type { EnvironmentCache } from "../environment-cache.ts";
import type { CachedDevice, EnvironmentState } from "../environment-state.ts";
import type { BatchMember } from "./write-batch.ts";

/** The call of a scene. */
export interface SceneOfWrite {
  readonly sceneId: string;
  /** ID of the call's command. */
  readonly commandId: string;
}

export interface SetPropertyRequest {
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly deviceId: string;
  /** `SERVICE[:INDEX].PROPERTY`. */
  readonly selector: string;
  readonly value: Value;
  /** Set for a value that the caller reports as the device's sensor would: the kind of the caller, because users may not. */
  readonly reportBy?: Caller["kind"] | undefined;
  /** How long the caller waits, ms. */
  readonly waitMs: number;
  readonly tokenId: string;
  /** For the hub's log. */
  readonly requestId?: string | undefined;
  /** Further data of the request, which `why` reports. */
  readonly origin?: Pick<CommandOrigin, "address" | "idempotencyKey"> | undefined;
  /** Set when another node took the request and asks this one. */
  readonly isElsewhere?: true | undefined;
  /** Timing of the stages `check`, `queue`, `tunnel` with the hub's own part, and `store`; started here when undefined. */
  readonly hops?: TimingBreakdown | undefined;
  /** The call of a scene that it is part of, and its place among the writes that go to the hub together. */
  readonly scene?: SceneOfWrite | undefined;
  readonly member?: BatchMember | undefined;
  /** Set when the request came with an idempotency key. */
  readonly keeper?: CommandKeeper | undefined;
}

export interface SetPropertyResult {
  readonly commandId: Id<"cmd">;
  readonly item: PropertyItem;
}

/** An accepted write in progress. */
export interface Write extends SetPropertyRequest {
  readonly commandId: Id<"cmd">;
  readonly device: CachedDevice;
  readonly property: DescribedProperty;
  /** Wall-clock ms. */
  readonly acceptedAt: number;
  /** Monotonic ms. */
  readonly answerBy: number;
  readonly hubDeadline: number;
  readonly hops: TimingBreakdown;
}

/** The hub stops this long before the caller is answered, so that its answer arrives in time, ms; a quarter of a short wait. */
const MARGIN_MS = 500;

/** Dependencies of `accept`. */
interface AcceptDeps {
  readonly cache: EnvironmentCache;
  readonly clock: Clock;
}

/**
 * @throws "Device Not Found", "Service Not Found", "Service Property Invalid", "Property Not Writable",
 * "Property Value Invalid", "Service Unavailable" for a command that is not stored
 */
export async function accept(
  { cache, clock }: AcceptDeps,
  request: SetPropertyRequest,
  commandId: Id<"cmd">,
): Promise<Write> {
  const environment = cache.peek(request.environmentId) ?? (await readEnvironment(cache, request));
  const device = environment.device(request.deviceId);
  if (!device) throw deviceNotFound();
  const { reportBy } = request;
  const mayReport = device.clientId === null && reportBy !== "user";
  const report = reportBy === undefined ? "none" : mayReport ? "allowed" : "refused";
  const property = checkWrite(device.described, request.selector, request.value, report);
  const { hops = new TimingBreakdown(clock) } = request;
  const now = clock.monotonic();
  const answerBy = now + request.waitMs;
  const hubDeadline = answerBy - Math.min(MARGIN_MS, request.waitMs / 4);
  return { ...request, commandId, device, property, acceptedAt: clock.now(), answerBy, hubDeadline, hops };
}

async function readEnvironment(cache: EnvironmentCache, request: SetPropertyRequest): Promise<EnvironmentState> {
  try {
    return await cache.get(request.ecosystemId, request.environmentId);
  } catch (error) {
    throw asUnavailable(error, "not_sent");
  }
}

/** @param now wall-clock ms of the end */
export function rowOf(write: Write, end: CommandEnd, now: number): CommandRow {
  const asked = JSON.stringify(write.value);
  return {
    ecosystem_id: write.ecosystemId,
    id: write.commandId,
    environment_id: write.environmentId,
    device_id: write.deviceId,
    client_id: write.device.clientId,
    service: write.property.service,
    idx: write.property.index,
    property: write.property.property,
    value: asked,
    state: end.state,
    outcome: end.outcome,
    error: end.error ? JSON.stringify(end.error) : null,
    created_at: write.acceptedAt,
    expires_at: write.acceptedAt + write.waitMs,
    completed_at: now,
    token_id: write.tokenId,
    deferred: null,
    origin: originText({ ...write.origin, requestId: write.requestId, ...(write.reportBy && { isReport: true }) }),
    hops: hopsText(write.hops.ms, write.isElsewhere === true),
    scene_id: write.scene?.sceneId ?? null,
    scene_command_id: write.scene?.commandId ?? null,
    confirmed_value: confirmedText(asked, end),
  };
}
