/** Whether the page shows what happens now, and if not, what it shows instead. */
import { Text } from "@mantine/core";
import { clockOf } from "../../kit/text/age.tsx";
import { counted } from "../../kit/text/quantity.ts";
import { useLiveness } from "../../live/context.tsx";
import type { Liveness } from "../../live/liveness.ts";
import { type LogView, loadedTo } from "./log-view.ts";

export interface StandingProps {
  readonly view: LogView;
  readonly hasFailed: boolean;
}

export function Standing({ view, hasFailed }: StandingProps) {
  const shown = view.runs.reduce((sum, { events }) => sum + events.length, 0);
  return (
    <Text size="sm" c="dimmed" role="status">
      {standingOf(view, useLiveness(), hasFailed)} {counted(shown, "event")} shown.
    </Text>
  );
}

/** In a sentence or two. */
export function standingOf(view: LogView, liveness: Liveness, hasFailed: boolean): string {
  const end = loadedTo(view);
  if (end === undefined) return hasFailed ? "Not live: events could not be loaded." : "Loading…";
  const isAtEnd = end >= view.newest;
  if (!view.isFollowing) {
    const place = isAtEnd ? "" : ` Showing events up to number ${end}. The newest is ${view.newest}.`;
    return `Paused: ${counted(view.waiting.length, "event")} arrived meanwhile.${place}`;
  }
  if (liveness.kind === "lost")
    return `Not live: events since ${clockOf(new Date(liveness.since).toISOString())} will be shown when the connection is back.`;
  if (liveness.kind === "connecting") return "Connecting…";
  if (!isAtEnd) return hasFailed ? "Not live: the newest events could not be loaded." : "Loading the newest events…";
  return "Live.";
}
