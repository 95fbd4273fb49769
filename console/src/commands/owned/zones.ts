/** `porchlight zones`: devices and other zones of one environment under one name. */
import { zone } from "@porchlight/shared/api";
import type { Args, Option } from "../../session/args.ts";
import { UsageError } from "../../session/failure.ts";
import { ENVIRONMENT, type Places } from "../../session/places.ts";
import { ALIAS, CREATED, ID } from "../listing.ts";
import { objectCommands } from "../objects.ts";
import { widePropertyCommands } from "../wide-properties.ts";

const ITEM: Option = {
  name: "item",
  value: "REFERENCE",
  summary: "A device or zone in it; the given items replace all earlier ones",
  isRepeatable: true,
};

const EMPTY: Option = { name: "no-items", summary: "Removes everything from it" };

/** The items of the zone; absent when the command line has none. */
async function itemsOf(places: Places, args: Args): Promise<{ items?: readonly string[] }> {
  const given = args.all("item");
  if (args.has("no-items") && given.length > 0)
    throw new UsageError(
      "--item and --no-items exclude each other.",
      "One fills the zone, the other empties it.",
      "give only one of them",
    );
  if (args.has("no-items")) return { items: [] };
  return given.length === 0 ? {} : { items: await Promise.all(given.map((each) => places.reference("device", each))) };
}

export const zones = [
  ...objectCommands({
    noun: "zones",
    one: "zone",
    kind: "zone",
    columns: [ID, ALIAS, { heading: "environment", path: "environmentId", isWhole: true }, CREATED],
    schema: zone,
    example: "'home;kitchen'",
    calls: ({ zones }) => zones,
    list: {
      options: [ENVIRONMENT],
      filter: async (places) => ({ environmentId: await places.chosenEnvironment() }),
      example: "porchlight zones list --environment home",
    },
    create: {
      options: [ENVIRONMENT, ITEM],
      body: async (common, places, args) => ({
        environmentId: await places.environment(),
        ...common,
        ...(await itemsOf(places, args)),
      }),
      examples: ["porchlight zones create --environment home --alias kitchen --item lamp --item kettle"],
    },
    update: {
      options: [ITEM, EMPTY],
      body: itemsOf,
      examples: ["porchlight zones update 'home;kitchen' --item 'home;lamp' --item 'home;kettle'"],
    },
    deleteNote: "The devices and zones in it are kept.",
  }),
  ...widePropertyCommands({ noun: "zones", kind: "zone", example: "'home;kitchen'", calls: ({ zones }) => zones }),
];
