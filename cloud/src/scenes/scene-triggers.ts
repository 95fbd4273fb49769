/** Checks the triggers of a request before they are stored: the hub must be able to run them alone. */
import type { NewSceneTrigger, SceneTrigger } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { hasType, parseSelector } from "@porchlight/shared/model";
import type { Caller, References } from "../access/index.ts";
import type { EnvironmentState } from "../devices/index.ts";
import type { HomeFacts } from "../places/index.ts";

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
