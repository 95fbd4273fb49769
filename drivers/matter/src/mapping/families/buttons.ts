/** Switch: what is pressed by hand. A press is told as an event; one that happens while the hub is away is not told later. */
import {
  type EventSource,
  type Family,
  type MatterProperty,
  member,
  own,
  type Place,
  rawNumber,
  standard,
} from "../matter-property.ts";

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
  const most = rawNumber(endpoint.attribute(CLUSTER, "multiPressMax"));
  return [
    ...standard(place, "Button", "event", { of: [], read: () => undefined, events: [press, ...long] }),
    ...(features.has("momentarySwitchMultiPress") && typeof most === "number" && most > PRESSES.size
      ? [counted(place, most)]
      : []),
  ];
};

/** How often it was pressed, or how far a wheel was turned, of what counts further than there are words. */
function counted(place: Place, max: number): MatterProperty {
  const value = (payload: unknown) => rawNumber(member(payload, "totalNumberOfPressesCounted")) ?? undefined;
  return own(
    place,
    "Readings",
    { property: "presses", type: "integer", min: 1, max },
    { of: [], read: () => undefined, events: [{ cluster: CLUSTER, event: "multiPressComplete", value }] },
  );
}
