/** `porchlight why DEVICE SERVICE.PROPERTY`: the cause of a value, and the obstacles of a requested one. */
import type { Why, WhyCommand } from "@porchlight/shared/api";
import { frameTables, hopRows, tookOf, whySentences } from "@porchlight/shared/presentation";
import { localTime } from "../render/cell.ts";
import type { Style } from "../render/style.ts";
import type { Column } from "../render/table.ts";
import type { Action, Context } from "../session/command.ts";
import { ENVIRONMENT, Places } from "../session/places.ts";
import { DEVICE } from "../session/property.ts";

const HOPS: readonly Column[] = [
  { heading: "hop", path: "name" },
  { heading: "took", path: "took" },
];

const STYLES: Readonly<Record<string, Style>> = { value: "bold", obstacle: "yellow", unknown: "dim" };

export const why: Action = {
  parameters: [DEVICE, { name: "SELECTOR", summary: "SERVICE.PROPERTY; SERVICE:INDEX.PROPERTY where it has several" }],
  options: [ENVIRONMENT],
  examples: ["porchlight why lamp Switch.on", "porchlight why 'home;lamp' LightColor.hue --json | jq .cause"],
  notes: [
    "Shows who or what changed the value, what became of the newest command, and what cannot be reached. If a command is known, its ID and a table with the time of each hop follow; then the frames on the line, if the hub has kept them. What is not known is said to be unknown.",
    "Times are in the time zone of this machine. --json shows the answer of the API.",
  ],
  async run(context, args) {
    const { output, porchlight } = context;
    const reference = await new Places(context, args).reference("device", args.word("DEVICE"));
    const found = await porchlight.devices.why(reference, args.word("SELECTOR"));
    if (output.isJson) output.json(found);
    else show(context, found);
  },
};

function show({ output }: Context, found: Why): void {
  for (const { about, text } of whySentences(found, { time: localTime })) {
    const style = STYLES[about];
    output.line(style ? { style, text } : text);
  }
  // The command that caused the value, else the newest one.
  const command = found.cause.command ?? found.asked;
  if (command) showCommand(output, command, found.cause.command ? "Command" : "Newest command");
  for (const { title, rows } of frameTables(found)) {
    output.line("");
    output.line({ style: "bold", text: title });
    for (const { after, direction, says, hex } of rows) {
      output.line(`${after.padEnd(8)} ${direction.padEnd(15)} ${says}`);
      if (hex !== "") output.line({ style: "dim", text: `${" ".repeat(25)}${hex}` });
    }
  }
}

function showCommand(output: Context["output"], command: WhyCommand, title: string): void {
  const { id, requestId, idempotencyKey } = command;
  output.line("");
  output.line(
    [`${title} ${id}`, requestId && `request ${requestId}`, idempotencyKey && `idempotency key ${idempotencyKey}`]
      .filter((each) => each !== undefined)
      .join(", "),
  );
  const rows = hopRows(command);
  if (rows.length > 0)
    output.list(
      HOPS,
      rows.map(({ name, ms }) => ({ name, took: tookOf(ms) })),
    );
}
