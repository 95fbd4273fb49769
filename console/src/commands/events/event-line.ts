/** An event as a line: of those that happen, and of those that are kept. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { valueAt } from "../../render/cell.ts";
import { padded } from "../../render/width.ts";
import type { Context } from "../../session/context.ts";
import { nameOf, valueText } from "../../session/property.ts";

/** The longest type is `environment.created`. */
const TYPE_WIDTH = 19;

/** @param hasDate on a terminal, the date beside the time of day */
export function showEvent(output: Context["output"], event: PorchlightEvent, hasDate = false): void {
  const { sequence, createdAt, type } = event;
  const about = subjectOf(event);
  const at = hasDate ? createdAt : createdAt.slice(11, 19);
  const when = { style: "dim", text: `${padded(String(sequence), 6)} ${at}  ` } as const;
  if (output.isJson) output.jsonLine(event);
  else if (output.isTerminal) output.line(when, `${padded(type, TYPE_WIDTH)}  `, about.join("  "));
  else output.tabbed([String(sequence), createdAt, type, ...about]);
}

/** What it is about, and what of it. */
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
