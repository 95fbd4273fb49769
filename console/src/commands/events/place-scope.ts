/** The device or the environment that a word names: its own file, because `watch` and `log` take either. */
import { isPorchlightError } from "@porchlight/sdk";
import type { Device } from "@porchlight/shared/api";
import { nameOf } from "@porchlight/shared/names";
import type { Args } from "../../session/args.ts";
import type { Parameter } from "../../session/command.ts";
import type { Context } from "../../session/context.ts";
import { Failure, UsageError } from "../../session/failure.ts";
import { Places } from "../../session/places.ts";

export const PLACE: Parameter = {
  name: "PLACE",
  summary: "A device or an environment: ID, alias or reference (the environment)",
  isOptional: true,
};

export interface Scope {
  readonly environmentId: string;
  /** The only device of interest. */
  readonly device?: Device;
  readonly title: string;
}

/**
 * What must be looked at. A word can be a device or an environment: an alias is one thing only in an ecosystem.
 * @throws Failure, UsageError, PorchlightError
 */
export async function placeScope(context: Context, args: Args): Promise<Scope> {
  const places = new Places(context, args);
  const text = args.optionalWord("PLACE");
  if (text === undefined) return environmentScope(context, await places.environment());
  if (/^env_/.test(text)) return environmentScope(context, text);
  const asDevice = await found(async () => deviceScope(context, await places.reference("device", text)));
  if (typeof asDevice === "object" && "title" in asDevice) return asDevice;
  if (/^dev_/.test(text)) throw asDevice;
  const asEnvironment = await found(async () => environmentScope(context, await places.reference("environment", text)));
  if (typeof asEnvironment === "object" && "title" in asEnvironment) return asEnvironment;
  throw text.includes(";") ? asDevice : notThere(text);
}

async function environmentScope({ porchlight }: Context, reference: string): Promise<Scope> {
  const environment = await porchlight.environments.get(reference);
  return { environmentId: environment.id, title: nameOf(environment) };
}

async function deviceScope({ porchlight }: Context, reference: string): Promise<Scope> {
  const device = await porchlight.devices.get(reference);
  return { environmentId: device.environmentId, device, title: nameOf(device) };
}

/** What was found, or why the service has found nothing. */
async function found(look: () => Promise<Scope>): Promise<Scope | Error> {
  try {
    return await look();
  } catch (failure) {
    const isNothing = isPorchlightError(failure) && (failure.status === 400 || failure.status === 404);
    if (isNothing || failure instanceof UsageError) return failure;
    throw failure;
  }
}

function notThere(text: string): Failure {
  return new Failure(
    "notFound",
    `There is no \`${text}\`.`,
    "No device or environment that you can access has this name.",
    "porchlight devices list, or porchlight environments list",
  );
}
