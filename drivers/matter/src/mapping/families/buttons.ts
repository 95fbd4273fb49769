/** Switch: buttons and selectors. A press is an event; one that happens while the hub is away is not reported later. */
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
  // The counting event also covers a single press, only later, so it replaces the plain one.
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

/** Number of presses, or of steps of a wheel, where the device counts further than the words go. */
function counted(place: Place, max: number): MatterProperty {
  const value = (payload: unknown) => rawNumber(member(payload, "totalNumberOfPressesCounted")) ?? undefined;
  return own(
    place,
    "Readings",
    { property: "presses", type: "integer", min: 1, max },
    { of: [], read: () => undefined, events: [{ cluster: CLUSTER, event: "multiPressComplete", value }] },
  );
}
