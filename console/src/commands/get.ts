/** `porchlight get DEVICE SELECTOR`: the value of a property, as last known or read from the device now. */
import type { PropertyFailure, PropertyItem, PropertyList } from "@porchlight/shared/api";
import { parseSelector } from "@porchlight/shared/model";
import { relativeTime } from "../render/cell.ts";
import type { Column } from "../render/table.ts";
import type { Args } from "../session/args.ts";
import type { Action, Context } from "../session/command.ts";
import { exitOf, Failure } from "../session/failure.ts";
import { secondsOf } from "../session/fields.ts";
import { ENVIRONMENT, Places } from "../session/places.ts";
import { atOnce, DEVICE, nameOf, valueText, WAIT } from "../session/property.ts";

const COLUMNS: readonly Column[] = [
  { heading: "property", path: "name" },
  { heading: "value", path: "text" },
  { heading: "as of", path: "observedAt" },
];

export const get: Action = {
  parameters: [
    DEVICE,
    { name: "SELECTOR", summary: "SERVICE or SERVICE.PROPERTY; SERVICE:INDEX where it has several" },
  ],
  options: [
    { name: "refresh", summary: "Asks the device instead of showing the last known value" },
    {
      name: "max-age",
      value: "DURATION",
      summary: "Asks the device only if the known value is older than this: 30s, 5m",
    },
    WAIT,
    ENVIRONMENT,
  ],
  examples: [
    "porchlight get lamp LightColor.hue",
    "porchlight get 'home;lamp' LightColor --refresh",
    "porchlight get lamp Switch:1.on --max-age 5m",
  ],
  notes: [
    "In a pipe, one property is printed as its value alone, and a service as one line for each property.",
    "If a device could not be asked, stderr names the property with its last known value, and the exit status is 6.",
  ],
  async run(context, args) {
    const { output, porchlight } = context;
    const reference = await new Places(context, args).reference("device", args.word("DEVICE"));
    const selector = args.word("SELECTOR");
    const age = args.text("max-age");
    const asked = {
      ...(args.has("refresh") && { refresh: true }),
      ...(age !== undefined && { maxAge: secondsOf(age, "max-age") }),
      wait: args.number("wait"),
    };
    const { devices } = porchlight;
    const found = await atOnce(context, (call) => devices.properties(reference, selector, { ...asked, ...call }));
    const without = found.withoutValue ?? [];
    if (found.items.length === 0 && without.length === 0 && !found.failures)
      throw await nothing(context, reference, args);
    if (output.isJson) output.json(found);
    else show(context, selector, found);
    for (const each of without) output.note(`${nameOf(each)}: The device has answered that it has no value.`);
    if (found.items.length === 0 && !found.failures) throw withoutValue(selector);
    if (found.failures) throw notRead(context, found.failures);
  },
};

function show({ output }: Context, selector: string, { items }: PropertyList): void {
  const [item, second] = items;
  if (item && !second && parseSelector(selector)?.property !== undefined) {
    const age = output.isTerminal ? `  ${ageText(item, output.showing.now)}` : undefined;
    output.line(valueText(item.value), ...(age ? [{ style: "dim", text: age } as const] : []));
  } else if (items.length > 0) output.list(COLUMNS, items.map(row));
}

/** `as of 3 min ago`, or that the time is unknown. */
function ageText({ observedAt }: { readonly observedAt?: string | undefined }, now: number): string {
  return observedAt === undefined ? "of unknown age" : `as of ${relativeTime(observedAt, now) ?? observedAt}`;
}

function row(item: PropertyItem) {
  return { ...item, name: nameOf(item), text: valueText(item.value) };
}

/** Why no value is known: the service's answer to a cached read does not state the reason. */
async function nothing({ porchlight }: Context, reference: string, args: Args): Promise<Failure> {
  const [device, selector] = [args.word("DEVICE"), args.word("SELECTOR")];
  const { service, index, property } = parseSelector(selector) ?? {};
  const services = await porchlight.devices.services(reference);
  const isThere = services.some(
    (each) =>
      each.service === service &&
      (index === undefined || each.index === index) &&
      (property === undefined || each.properties.some((one) => one.property === property)),
  );
  if (isThere)
    return new Failure(
      "notFound",
      `${selector} of ${device} has no value yet.`,
      "The device has not reported a value yet.",
      `porchlight get ${device} ${selector} --refresh`,
    );
  const names = [...new Set(services.map((each) => each.service))];
  return new Failure(
    "notFound",
    `${device} has no ${selector}.`,
    names.length > 0 ? `It has ${names.join(", ")}.` : "It has no services.",
    `porchlight devices services ${device}`,
  );
}

function withoutValue(selector: string): Failure {
  return new Failure(
    "notFound",
    `${selector} has no value.`,
    "The device was asked, and has none at present.",
    "porchlight history, to see when it last had one",
  );
}

/** Prints each failure on stderr; returns the failure that determines the exit status. */
function notRead({ output }: Context, failures: readonly PropertyFailure[]): Failure {
  const now = output.showing.now;
  for (const failure of failures) {
    const { name, detail, lastKnown } = failure;
    const known = lastKnown && ` Last known: ${valueText(lastKnown.value)}, ${ageText(lastKnown, now)}.`;
    output.note(`${nameOf(failure)}: ${name}. ${detail}${known ?? ""}`);
  }
  const [worst] = [...failures].sort((one, other) => rank(one) - rank(other));
  return new Failure(
    exitOf(worst?.name ?? "", 422),
    failures.length === 1 ? "One property could not be read." : `${failures.length} properties could not be read.`,
    `${worst?.name}. ${worst?.detail}`,
    "porchlight hubs list, to see since when a hub is offline",
  );
}

/** Precedence for the exit status: an unreachable device before one that rejected the read. */
function rank({ name }: PropertyFailure): number {
  return name === "Device Rejected" ? 1 : 0;
}
