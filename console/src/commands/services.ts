/** Services with their values, of one device or of all devices of an environment. */
import { type ServiceList, serviceDescriptor } from "@porchlight/shared/api";
import type { Column } from "../render/table.ts";
import type { Command } from "../session/command.ts";
import { ECOSYSTEM, ENVIRONMENT, Places } from "../session/places.ts";
import { fieldsOfSchema, WHERE, Where } from "../session/where.ts";

/** Fields of a service; a device's properties are rows of it. */
const SERVICE_FIELDS = fieldsOfSchema(serviceDescriptor);

const COLUMNS: readonly Column[] = [
  { heading: "service", path: "service" },
  { heading: "index", path: "index" },
  { heading: "property", path: "property" },
  { heading: "value", path: "value" },
  { heading: "unit", path: "unit" },
  { heading: "observed", path: "observedAt" },
  { heading: "type", path: "type", isExtra: true },
  { heading: "access", path: "access", isExtra: true },
];

/** One row for each property. */
function rowsOf(services: readonly ServiceList["items"][number][]) {
  return services.flatMap(({ service, index, properties }) =>
    properties.map((property) => ({ ...property, service, index, access: property.access.join(", ") })),
  );
}

export const deviceServices: Command = {
  name: "services",
  summary: "Shows what a device can do, with its values",
  parameters: [{ name: "DEVICE", summary: "ID of the device, or its alias or reference" }],
  options: [ENVIRONMENT, WHERE],
  examples: ["porchlight devices services 'home;lamp'"],
  async run(context, args) {
    const { output, porchlight } = context;
    const reference = await new Places(context, args).reference("device", args.word("DEVICE"));
    const where = new Where(args, SERVICE_FIELDS);
    const items = where.of(await porchlight.devices.services(reference));
    if (output.isJson) output.json({ items });
    else output.list(COLUMNS, rowsOf(items));
  },
};

export const environmentServices: Command = {
  name: "services",
  summary: "Shows what each device of the environment can do, with its values",
  parameters: [{ name: "ENVIRONMENT", summary: "ID of the environment, or its alias or reference" }],
  options: [ECOSYSTEM, WHERE],
  examples: ["porchlight environments services home"],
  async run(context, args) {
    const { output, porchlight } = context;
    const reference = await new Places(context, args).reference("environment", args.word("ENVIRONMENT"));
    const where = new Where(args, new Map([["deviceId", "field"], ...SERVICE_FIELDS]));
    const of = await porchlight.environments.services(reference);
    const items = of.flatMap(({ deviceId, services }) => {
      const kept = services.filter((service) => where.holds({ deviceId, ...service }));
      return kept.length === 0 && !where.isEmpty ? [] : [{ deviceId, services: kept }];
    });
    if (output.isJson) output.json({ items });
    else {
      const rows = items.flatMap(({ deviceId, services }) => rowsOf(services).map((row) => ({ deviceId, ...row })));
      output.list([{ heading: "device", path: "deviceId", isWhole: true }, ...COLUMNS], rows);
    }
  },
};
