/** `porchlight devices`: devices with their properties. Physical devices come from hubs; virtual ones are created here. */
import type { DeviceFilter, NewDevice, NewService } from "@porchlight/sdk";
import { device } from "@porchlight/shared/api";
import type { Column } from "../../render/table.ts";
import type { Args, Option } from "../../session/args.ts";
import { UsageError } from "../../session/failure.ts";
import { jsonOf, readText } from "../../session/fields.ts";
import { ENVIRONMENT, type Places } from "../../session/places.ts";
import { ALIAS, ID } from "../listing.ts";
import { objectCommands } from "../objects.ts";
import { deviceServices } from "../services.ts";

const COLUMNS: readonly Column[] = [
  ID,
  ALIAS,
  { heading: "state", path: "connection.state" },
  { heading: "model", path: ["meta", "$.model"] },
  { heading: "type", path: "type" },
  { heading: "since", path: "connection.since", isExtra: true },
  { heading: "edge ID", path: "edgeId", isExtra: true },
];

const TYPES = ["physical", "virtual"] as const;

const FILTERS: readonly Option[] = [
  ENVIRONMENT,
  { name: "zone", value: "ZONE", summary: "Only in this zone, and in the zones inside it" },
  { name: "type", value: "TYPE", summary: "`physical` or `virtual`", choices: TYPES },
];

const SERVICES: readonly Option[] = [
  { name: "service", value: "CLASS", summary: "A standard service class with all its properties", isRepeatable: true },
  { name: "services", value: "JSON", summary: "Services of the device, as a JSON list" },
  { name: "services-file", value: "FILE", summary: "The same from a file" },
];

/** @throws UsageError */
function servicesOf(args: Args): readonly NewService[] {
  const [text, file] = [args.text("services"), args.text("services-file")];
  const described = text !== undefined ? jsonOf(text, "--services") : undefined;
  const fromFile = file !== undefined ? jsonOf(readText(file, "--services-file"), "--services-file") : undefined;
  const named = args.all("service").map((service) => ({ service }));
  const given = described ?? fromFile ?? [];
  if (!Array.isArray(given))
    throw new UsageError("Services are a JSON list.", "The value is not a list.", `give '[{"service": "Switch"}]'`);
  if (named.length + given.length === 0)
    throw new UsageError("A virtual device needs a service.", "No service was given.", "give --service Switch");
  // The service validates descriptions, and names the invalid field.
  return [...named, ...given];
}

async function filterOf(places: Places, args: Args): Promise<DeviceFilter> {
  const zone = args.text("zone");
  return {
    environmentId: await places.chosenEnvironment(),
    zoneId: zone === undefined ? undefined : await places.reference("zone", zone),
    type: TYPES.find((type) => type === args.text("type")),
  };
}

export const devices = [
  ...objectCommands({
    noun: "devices",
    one: "device",
    kind: "device",
    columns: COLUMNS,
    schema: device,
    example: "'home;lamp'",
    calls: ({ devices }) => devices,
    list: { options: FILTERS, filter: filterOf, example: "porchlight devices list --where connection.state=offline" },
    create: {
      options: [ENVIRONMENT, ...SERVICES],
      body: async (common, places, args): Promise<NewDevice> => ({
        ...{ environmentId: await places.environment(), services: servicesOf(args) },
        ...common,
      }),
      examples: [
        "porchlight devices create --environment home --alias lamp --service Switch --service LightColor",
        `porchlight devices create --services '[{"service": "Temperature", "properties": [{"property": "celsius", "value": 21}]}]'`,
      ],
    },
    update: {},
    deleteNote: "A physical device comes back with a new ID when its hub announces it again.",
  }),
  deviceServices,
];
