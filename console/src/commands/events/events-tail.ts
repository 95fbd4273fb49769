/** `porchlight events tail`: events as they happen, one a line. */
import type { Args } from "../../session/args.ts";
import type { Command } from "../../session/command.ts";
import type { Context } from "../../session/context.ts";
import { follow } from "../../session/follow.ts";
import { ECOSYSTEM, ENVIRONMENT, Places } from "../../session/places.ts";
import { showEvent } from "./event-line.ts";
import { typesOf, typesOption } from "./event-types.ts";

export const eventsTail: Command = {
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

/** Which events: of an environment when one was named, else of the ecosystem. */
export async function scopeOf(context: Context, args: Args) {
  const places = new Places(context, args);
  const environmentId = await places.chosenEnvironment();
  // An environment says which ecosystem.
  return environmentId === undefined ? { ecosystemId: await places.chosenEcosystem() } : { environmentId };
}
