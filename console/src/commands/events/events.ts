/** `porchlight events`: past events, and events as they happen, one on each line. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { valueAt } from "../../render/cell.ts";
import { padded } from "../../render/table.ts";
import type { Args, Option } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { momentOf } from "../../session/fields.ts";
import { follow } from "../../session/follow.ts";
import { ECOSYSTEM, ENVIRONMENT, Places } from "../../session/places.ts";
import { nameOf, valueText } from "../../session/property.ts";
import { type Fields, WHERE, Where } from "../../session/where.ts";
import { LIMIT, pageSizeOf } from "../listing.ts";

/** Fields of an event in `porchlight events list`, one event on each line; its `data` has the fields of its type. */
const EVENT_FIELDS: Fields = new Map([
  ...["id", "sequence", "type", "createdAt", "ecosystemId", "environmentId"].map((name) => [name, "field"] as const),
  ["data", "open"],
]);

const eventsList: Command = {
  name: "list",
  summary: "Lists past events",
  options: [
    typesOption(),
    { name: "since", value: "TIME", summary: "Only from this time on: 2h, 7d, or 2026-11-05T14:03:07Z" },
    { name: "until", value: "TIME", summary: "Only before this time" },
    { name: "device", value: "DEVICE", summary: "Only events of this device: ID or reference" },
    { name: "newest", summary: "Newest first, instead of oldest first" },
    WHERE,
    LIMIT,
    ENVIRONMENT,
    ECOSYSTEM,
  ],
  examples: [
    "porchlight events list --newest --limit 20",
    "porchlight events list --since 2h --types hub.*,device.offline",
    "porchlight events list --since 2026-11-05T14:00:00Z --until 2026-11-05T15:00:00Z --json > events.ndjson",
  ],
  notes: [
    "With --json each event is one line, as a webhook would get it. If older events are no longer kept, stderr says so.",
    "For new events: porchlight events tail.",
  ],
  async run(context, args) {
    const { clock, output, porchlight } = context;
    const [since, until] = [args.text("since"), args.text("until")];
    const log = porchlight.eventLog(
      {
        ...(await scopeOf(context, args)),
        types: typesOf(args),
        deviceId: args.text("device"),
        order: args.has("newest") ? "newest" : "oldest",
        ...(since !== undefined && { since: momentOf(since, clock) }),
        ...(until !== undefined && { until: momentOf(until, clock) }),
      },
      pageSizeOf(args),
    );
    const where = new Where(args, EVENT_FIELDS);
    let left = args.number("limit") ?? Number.POSITIVE_INFINITY;
    let noted = 0;
    for await (const { items, range, log: kept } of log.pages()) {
      if (kept.oldest > 1 && range.first === kept.oldest && noted < kept.oldest) {
        output.note(`The log begins at event ${kept.oldest}: older events are no longer kept.`);
        noted = kept.oldest;
      }
      for (const event of where.of(items)) {
        if (left === 0) return output.note("There are more.");
        showEvent(output, event, true);
        left -= 1;
      }
    }
  },
};

/** The option `--types`, which has one name in every command. @param formerNames of the option in this command */
export function typesOption(...formerNames: readonly string[]): Option {
  return {
    name: "types",
    value: "TYPE,…",
    summary: "Only these event types, or `prefix.*`: device.*,command.completed (all)",
    isRepeatable: true,
    ...(formerNames.length > 0 && { formerNames }),
  };
}

/** Types and patterns from all uses of the option; undefined when there is none. */
export function typesOf(args: Args): readonly string[] | undefined {
  const types = args.all("types").flatMap((text) => text.split(",").map((type) => type.trim()));
  return types.length === 0 ? undefined : types;
}

const eventsTail: Command = {
  name: "tail",
  summary: "Shows events as they happen",
  options: [
    typesOption(),
    {
      name: "since",
      value: "SEQUENCE",
      summary: "Starts after this event number (now)",
      number: [0, 2 ** 53 - 1],
    },
    { name: "limit", value: "N", summary: "Stops after this many events", number: [1, 1_000_000] },
    ENVIRONMENT,
    ECOSYSTEM,
  ],
  examples: [
    "porchlight events tail",
    "porchlight events tail --types device.*,hub.* --environment home",
    "porchlight events tail --since 0 --json | jq -r .type | sort | uniq -c",
  ],
  notes: [
    "After a broken connection it continues where it stopped, and says so on stderr. Each line begins with the sequence number of the event. Use it with --since.",
    "With --json each event is one line, as a webhook would get it.",
  ],
  async run(context, args) {
    const options = { ...(await scopeOf(context, args)), types: typesOf(args), after: args.number("since") };
    let left = args.number("limit") ?? Number.POSITIVE_INFINITY;
    for await (const item of follow(context, options)) {
      if (item.kind !== "event") continue;
      showEvent(context.output, item.event);
      left -= 1;
      if (left === 0) return;
    }
  },
};

/** The scope of the events: the environment that the user named, else the ecosystem. */
export async function scopeOf(context: Context, args: Args) {
  const places = new Places(context, args);
  const environmentId = await places.chosenEnvironment();
  // The environment determines the ecosystem.
  return environmentId === undefined ? { ecosystemId: await places.chosenEcosystem() } : { environmentId };
}

/** Length of the longest type, `environment.created`. */
const TYPE_WIDTH = 19;

/** Prints an event as one line, for streams and for the log. @param hasDate whether to show the date beside the time on a terminal */
function showEvent(output: Context["output"], event: PorchlightEvent, hasDate = false): void {
  const { sequence, createdAt, type } = event;
  const about = subjectOf(event);
  const at = hasDate ? createdAt : createdAt.slice(11, 19);
  const when = { style: "dim", text: `${padded(String(sequence), 6)} ${at}  ` } as const;
  if (output.isJson) output.jsonLine(event);
  else if (output.isTerminal) output.line(when, `${padded(type, TYPE_WIDTH)}  `, about.join("  "));
  else output.tabbed([String(sequence), createdAt, type, ...about]);
}

/** The subject of an event and its details. */
function subjectOf(event: PorchlightEvent): string[] {
  switch (event.type) {
    case "property.changed": {
      const { item, previousValue, cause } = event.data;
      const was = previousValue === undefined ? "" : `${valueText(previousValue)} -> `;
      return [item.deviceId, nameOf(item), `${was}${valueText(item.value)}`, `(${cause.kind})`];
    }
    case "command.completed":
      return [event.data.deviceId, nameOf(event.data), event.data.state, event.data.id];
    case "command.unconfirmed":
      return [event.data.deviceId, nameOf(event.data), event.data.outcome ?? event.data.state, event.data.id];
    default: {
      const [id, alias] = [valueAt(event.data, "id"), valueAt(event.data, "alias")];
      return [id, alias].filter((each) => typeof each === "string");
    }
  }
}

export const events = [eventsList, eventsTail];
