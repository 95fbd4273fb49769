/** One property of all devices of an environment or a zone: reads, refreshes or sets them together. */
import {
  type FailureOutcome,
  outcomeText,
  type Porchlight,
  type ReadOptions,
  type WriteOptions,
} from "@porchlight/sdk";
import { propertyItem } from "@porchlight/shared/api";
import { printable } from "@porchlight/shared/model";
import type { Args, Option } from "../session/args.ts";
import type { Command, Context } from "../session/command.ts";
import { exitOf, Failure } from "../session/failure.ts";
import { jsonOrText, secondsOf } from "../session/fields.ts";
import { ECOSYSTEM, ENVIRONMENT, Places } from "../session/places.ts";
import { fieldsOfSchema, WHERE, Where } from "../session/where.ts";
import { type HistoryOf, historyAction } from "./history.ts";
import { PROPERTY_COLUMNS } from "./listing.ts";

/** A failed read or write of one device. */
interface NotDone {
  readonly deviceId: string;
  readonly service: string;
  readonly property: string;
  readonly name: string;
  readonly detail: string;
  readonly outcome?: FailureOutcome | undefined;
}

interface Done {
  readonly items: readonly object[];
  readonly failures?: readonly NotDone[] | undefined;
}

interface Calls extends ReturnType<HistoryOf["calls"]> {
  properties(reference: string, selector: string, options?: ReadOptions): Promise<Done>;
  setProperties(reference: string, selector: string, value: unknown, options?: WriteOptions): Promise<Done>;
}

interface WideNoun {
  readonly noun: "environments" | "zones";
  readonly kind: "environment" | "zone";
  readonly example: string;
  readonly calls: (porchlight: Porchlight) => Calls;
}

const SELECTOR = { name: "SELECTOR", summary: "SERVICE, SERVICE.PROPERTY, or SERVICE:INDEX with or without .PROPERTY" };
const WAIT: Option = {
  name: "wait",
  value: "SECONDS",
  summary: "How long to wait for devices, in seconds (10)",
  number: [1, 60],
};

export function widePropertyCommands(wide: WideNoun): Command[] {
  const { noun, kind, example, calls } = wide;
  const subject = { name: kind.toUpperCase(), summary: `ID of the ${kind}, or its alias or reference` };
  const place = kind === "zone" ? ENVIRONMENT : ECOSYSTEM;
  const referenceOf = (context: Context, args: Args) =>
    new Places(context, args).reference(kind, args.word(subject.name));
  return [
    {
      name: "properties",
      summary: `Shows a service's properties on all devices of the ${kind}`,
      parameters: [subject, SELECTOR],
      options: [
        { name: "refresh", summary: "Asks the devices instead of showing the last known values" },
        {
          name: "max-age",
          value: "DURATION",
          summary: "Asks only the devices whose value is older than this: 30s, 5m",
        },
        WAIT,
        place,
        WHERE,
      ],
      examples: [
        `porchlight ${noun} properties ${example} Temperature.celsius`,
        `porchlight ${noun} properties ${example} LightColor --refresh`,
      ],
      async run(context, args) {
        const age = args.text("max-age");
        const options = {
          ...(args.has("refresh") && { refresh: true }),
          ...(age !== undefined && { maxAge: secondsOf(age, "max-age") }),
          wait: args.number("wait"),
        };
        const reference = await referenceOf(context, args);
        const where = new Where(args, fieldsOfSchema(propertyItem));
        const read = await calls(context.porchlight).properties(reference, args.word("SELECTOR"), options);
        showDone(context, { ...read, items: where.of(read.items) }, "read");
      },
    },
    {
      name: "set",
      summary: `Sets a property on all devices of the ${kind} that have it`,
      parameters: [subject, SELECTOR, { name: "VALUE", summary: "JSON, or else text", mayBeEmpty: true }],
      options: [WAIT, place],
      examples: [`porchlight ${noun} set ${example} Switch.on false`],
      async run(context, args) {
        const reference = await referenceOf(context, args);
        const value = jsonOrText(args.word("VALUE"));
        const selector = args.word("SELECTOR");
        const options = { wait: args.number("wait") };
        showDone(context, await calls(context.porchlight).setProperties(reference, selector, value, options), "set");
      },
    },
    {
      name: "history",
      summary: `Shows what a service's properties were on all devices of the ${kind}`,
      ...historyAction({ kind, parameter: subject, place, calls, example: `porchlight ${noun} history ${example}` }),
    },
  ];
}

/** Shows the successes, reports the failures, and ends with the status of the first failure. @throws Failure */
export function showDone({ output }: Context, { items, failures = [], ...more }: Done, verb: "read" | "set"): void {
  output.list(PROPERTY_COLUMNS, items, { ...more, ...(failures.length > 0 && { failures }) });
  const [first] = failures;
  if (!first) return;
  for (const { deviceId, service, property, name, detail, outcome } of failures) {
    const word = verb === "set" ? `${outcomeText(outcome).word}. ` : "";
    output.note(`${deviceId} ${service}.${property}: ${word}${name}. ${printable(detail)}`);
  }
  throw new Failure(
    exitOf(first.name, first.outcome === "rejected" ? 422 : 400),
    `${failures.length} could not be ${verb}, ${items.length} could.`,
    `${first.deviceId}: ${first.name}. ${first.detail}`,
    "porchlight hubs list, to see which hubs are online",
  );
}
