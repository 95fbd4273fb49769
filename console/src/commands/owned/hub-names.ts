/** `porchlight hubs name-devices`: names each unnamed device of a hub. `hubs setup` does the same for the devices that it found. */
import { retryOnConflict } from "@porchlight/sdk";
import type { Client, Device } from "@porchlight/shared/api";
import { givenName, NAME_KEY, nameOf } from "@porchlight/shared/names";
import { suggestedNames } from "@porchlight/shared/presentation";
import type { Command } from "../../session/command.ts";
import { YES } from "../../session/confirm.ts";
import type { Context } from "../../session/context.ts";
import { ECOSYSTEM, ENVIRONMENT, Places } from "../../session/places.ts";

export const nameDevices: Command = {
  name: "name-devices",
  summary: "Names devices of a hub that have no name yet",
  parameters: [{ name: "HUB", summary: "ID or reference of the hub" }],
  options: [ECOSYSTEM, ENVIRONMENT, YES],
  examples: ["porchlight hubs name-devices 'home;hub'", "porchlight hubs name-devices 'home;hub' --yes"],
  notes: [
    "It suggests a name by what each device is, such as “Lamp 2”. Press Enter to take it, or type another; `-` leaves the device without a name.",
    "With --yes all suggestions are taken. A device that has a name keeps it.",
  ],
  async run(context, args) {
    const hub = await context.porchlight.clients.get(
      await new Places(context, args).reference("client", args.word("HUB")),
    );
    const count = await nameNewDevices(context, hub, () => true, args.has("yes"));
    if (count === 0) context.output.note("Every device of this hub has a name.");
  },
};

/**
 * @param isWanted selects the devices @param takesAll whether to accept suggestions without a question @returns number of unnamed
 * devices @throws PorchlightError
 */
export async function nameNewDevices(
  context: Context,
  hub: Pick<Client, "id" | "environmentId">,
  isWanted: (device: Device) => boolean,
  takesAll: boolean,
): Promise<number> {
  const { porchlight, prompts, output } = context;
  const { environmentId } = hub;
  const all = await porchlight.devices.list({ environmentId }).all();
  const nameless = all.filter(
    (device) => device.clientId === hub.id && isWanted(device) && givenName(device.meta) === undefined,
  );
  if (nameless.length === 0) return 0;
  const services = new Map(
    (await porchlight.environments.services(environmentId)).map((each) => [each.deviceId, each.services]),
  );
  const suggested = suggestedNames(
    nameless.map(({ id, meta }) => ({
      id,
      services: (services.get(id) ?? []).map(({ service }) => service),
      model: textOf(meta["$.model"]),
    })),
    all.filter((device) => !nameless.includes(device)).map(nameOf),
  );
  for (const device of nameless) {
    const name = suggested.get(device.id) ?? "";
    const question = `Name of ${wordsOf(device)} [${name}]: `;
    const answer = takesAll ? name : (await prompts.ask(question, "--yes")).trim() || name;
    if (answer === "-") continue;
    await nameNew(context, device.id, answer);
    output.note(`${device.edgeId ?? device.id} is called ${answer}.`);
  }
  return nameless.length;
}

/** Sets the name, unless the device has got one meanwhile. */
async function nameNew({ porchlight: { devices } }: Context, id: string, name: string): Promise<void> {
  await retryOnConflict(async () => {
    const { value, etag } = await devices.getTagged(id);
    if (givenName(value.meta) !== undefined) return;
    await devices.update(id, { meta: { ...value.meta, [NAME_KEY]: name } }, { ifMatch: etag });
  });
}

/** "IKEA LED1623G12, 00-15-8D-00-01-02-03-04". */
function wordsOf({ id, edgeId = id, meta }: Device): string {
  const product = [meta["$.manufacturer"], meta["$.model"]].map(textOf).filter((each) => each !== undefined);
  return product.length === 0 ? edgeId : `${product.join(" ")}, ${edgeId}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
