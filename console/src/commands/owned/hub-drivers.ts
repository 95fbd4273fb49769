/**
 * `porchlight hubs drivers`, `hubs found`, `hubs admit`, `hubs setup`, `hubs name-devices`: devices that a hub's drivers see, their
 * admission and setup, and their names.
 */
import { retryOnConflict } from "@porchlight/sdk";
import type { Client, Device } from "@porchlight/shared/api";
import type { HubSetup, UnpairedDeviceText } from "@porchlight/shared/model";
import { givenName, NAME_KEY, nameOf } from "@porchlight/shared/names";
import { suggestedNames } from "@porchlight/shared/presentation";
import type { Column } from "../../render/table.ts";
import type { Args, Option } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { Failure } from "../../session/failure.ts";
import { ECOSYSTEM, ENVIRONMENT, Places } from "../../session/places.ts";
import { confirm, YES } from "../../session/questions.ts";
import { fieldsNamed, WHERE, Where } from "../../session/where.ts";

const HUB = { name: "HUB", summary: "ID or reference of the hub" };
const PLACE: readonly Option[] = [ECOSYSTEM, ENVIRONMENT];

/** How long the hub delays its answer while nothing is new, seconds. */
const WAIT_SECONDS = 10;

const DRIVERS: readonly Column[] = [
  { heading: "driver", path: "name" },
  { heading: "state", path: "state" },
  { heading: "devices", path: "devices" },
  { heading: "setups", path: "kinds" },
  { heading: "problem", path: "problem" },
];

const FOUND: readonly Column[] = [
  { heading: "edge ID", path: "edgeId" },
  { heading: "name", path: "name" },
  { heading: "model", path: "model" },
  { heading: "services", path: "services" },
  { heading: "admission", path: "admission" },
  { heading: "driver", path: "driver" },
];

const hubOf = (context: Context, args: Args) => new Places(context, args).reference("client", args.word("HUB"));

const drivers: Command = {
  name: "drivers",
  summary: "Shows a hub's drivers, and what can be set up with them",
  parameters: [HUB],
  options: [...PLACE, WHERE],
  examples: ["porchlight hubs drivers 'home;hub'"],
  async run(context, args) {
    const where = new Where(args, fieldsNamed("name", "state", "devices", "kinds", "problem"));
    const all = await context.porchlight.clients.drivers(await hubOf(context, args));
    const rows = all.map((driver) => ({
      ...driver,
      kinds: driver.setups.map(({ kind }) => kind).join(" ") || undefined,
    }));
    context.output.list(DRIVERS, where.of(rows));
  },
};

const found: Command = {
  name: "found",
  summary: "Lists devices that a hub has found and that are not admitted or paired yet",
  parameters: [HUB],
  options: [...PLACE, WHERE],
  examples: ["porchlight hubs found 'home;hub'"],
  async run(context, args) {
    const where = new Where(args, fieldsNamed("edgeId", "name", "model", "services", "admission", "missing", "driver"));
    const all = await context.porchlight.clients.drivers(await hubOf(context, args));
    const rows = all.flatMap(({ name: driver, found: devices, unpaired }) => [
      ...devices.map((device) => ({ ...device, services: device.services.join(" "), driver })),
      ...unpaired.map((device) => ({ ...device, admission: "not_paired", driver })),
    ]);
    context.output.list(FOUND, where.of(rows));
    for (const { unpaired } of all) for (const device of unpaired) context.output.note(howToPair(device));
  },
};

function howToPair({ name, missing, setup }: UnpairedDeviceText): string {
  const command = setup === undefined ? "" : ` To pair it: porchlight hubs setup HUB ${setup}`;
  return `${name}: ${missing}${command}`;
}

const admit: Command = {
  name: "admit",
  summary: "Admits a device that a hub has found; locks, valves and similar devices need this one by one",
  parameters: [HUB, { name: "EDGE-ID", summary: "Edge ID of the device, from `hubs found`" }],
  options: [
    ...PLACE,
    { name: "withdraw", summary: "Withdraws the admission; devices that the hub's settings admit stay admitted" },
    YES,
  ],
  examples: [
    "porchlight hubs admit 'home;hub' 00-15-8D-00-01-02-03-04",
    "porchlight hubs admit 'home;hub' 00-15-8D-00-01-02-03-04 --withdraw",
  ],
  async run(context, args) {
    const { output, porchlight } = context;
    const hub = await hubOf(context, args);
    const edgeId = args.word("EDGE-ID");
    if (args.has("withdraw")) {
      await porchlight.clients.withdrawAdmission(hub, edgeId);
      output.note(`The admission of ${edgeId} is withdrawn.`);
      return;
    }
    await confirm(context, args, `Everyone who can control devices there can then operate ${edgeId}. Admit it?`);
    await porchlight.clients.admit(hub, edgeId);
    output.note(`${edgeId} is admitted.`);
  },
};

const setup: Command = {
  name: "setup",
  summary: "Sets up new devices with a hub, step by step, such as pairing a bridge",
  parameters: [HUB, { name: "KIND", summary: "Kind of setup, from `hubs drivers`: zigbee" }],
  options: PLACE,
  examples: ["porchlight hubs setup 'home;hub' zigbee"],
  notes: [
    "Ctrl-C also ends the setup on the hub.",
    "On a terminal it asks for a name for each device that it has found and that has none. `porchlight hubs name-devices HUB` asks later.",
  ],
  async run(context, args) {
    const { porchlight, signal } = context;
    const hub = await hubOf(context, args);
    const { clients } = porchlight;
    let now = await clients.startSetup(hub, args.word("KIND"));
    const { id } = now;
    const written = new Set<string>();
    try {
      while (now.state === "running" || now.state === "asking") {
        writeProgress(context, now, written);
        const { question, version } = now;
        now = question
          ? await clients.answerSetup(hub, id, question.number, await answerTo(context, question))
          : await clients.setup(hub, id, { after: version, wait: WAIT_SECONDS, signal });
      }
    } catch (failure) {
      await clients.cancelSetup(hub, id).catch(() => undefined);
      throw failure;
    }
    if (now.state === "done") writeProgress(context, now, written);
    else throw new Failure("failed", now.text, "The setup did not finish.", "start the setup again");
    if (context.output.isJson) context.output.json(now);
    if (now.found.length > 0 && context.prompts.isPossible) await nameFound(context, hub, now);
  },
};

/** Asks for names of the found devices that the service already knows. */
async function nameFound(context: Context, reference: string, { found: finds }: HubSetup): Promise<void> {
  const hub = await context.porchlight.clients.get(reference);
  const edgeIds = new Set(finds.map(({ edgeId }) => edgeId).filter((each) => each !== undefined));
  await nameNewDevices(context, hub, ({ edgeId }) => edgeId !== undefined && edgeIds.has(edgeId), false);
}

/** Prints each change once, on stderr, because it is a dialogue. */
function writeProgress(
  { output }: Context,
  { text, question, secondsLeft, found: finds }: HubSetup,
  written: Set<string>,
): void {
  const lines = question ? [] : [text];
  for (const { edgeId, name } of finds) lines.push(["  found", edgeId, name].filter(Boolean).join("  "));
  for (const line of lines) {
    if (written.has(line)) continue;
    written.add(line);
    output.note(line === text && secondsLeft !== undefined ? `${line} (at most ${secondsLeft} s)` : line);
  }
}

async function answerTo({ prompts, output }: Context, question: NonNullable<HubSetup["question"]>): Promise<string> {
  const { ask, text, choices = [] } = question;
  const instead = "it on a terminal";
  if (ask === "password") return prompts.askHidden(`${text} `, instead);
  if (ask === "code") return prompts.ask(`${text} `, instead);
  output.note(text);
  for (const [at, choice] of choices.entries()) output.note(`  ${at + 1}  ${choice}`);
  const answer = await prompts.ask("Number: ", instead);
  return choices[Number(answer) - 1] ?? answer;
}

const nameDevices: Command = {
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
async function nameNewDevices(
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

export const hubDrivers: readonly Command[] = [drivers, found, admit, setup, nameDevices];
