/** An event in the words of the history, from a stream, a webhook or the store. */
import { z } from "zod";
import type { EventSeen } from "../history/history.ts";
import type { Load } from "./load.ts";

const anyEvent = z.object({ id: z.string(), sequence: z.number(), type: z.string(), data: z.unknown() });
const changed = z.object({
  item: z.object({ deviceId: z.string(), service: z.string(), property: z.string(), value: z.unknown() }),
});
const completed = z.object({ id: z.string() });

/** @param text JSON of the whole event @throws ZodError, SyntaxError when it is none */
export function eventSeenIn(load: Load, text: string): EventSeen {
  const { data, ...event } = anyEvent.parse(JSON.parse(text));
  const seen = { ...event, at: load.clock.monotonic() };
  if (event.type === "command.completed") return { ...seen, commandId: completed.parse(data).id };
  if (event.type === "command.unconfirmed") return { ...seen, unconfirmedId: completed.parse(data).id };
  if (event.type !== "property.changed") return seen;
  const { deviceId, service, property, value } = changed.parse(data).item;
  const change = { device: load.edgeId(deviceId) ?? deviceId, property: `${service}.${property}`, value };
  return { ...seen, change };
}
