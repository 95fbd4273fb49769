/** Scenes: create, capture, list, read, change, delete and call. */
import type { NewScene, SceneCapture, SceneItem, SceneResult, SceneUpdate } from "@porchlight/shared/api";
import { type Clock, type IdMaker, type Log, nextTurn } from "@porchlight/shared/kernel";
import { type Value, valueProblem } from "@porchlight/shared/model";
import { sceneItemInvalid } from "@porchlight/shared/rest";
import {
  audit,
  type Caller,
  changeLivingObject,
  countVersion,
  devicesWithinZone,
  EMPTY_META,
  endLivingObject,
  insertObject,
  type ObjectChange,
  type Quotas,
  type References,
  readAlias,
  replaceMeta,
} from "../access/index.ts";
import type { Devices, EnvironmentState } from "../devices/index.ts";
import { event } from "../events/index.ts";
import { pageOfObjects, placesToList, readHome } from "../places/index.ts";
import type { ObjectRow, Store } from "../store/index.ts";
import { type CallRequest, callScene } from "./call-scene.ts";
import { planOf, type ShownScene, sceneResource, shownOf } from "./hub-scenes.ts";
import {
  inEnvironment,
  readSceneItems,
  requireHome,
  requireRoom,
  requireTriggers,
  resolveTriggers,
} from "./scene-checks.ts";
import { dropGoneContents, readScene, readSceneContents, replaceContents, type SceneContents } from "./scene-rows.ts";

export interface ScenesDeps {
  readonly store: Store;
  readonly references: References;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly quotas: Quotas;
  readonly devices: Pick<Devices, "environment" | "setEach" | "storeLater" | "homeChanged">;
}

/** The changes of a PUT; undefined leaves a field unchanged. */
export interface SceneChange extends ObjectChange, Pick<SceneUpdate, "items" | "triggers"> {}

/** Bounds of a list: at most `limit` scenes, after the one with that ID. */
export interface ScenesPart {
  readonly after: string;
  readonly limit: number;
}

/** Items of scenes, and environments read for them, per turn of the event loop. */
const AT_ONCE = { items: 5_000, environments: 100 };

type NewRow = Pick<NewScene, "alias" | "meta">;

export class Scenes {
  readonly #deps: ScenesDeps;

  constructor(deps: ScenesDeps) {
    this.#deps = deps;
  }

  /** The scenes that the caller may access, oldest first. @param filter `environmentId` */
  async list(caller: Caller, filter: string | undefined, part: ScenesPart): Promise<ShownScene[]> {
    const { store, references } = this.#deps;
    const places = await placesToList(references, caller, filter);
    const rows = await pageOfObjects(store, "scn", places, part);
    const shown = new Map<string, ShownScene>();
    for (const [eco, some] of Map.groupBy(rows, (row) => row.ecosystem_id)) {
      for (let left: readonly ObjectRow[] = some; left.length > 0; ) {
        const few = withinEnvironments(left, AT_ONCE.environments);
        const scenes = await readSceneContents(store.of(eco).sql, eco, few, AT_ONCE.items);
        for (const scene of await shownOf(this.#deps, scenes)) shown.set(scene.id, scene);
        left = left.slice(scenes.length);
        if (left.length > 0) await nextTurn();
      }
    }
    return rows.flatMap((row) => shown.get(row.id) ?? []);
  }

  async get(caller: Caller, reference: string): Promise<ShownScene> {
    const { ecosystemId, id } = await this.#deps.references.resolve(caller, "scn", reference);
    return this.#shown(ecosystemId, id);
  }

  /**
   * @throws "Alias Exists", "Quota Exceeded", "Scene Item Invalid", "Scene Item Not Found", "Scene Trigger Invalid", "Service Not Found",
   * "Service Property Invalid", "Property Not Writable", "Property Value Invalid", and those of the references
   */
  async create(caller: Caller, given: NewScene, prefix: string): Promise<ShownScene> {
    const { references, devices } = this.#deps;
    const row = newRow(given, prefix);
    const { ecosystemId: eco, id: env } = await references.resolve(caller, "env", given.environmentId);
    const environment = await devices.environment(eco, env);
    const items = await readSceneItems(references, caller, environment, given.items);
    const triggers = await resolveTriggers(references, caller, given.triggers ?? []);
    return this.#insert(caller, { eco, env, ...row }, { items, triggers });
  }

  /**
   * Creates a scene from current values. @throws "Alias Exists", "Quota Exceeded", "Scene Item Invalid",
   * "Scene Item Not Found", and those of the reference
   */
  async capture(caller: Caller, given: SceneCapture, prefix: string): Promise<ShownScene> {
    const { references, devices } = this.#deps;
    const row = newRow(given, prefix);
    const { ecosystemId: eco, id: env } = await references.resolve(caller, "env", given.environmentId);
    const among = given.targets && (await this.#devicesOf(caller, eco, env, given.targets));
    const items = captureItems(await devices.environment(eco, env), among);
    return this.#insert(caller, { eco, env, ...row }, { items, triggers: [] });
  }

  /** @throws as `create`, "Precondition Failed", "Metadata Format Invalid" */
  async update(caller: Caller, reference: string, change: SceneChange): Promise<ShownScene> {
    const { store, references, devices } = this.#deps;
    const target = await references.resolve(caller, "scn", reference);
    const { ecosystemId: eco, id } = target;
    const env = target.environmentId ?? "";
    const before = await readScene(store.of(eco).sql, eco, id);
    const environment = await devices.environment(eco, env);
    const items = change.items && (await readSceneItems(references, caller, environment, change.items));
    const triggers = change.triggers && (await resolveTriggers(references, caller, change.triggers));
    const after = { items: items ?? before.items, triggers: triggers ?? before.triggers };
    const planned = await planOf(this.#deps, { ...before, ...after });
    const { hubId } = planned;
    if (items || triggers) requireTriggers(planned.environment, after.triggers, hubId);
    return store.write(eco, async (tx) => {
      await dropGoneContents(tx, eco, id);
      const standing = await readScene(tx, eco, id);
      const { changed } = await changeLivingObject(tx, references, target, change);
      const isMoved = differs(items, standing.items) || differs(triggers, standing.triggers);
      if (!changed && !isMoved) return { ...standing, hubId };
      if (isMoved) {
        requireHome(after.triggers, await readHome(tx, eco, env));
        await replaceContents(tx, standing, { items, triggers });
        if (!changed) await countVersion(tx, eco, id, 1);
      }
      const scene = { ...(await readScene(tx, eco, id)), hubId };
      tx.append(event("scene.updated", env, sceneResource(scene)));
      tx.afterCommit(() => devices.homeChanged(env));
      await audit(tx, caller, "scene.updated", id);
      return scene;
    });
  }

  /** @throws "Precondition Failed", and those of the reference */
  async delete(caller: Caller, reference: string, matches?: (version: number) => boolean): Promise<void> {
    const { store, references, clock, devices } = this.#deps;
    const target = await references.resolve(caller, "scn", reference);
    const { ecosystemId: eco, id } = target;
    const { hubId } = await this.#shown(eco, id);
    await store.write(eco, async (tx) => {
      await dropGoneContents(tx, eco, id);
      const scene = { ...(await readScene(tx, eco, id)), hubId };
      await endLivingObject(tx, references, target, clock.now(), matches);
      const env = scene.environment_id ?? "";
      tx.append(event("scene.deleted", env, sceneResource(scene)));
      tx.afterCommit(() => devices.homeChanged(env));
      await audit(tx, caller, "scene.deleted", id);
    });
  }

  /** @throws those of the references, "Body Parameters Invalid", "Service Unavailable" */
  call(caller: Caller, reference: string, request: CallRequest): Promise<SceneResult> {
    return callScene(this.#deps, caller, reference, request);
  }

  async #insert(
    caller: Caller,
    { eco, env, alias, meta }: { eco: string; env: string; alias: string | null; meta: string },
    contents: SceneContents,
  ): Promise<ShownScene> {
    const { store, clock, ids, quotas, devices } = this.#deps;
    const planned = await planOf(this.#deps, { ecosystem_id: eco, environment_id: env, meta, ...contents });
    const { hubId } = planned;
    requireTriggers(planned.environment, contents.triggers, hubId);
    const id = ids.next("scn");
    return store.write(eco, async (tx) => {
      await quotas.require(tx, "scenesPerEnvironment", env);
      requireHome(contents.triggers, await readHome(tx, eco, env));
      const made = { ecosystem_id: eco, id, kind: "scn", environment_id: env, alias, meta, created_at: clock.now() };
      const row = await insertObject(tx, made);
      await replaceContents(tx, row, contents);
      const scene = { ...row, ...contents, hubId };
      tx.append(event("scene.created", env, sceneResource(scene)));
      tx.afterCommit(() => devices.homeChanged(env));
      await audit(tx, caller, "scene.created", id);
      return scene;
    });
  }

  async #shown(eco: string, id: string): Promise<ShownScene> {
    const scene = await readScene(this.#deps.store.of(eco).sql, eco, id);
    return { ...scene, hubId: (await planOf(this.#deps, scene)).hubId };
  }

  /** The devices of the given devices and zones, each once. @throws "Scene Item Invalid", "Scene Item Not Found", "Access Denied" */
  async #devicesOf(caller: Caller, eco: string, env: string, targets: readonly string[]): Promise<string[]> {
    const { store, references } = this.#deps;
    const ids = new Set<string>();
    for (const [at, text] of targets.entries()) {
      const { kind, id } = await inEnvironment(references, caller, env, text, `Target ${at}`);
      const some = kind === "dev" ? [id] : await devicesWithinZone(store.of(eco).sql, eco, id);
      for (const each of some) ids.add(each);
    }
    return [...ids];
  }
}

/** @throws "Alias Invalid", "Metadata Format Invalid" */
function newRow({ alias, meta }: NewRow, prefix: string): { readonly alias: string | null; readonly meta: string } {
  return {
    alias: readAlias(alias) ?? null,
    meta: meta === undefined ? EMPTY_META : replaceMeta(EMPTY_META, meta, prefix),
  };
}

/** The first rows, from at most that many environments. */
function withinEnvironments(rows: readonly ObjectRow[], most: number): readonly ObjectRow[] {
  const environments = new Set<string | null>();
  const beyond = rows.findIndex(({ environment_id }) => environments.add(environment_id).size > most);
  return beyond < 0 ? rows : rows.slice(0, beyond);
}

/** Whether a given list differs from the stored one. */
function differs(given: readonly object[] | undefined, standing: readonly object[]): boolean {
  return given !== undefined && JSON.stringify(given) !== JSON.stringify(standing);
}

/** Services for momentary actions that locate a device: they are not part of a home's state. */
const PASSING = new Set(["Identify"]);

/**
 * The current values as items of a scene: every known value that can be set again.
 * @param devices IDs of the devices to capture; undefined: all
 * @throws "Scene Item Invalid" when there are none, or too many
 */
function captureItems(environment: EnvironmentState, devices: readonly string[] | undefined): SceneItem[] {
  const ids = devices ?? environment.devices().map(({ id }) => id);
  const items = ids.flatMap((target) => itemsOf(environment, target));
  if (items.length === 0) throw sceneItemInvalid("None of the devices has a known value that can be set.");
  requireRoom(items);
  return items;
}

function itemsOf(environment: EnvironmentState, target: string): SceneItem[] {
  const properties = [...(environment.device(target)?.described.byKey.values() ?? [])];
  return properties.flatMap((property) => {
    if (!property.writable || !property.readable || PASSING.has(property.service)) return [];
    const item = environment.item(target, property);
    if (!item || valueProblem(property.description, item.value as Value) !== undefined) return [];
    return [{ target, service: property.key, value: item.value }];
  });
}
