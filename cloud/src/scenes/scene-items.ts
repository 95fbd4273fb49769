/** Checks of the items of a scene request. */
import { MOST_SCENE_ITEMS, MOST_SCENE_JSON, type NewSceneItem, type SceneItem } from "@porchlight/shared/api";
import { isNamed, NamedError, nextTurn } from "@porchlight/shared/kernel";
import { parseSelector, type Value, valueBreach } from "@porchlight/shared/model";
import { checkWrite, sceneItemInvalid } from "@porchlight/shared/rest";
import type { Caller, References, Resolved } from "../access/index.ts";
import type { EnvironmentState } from "../devices/index.ts";

/** References resolved per turn of the event loop. */
const A_TURN = 100;

/**
 * Checks the items of a request before they are stored: for a device as a write to it would be, for a zone as far as
 * possible.
 * @throws "Scene Item Invalid", "Scene Item Not Found", "Access Denied", "Service Not Found",
 * "Service Property Invalid", "Property Not Writable", "Property Value Invalid"
 */
export async function readSceneItems(
  references: References,
  caller: Caller,
  environment: EnvironmentState,
  given: readonly NewSceneItem[],
): Promise<readonly SceneItem[]> {
  const items: SceneItem[] = [];
  for (const [at, { target: text, service, value }] of given.entries()) {
    if (at % A_TURN === A_TURN - 1) await nextTurn();
    const target = await inEnvironment(references, caller, environment.environmentId, text, `Item ${at}`);
    try {
      if (target.kind === "dev") checkDevice(environment, target.id, service, value as Value);
      else checkZone(service, value as Value);
    } catch (error) {
      throw isNamed(error) ? atItem(error, at) : error;
    }
    items.push({ target: target.id, service, value });
  }
  requireRoom(items);
  return items;
}

/** @throws "Scene Item Invalid" */
export function requireRoom(items: readonly SceneItem[]): void {
  if (items.length > MOST_SCENE_ITEMS)
    throw sceneItemInvalid(`A scene has at most ${MOST_SCENE_ITEMS} items, and these are ${items.length}.`);
  if (JSON.stringify(items).length > MOST_SCENE_JSON)
    throw sceneItemInvalid(`The items of a scene have at most ${MOST_SCENE_JSON} characters of JSON.`);
}

/** Resolves a device or zone of the environment. @throws "Scene Item Invalid", "Scene Item Not Found", "Access Denied" */
export async function inEnvironment(
  references: References,
  caller: Caller,
  environmentId: string,
  text: string,
  what: string,
): Promise<Resolved<"zon" | "dev">> {
  const target = await references.resolveSceneTarget(caller, text);
  if (target.environmentId !== environmentId)
    throw sceneItemInvalid(`${what} is for another environment than that of the scene.`);
  return target;
}

function checkDevice(environment: EnvironmentState, id: string, service: string, value: Value): void {
  const device = environment.device(id);
  if (!device) throw new NamedError("Scene Item Not Found", "The device was just deleted.");
  checkWrite(device.described, service, value);
}

/** The devices of a zone are known only when the scene is called. */
function checkZone(service: string, value: Value): void {
  const selector = parseSelector(service);
  if (!selector) throw new NamedError("Service Not Found", "The selector must be SERVICE[:INDEX].PROPERTY.");
  if (selector.property === undefined)
    throw new NamedError("Service Property Invalid", "Name the property of the service to set.");
  if (valueBreach(value) !== undefined)
    throw new NamedError("Property Value Invalid", "The value is too large, or nested too deep.");
}

function atItem({ name, message }: NamedError, at: number): NamedError {
  return new NamedError(name, `Item ${at}: ${message}`, { errors: [{ pointer: `/items/${at}`, message }] });
}
