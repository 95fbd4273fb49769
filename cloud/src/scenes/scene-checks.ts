/** Checks the items and triggers of a scene request before they are stored. */
import {
  MOST_SCENE_ITEMS,
  MOST_SCENE_JSON,
  type NewSceneItem,
  type NewSceneTrigger,
  type SceneItem,
  type SceneTrigger,
} from "@porchlight/shared/api";
import { isNamed, NamedError, nextTurn } from "@porchlight/shared/kernel";
import { hasType, parseSelector, type Value, valueBreach } from "@porchlight/shared/model";
import { checkWrite, sceneItemInvalid } from "@porchlight/shared/rest";
import type { Caller, References, Resolved } from "../access/index.ts";
import type { EnvironmentState } from "../devices/index.ts";
import type { HomeFacts } from "../places/index.ts";

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

/** The property whose events call scenes. */
const BUTTON = { service: "Button", property: "event" } as const;

/** Returns the triggers as they are stored. @throws "Device Invalid", "Device Not Found", "Access Denied" */
export function resolveTriggers(
  references: References,
  caller: Caller,
  given: readonly NewSceneTrigger[],
): Promise<readonly SceneTrigger[]> {
  return Promise.all(
    given.map(async (trigger): Promise<SceneTrigger> => {
      if (trigger.kind !== "event") return trigger;
      const { id } = await references.resolve(caller, "dev", trigger.deviceId);
      return { ...trigger, deviceId: id };
    }),
  );
}

/** @param hubId the hub of all devices that the scene writes to, if there is only one @throws "Scene Trigger Invalid" */
export function requireTriggers(
  environment: EnvironmentState,
  triggers: readonly SceneTrigger[],
  hubId: string | undefined,
): void {
  if (triggers.length === 0) return;
  if (hubId === undefined)
    throw invalid("A hub carries out triggers, so all devices that the scene sets must be connected to one hub.");
  for (const [at, trigger] of triggers.entries()) {
    const problem = trigger.kind === "event" ? buttonProblem(environment, trigger, hubId) : undefined;
    if (problem !== undefined) throw invalid(problem, at);
  }
}

/** @throws "Scene Trigger Invalid" */
export function requireHome(triggers: readonly SceneTrigger[], { timeZone, location }: HomeFacts): void {
  for (const [at, { kind }] of triggers.entries()) {
    if (kind === "event") continue;
    if (timeZone === undefined) throw invalid("The environment has no `timeZone`, which times need.", at);
    if (kind === "sun" && !location)
      throw invalid("The environment has no `location`, which sunrise and sunset need.", at);
  }
}

function buttonProblem(
  environment: EnvironmentState,
  { deviceId, service, value }: Extract<SceneTrigger, { kind: "event" }>,
  hubId: string,
): string | undefined {
  const device = environment.device(deviceId);
  if (!device) return "The device with the button is in another environment than the scene.";
  if (device.clientId !== hubId) return "The device with the button must be connected to the hub of the scene.";
  const selector = parseSelector(service);
  if (selector?.service !== BUTTON.service || selector.property !== BUTTON.property)
    return "Only the event of a button can call a scene: `Button.event`, or `Button:INDEX.event`.";
  const found = (device.described.byService.get(BUTTON.service) ?? []).filter(
    ({ index, property }) => property === BUTTON.property && (selector.index ?? index) === index,
  );
  const [button, another] = found;
  if (!button) return `The device has no ${service}.`;
  if (another) return "The device has several buttons. Give the index of one.";
  const { values } = button.description;
  if (!hasType(button.description, value) || (values && !values.includes(value)))
    return `The button does not report ${value}.`;
  return undefined;
}

/** @param at place in the list */
function invalid(detail: string, at?: number): NamedError {
  if (at === undefined) return new NamedError("Scene Trigger Invalid", detail);
  const errors = [{ pointer: `/triggers/${at}`, message: detail }];
  return new NamedError("Scene Trigger Invalid", `Trigger ${at}: ${detail}`, { errors });
}
