/** `porchlight hubs drivers`, `hubs found`, `hubs admit`, `hubs setup`: devices that a hub's drivers see, and their admission and setup. */
import type { HubSetup, UnpairedDeviceText } from "@porchlight/shared/model";
import type { Column } from "../../render/table.ts";
import type { Args } from "../../session/args.ts";
import type { Command, Option } from "../../session/command.ts";
import { confirm, YES } from "../../session/confirm.ts";
import type { Context } from "../../session/context.ts";
import { Failure } from "../../session/failure.ts";
import { ECOSYSTEM, ENVIRONMENT, Places } from "../../session/places.ts";
import { fieldsNamed, WHERE, Where } from "../../session/where.ts";
import { nameDevices, nameNewDevices } from "./hub-names.ts";

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
    const said = new Set<string>();
    try {
      while (now.state === "running" || now.state === "asking") {
        tell(context, now, said);
        const { question, version } = now;
        now = question
          ? await clients.answerSetup(hub, id, question.number, await answerTo(context, question))
          : await clients.setup(hub, id, { after: version, wait: WAIT_SECONDS, signal });
      }
    } catch (failure) {
      await clients.cancelSetup(hub, id).catch(() => undefined);
      throw failure;
    }
    if (now.state === "done") tell(context, now, said);
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
function tell({ output }: Context, { text, question, secondsLeft, found: finds }: HubSetup, said: Set<string>): void {
  const lines = question ? [] : [text];
  for (const { edgeId, name } of finds) lines.push(["  found", edgeId, name].filter(Boolean).join("  "));
  for (const line of lines) {
    if (said.has(line)) continue;
    said.add(line);
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

export const hubDrivers: readonly Command[] = [drivers, found, admit, setup, nameDevices];
