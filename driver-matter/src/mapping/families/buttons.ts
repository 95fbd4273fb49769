/** Switch: what is pressed by hand. A press is told as an event; one that happens while the hub is away is not told later. */
import { type EventSource, type Family, member, own, rawNumber, standard } from "../matter-property.ts";

const CLUSTER = "switch";
const PRESSES: ReadonlyMap<unknown, string> = new Map([
  [1, "press"],
  [2, "double"],
]);

export const buttons: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  const features = endpoint.features(CLUSTER);
  const place = { endpoint, index };
  if (features.has("latchingSwitch"))
    return [
      own(
        place,
        "Readings",
        { property: "position", type: "integer" },
        {
          of: [`${CLUSTER}.currentPosition`],
          read: (raw) => rawNumber(raw(CLUSTER, "currentPosition")),
        },
      ),
    ];
  const event = (name: string, value: EventSource["value"]): EventSource => ({ cluster: CLUSTER, event: name, value });
  // What tells how often it was pressed tells a single press as well, only later.
  const press = features.has("momentarySwitchMultiPress")
    ? event("multiPressComplete", (payload) => PRESSES.get(member(payload, "totalNumberOfPressesCounted")))
    : event(features.has("momentarySwitchRelease") ? "shortRelease" : "initialPress", () => "press");
  const long = features.has("momentarySwitchLongPress")
    ? [event("longPress", () => "long"), event("longRelease", () => "release")]
    : [];
  return standard(place, "Button", "event", { of: [], read: () => undefined, events: [press, ...long] });
};
