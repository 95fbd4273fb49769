/**
 * The call of a scene: all its writes at once, each with a command and an answer of its own.
 *
 * Invariants: under an idempotency key the plan is stored before anything is sent, so that a repeat executes the same
 * writes, even if the scene has changed meanwhile, and none of them twice; their results are reported in one event,
 * once.
 */
import type { SceneResult, WriteFailure } from "@porchlight/shared/api";
import { type Id, type IdMaker, isNamed, type Log, NamedError } from "@porchlight/shared/kernel";
import type { Caller, References } from "../access/index.ts";
import type { CommandKeeper, Devices, EachResult, SetEachRequest } from "../devices/index.ts";
import { event } from "../events/index.ts";
import type { Store, Transaction } from "../store/index.ts";
import { type PlansDeps, planOf } from "./hub-scenes.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { readScene } from "./scene-rows.ts";

export interface CallDeps extends PlansDeps {
  readonly store: Store;
  readonly references: References;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly devices: Pick<Devices, "environment" | "setEach" | "storeLater">;
}

/** Remembers the progress of a request with an idempotency key. */
export interface CallKeeper extends CommandKeeper {
  /** The text that an earlier attempt stored under a key. */
  earlier(word: string): string | undefined;
  /**
   * Stores a text in the job of the change it describes. @throws "Idempotency Key In Use" when another attempt has
   * taken over the request
   */
  keepText(tx: Transaction, word: string, text: string): Promise<void>;
}

export interface CallRequest {
  /** References of devices that the writes are restricted to; undefined: all. */
  readonly only?: readonly string[] | undefined;
  /** How long the caller waits, ms. */
  readonly waitMs: number;
  readonly tokenId: string;
  readonly requestId?: string | undefined;
  readonly origin?: SetEachRequest["origin"];
  readonly keeper?: CallKeeper | undefined;
}

/** One call, as it is stored. */
interface Call extends ScenePlan {
  /** ID of the call as a whole. */
  readonly commandId: Id<"cmd">;
}

/** The keys of the stored texts. */
const CALL = "scene call";
const CALL_RECORDED = "scene told";

/** @throws those of the references, "Body Parameters Invalid", "Service Unavailable" */
export async function callScene(
  deps: CallDeps,
  caller: Caller,
  reference: string,
  request: CallRequest,
): Promise<SceneResult> {
  const { references, store, devices } = deps;
  const { waitMs, tokenId, requestId, origin, keeper } = request;
  const { ecosystemId, environmentId, id: sceneId } = await references.resolve(caller, "scn", reference);
  const place = { ecosystemId, environmentId: environmentId ?? "" };
  const kept = keeper?.earlier(CALL);
  // Only this module writes the text.
  const call =
    kept === undefined ? await plan(deps, caller, ecosystemId, sceneId, request) : (JSON.parse(kept) as Call);
  if (keeper && kept === undefined)
    await store.write(ecosystemId, (tx) => keeper.keepText(tx, CALL, JSON.stringify(call)));
  const { commandId, writes, refused } = call;
  const scene = { sceneId, commandId };
  const results = await devices.setEach({ ...place, scene, writes, waitMs, tokenId, requestId, origin, keeper });
  const answer = answerOf(commandId, results, refused);
  await tell(deps, place, { sceneId, tokenId }, answer, keeper);
  return answer;
}

async function plan(
  deps: CallDeps,
  caller: Caller,
  eco: string,
  sceneId: string,
  { only }: CallRequest,
): Promise<Call> {
  const wanted = only && (await resolveOnly(deps.references, caller, only));
  const scene = await readScene(deps.store.of(eco).sql, eco, sceneId);
  const { plan: whole } = await planOf(deps, scene);
  const commandId = deps.ids.next("cmd");
  if (!wanted) return { commandId, ...whole };
  const isWanted = ({ deviceId }: { readonly deviceId: string }) => wanted.includes(deviceId);
  const part = { writes: whole.writes.filter(isWanted), refused: whole.refused.filter(isWanted) };
  const set = new Set([...part.writes, ...part.refused].map(({ deviceId }) => deviceId));
  const strange = wanted.findIndex((id) => !set.has(id));
  if (strange < 0) return { commandId, ...part };
  const message = "is no device that the scene sets";
  throw new NamedError("Body Parameters Invalid", `\`/only/${strange}\` ${message}.`, {
    errors: [{ pointer: `/only/${strange}`, message }],
  });
}

/** @throws "Device Invalid", "Device Not Found", "Access Denied" */
async function resolveOnly(references: References, caller: Caller, only: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const each of only) ids.push((await references.resolve(caller, "dev", each)).id);
  return ids;
}

function answerOf(commandId: string, results: readonly EachResult[], refused: readonly WriteFailure[]): SceneResult {
  const items = results.flatMap((each) => (each.kind === "item" ? [{ ...each.item, commandId: each.commandId }] : []));
  const failures = [...results.flatMap((each) => (each.kind === "failure" ? [each.failure] : [])), ...refused];
  return { commandId, items, ...(failures.length > 0 && { failures }) };
}

/**
 * Appends the event of the call, once. If the store refuses it, it is stored later, because the writes are done
 * nevertheless; under an idempotency key the repeat of the request stores it.
 * @throws "Service Unavailable"
 */
async function tell(
  { store, devices, log }: CallDeps,
  { ecosystemId, environmentId }: { readonly ecosystemId: string; readonly environmentId: string },
  by: { readonly sceneId: string; readonly tokenId: string },
  { commandId, items, failures }: SceneResult,
  keeper: CallKeeper | undefined,
): Promise<void> {
  if (keeper?.earlier(CALL_RECORDED) !== undefined) return;
  const data = { ...by, commandId, confirmed: items.length, ...(failures && { failures }) };
  const append = () =>
    store.write(ecosystemId, async (tx) => {
      await keeper?.keepText(tx, CALL_RECORDED, commandId);
      tx.append(event("scene.called", environmentId, data));
    });
  try {
    await append();
  } catch (error) {
    if (!isNamed(error, "Service Unavailable")) throw error;
    if (keeper)
      throw new NamedError("Service Unavailable", NOT_STORED_YET, { outcome: "unknown", retryAfter: 1, cause: error });
    log.warn({ error, command: commandId }, "the call of a scene could not be told yet");
    // An event that may be stored already is not stored again.
    if (error.outcome !== "unknown") devices.storeLater(commandId, append);
  }
}

const NOT_STORED_YET = "The result of the call could not be stored yet: repeat the request with its key.";
