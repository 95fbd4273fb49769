/** Alarms of appliances: which of those that the device can raise it now raises. */
import { type Family, flag, member, own } from "../../matter-property.ts";
import { serviceOf } from "./service-of.ts";

const ALARMS: Readonly<Record<string, readonly string[]>> = {
  refrigeratorAlarm: ["doorOpen"],
  dishwasherAlarm: ["inflowError", "drainError", "doorError", "tempTooLow", "tempTooHigh", "waterLevelError"],
};

export const alarms: Family = (endpoint, index) =>
  Object.entries(ALARMS).flatMap(([cluster, names]) => {
    const supported = endpoint.attribute(cluster, "supported");
    return names
      .filter((name) => endpoint.clusters.has(cluster) && member(supported, name) !== false)
      .map((property) =>
        own(
          { endpoint, index },
          serviceOf(cluster),
          { property, type: "boolean" },
          {
            of: [`${cluster}.state`],
            read: (raw) => flag(member(raw(cluster, "state"), property)),
          },
        ),
      );
  });
