/** `porchlight clients` and `porchlight hubs`: the same objects under the API's and the users' name; hubs are added by pairing. */
import { client, type Pairing } from "@porchlight/shared/api";
import { nameOf } from "@porchlight/shared/names";
import { freeName } from "@porchlight/shared/presentation";
import { styled } from "../../render/style.ts";
import { type Column, padded } from "../../render/table.ts";
import type { Command, Context } from "../../session/command.ts";
import { ENVIRONMENT, Places } from "../../session/places.ts";
import { confirm, YES } from "../../session/questions.ts";
import { ALIAS, ID } from "../listing.ts";
import { objectCommands } from "../objects.ts";
import { hubDrivers } from "./hub-drivers.ts";
import { hubMaintenance } from "./hub-maintenance.ts";

const COLUMNS: readonly Column[] = [
  ID,
  ALIAS,
  { heading: "state", path: "connection.state" },
  { heading: "since", path: "connection.since" },
  { heading: "agent", path: "connection.agentVersion" },
  { heading: "ms", path: "connection.roundTripMs", isExtra: true },
  { heading: "edge ID", path: "edgeId", isExtra: true },
];

/** @param isMadeHere whether there is a `create` command; hubs are added by pairing instead */
function clientCommands(noun: "clients" | "hubs", one: "client" | "hub", isMadeHere: boolean) {
  return objectCommands({
    ...{ noun, one },
    kind: "client",
    columns: COLUMNS,
    schema: client,
    example: "'home;hub'",
    calls: ({ clients }) => clients,
    list: {
      options: [ENVIRONMENT],
      filter: async (places) => ({ environmentId: await places.chosenEnvironment() }),
    },
    ...(isMadeHere && {
      create: {
        options: [ENVIRONMENT],
        body: async (common, places) => ({ environmentId: await places.environment(), ...common }),
        examples: ["porchlight clients create --environment home --alias bridge"],
      },
    }),
    update: {},
    deleteNote: "The devices on it are deleted too.",
  });
}

export const clients = clientCommands("clients", "client", true);

const hubsPair: Command = {
  name: "pair",
  summary: "Adds the hub that shows a code to an environment",
  parameters: [{ name: "CODE", summary: "Code that the hub shows: BCDF-GHJK" }],
  options: [
    ENVIRONMENT,
    { name: "name", value: "NAME", summary: "What people call the hub" },
    { name: "alias", value: "ALIAS", summary: "Of the hub" },
    YES,
  ],
  examples: [
    "porchlight hubs pair BCDF-GHJK",
    "porchlight hubs pair BCDF-GHJK --environment home --name 'Hall hub' --yes",
  ],
  notes: [
    "First it shows the hub's edge ID, version, address and the fingerprint of its key, then it asks. The hub shows the fingerprint too: if the two differ, it is another hub.",
    "It suggests a name. With --yes the suggestion is taken. A hub that was paired there before keeps its name.",
    "`porchlight pairings deny CODE` refuses a hub.",
  ],
  async run(context, args) {
    const { output, porchlight } = context;
    const code = args.word("CODE");
    const pairing = await porchlight.pairings.get(code);
    const environment = await porchlight.environments.get(await new Places(context, args).environment());
    showHub(context, pairing);
    await confirm(context, args, `Add it to ${nameOf(environment)}?`);
    const alias = args.text("alias");
    const name = args.text("name") ?? (await askedName(context, environment.id, args.has("yes")));
    const body = {
      environmentId: environment.id,
      ...(name !== "" && { name }),
      ...(alias !== undefined && { alias }),
    };
    const client = await porchlight.pairings.approve(code, body);
    if (output.isTerminal && !output.isJson) output.line(`Paired: ${nameOf(client)}  ${client.id}`);
    else output.record(client);
    output.note(`It comes online in a few seconds: porchlight hubs get ${client.id}`);
  },
};

/** A name that is unused among the environment's hubs, or one that the user types. @param takesIt whether to skip the question */
async function askedName({ porchlight, prompts }: Context, environmentId: string, takesIt: boolean): Promise<string> {
  const hubs = await porchlight.clients.list({ environmentId }).all();
  const suggested = freeName("Hub", hubs.map(nameOf));
  return takesIt ? suggested : (await prompts.ask(`Name [${suggested}]: `, "--name")).trim() || suggested;
}

/** Shows the facts for the user's decision on stderr, as part of the question. */
function showHub({ output }: Context, { edgeId, agentVersion, address, fingerprint, expiresAt }: Pairing): void {
  output.note("A hub asks to be paired:");
  const facts = { "edge ID": edgeId, version: agentVersion, address, fingerprint, "code valid until": expiresAt };
  for (const [name, value] of Object.entries(facts)) output.note("  ", styled("dim", padded(name, 13)), value);
  output.note("Compare the fingerprint with what the hub itself shows.");
}

export const hubs = [...clientCommands("hubs", "hub", false), hubsPair, ...hubDrivers, ...hubMaintenance];
