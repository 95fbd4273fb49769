/** The parts of a board, and their form in the hub: address, description, and how their text is read. */
import type {
  DeviceAddresses,
  DeviceDescription,
  DriverKit,
  LiveDevice,
  PropertyAddress,
  Read,
  Thing,
  Value,
} from "@porchlight/driver-kit/package-api";

/** A part of a board, at its permanent address. */
export interface Part {
  readonly id: string;
  readonly address: PropertyAddress;
  /** `null` for every text that is no value of the part: the previous value ends. */
  readonly read: (text: string) => Read<Value>;
}

export interface Board {
  readonly device: LiveDevice;
  readonly parts: readonly Part[];
}

type Property = DeviceDescription[number]["properties"][number];

interface BoardThing extends Thing {
  readonly described: Property;
  readonly read: Part["read"];
}

const MOST_PARTS = 32;

/** Parses the board's answer to `WHO`; undefined for any other line. */
export function boardIn(
  line: string,
  transport: string,
  kit: DriverKit,
  addresses: Pick<DeviceAddresses, "place">,
): Board | undefined {
  const [, eui = "", count = "", firmware, plugged] = /^BOARD (\S+) (\d{1,2}) (\S{1,32})(?: (\S+))?$/.exec(line) ?? [];
  const edgeId = kit.edgeIdOfEui(eui);
  const fixed = Array.from({ length: Number(count) }, (_, number) => String(number));
  const ids = [...new Set([...fixed, ...(plugged?.split(",") ?? [])])];
  if (edgeId === undefined || ids.length > MOST_PARTS) return undefined;
  // A part keeps its address by its ID, independent of the other parts and their order.
  const placed = addresses.place(
    edgeId,
    ids.map((id) => thingOf(id, kit)),
  );
  const parts = placed.flatMap(({ thing: { id, read, described }, addresses: [address] }) =>
    address ? [{ id, read, address, described }] : [],
  );
  const description = parts.map(({ address: { service, index }, described }) => ({
    ...{ service, index, properties: [described] },
  }));
  const about = { manufacturer: "Example", model: `Relay ${count}`, firmware };
  return { parts, device: { edgeId, about, transport, description: [...description, IDENTIFY] } };
}

function thingOf(id: string, kit: DriverKit): BoardThing {
  const [service, described, read] = kindOf(id, kit);
  // The number of a soldered output is its index permanently.
  const index = /^\d+$/.test(id) ? Number(id) : undefined;
  return { id, index, described, read, properties: [{ service, property: described.property }] };
}

function kindOf(id: string, kit: DriverKit): readonly [string, Property, Part["read"]] {
  switch (id) {
    case "TEMP":
      return ["Temperature", CELSIUS, (text) => temperatureIn(text, kit)];
    case "BAT":
      return ["Battery", PERCENT, (text) => kit.readPercent(text, FULL_BATTERY, NO_BATTERY)];
    default:
      return ["Switch", ON, (text) => kit.readEither(text, ["ON"], ["OFF"])];
  }
}

/** Each value comes with its unit. */
function temperatureIn(text: string, kit: DriverKit): Read<Value> {
  const [degrees, unit] = text.split(" ");
  return kit.readCelsius(degrees, kit.temperatureScale(unit));
}

const FULL_BATTERY = 254;
/** Values of a board without its battery. */
const NO_BATTERY = [255];
const ON: Property = { property: "on", type: "boolean", access: ["read", "write", "notify"] };
const CELSIUS: Property = { property: "celsius", type: "number", unit: "°C", access: ["read", "notify"] };
const PERCENT: Property = {
  ...{ property: "percent", type: "number", unit: "%", min: 0, max: 100 },
  access: ["read", "notify"],
};
const IDENTIFY: DeviceDescription[number] = {
  ...{ service: "Identify", index: "0" },
  properties: [{ property: "active", type: "boolean", access: ["write"], values: [true] }],
};
