/** Builds a virtual device from the form's input. */
import type { NewDevice, NewService } from "@porchlight/sdk";

interface Plan {
  readonly environmentId: string;
  /** Empty for none. */
  readonly alias: string;
  /** Standard classes, one entry per instance. */
  readonly classes: readonly string[];
  /** Further services as JSON in the API's format; empty for none. */
  readonly json: string;
}

type Planned =
  | { readonly kind: "device"; readonly device: NewDevice }
  | { readonly kind: "nothing" }
  /** The input is invalid. */
  | { readonly kind: "fault"; readonly fault: string };

export function plannedDevice({ environmentId, alias, classes, json }: Plan): Planned {
  const own = readServices(json);
  if (typeof own === "string") return { kind: "fault", fault: own };
  const services = [...withIndexes(classes), ...own];
  if (services.length === 0) return { kind: "nothing" };
  return { kind: "device", device: { environmentId, services, ...(alias !== "" && { alias }) } };
}

/** Instances of the same class get different indexes. */
function withIndexes(classes: readonly string[]): NewService[] {
  const count = new Map<string, number>();
  return classes.map((service) => {
    const index = count.get(service) ?? 0;
    count.set(service, index + 1);
    return { service, index: String(index) };
  });
}

/** @returns the services, or the fault of the JSON; the service validates their content */
function readServices(json: string): readonly NewService[] | string {
  if (json.trim() === "") return [];
  try {
    const parsed: unknown = JSON.parse(json);
    if (Array.isArray(parsed)) return parsed as NewService[];
    return typeof parsed === "object" && parsed !== null ? [parsed as NewService] : "Enter a JSON array of services.";
  } catch (error) {
    return error instanceof Error ? error.message : "This is not valid JSON.";
  }
}
