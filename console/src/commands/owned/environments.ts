/** `porchlight environments`: homes and other places with devices, and one property over all devices of a place. */
import { type EnvironmentUpdate, environment } from "@porchlight/shared/api";
import type { Args, Option } from "../../session/args.ts";
import { UsageError } from "../../session/failure.ts";
import { ECOSYSTEM } from "../../session/places.ts";
import { ALIAS, CREATED, ID } from "../listing.ts";
import { objectCommands } from "../objects.ts";
import { environmentServices } from "../services.ts";
import { widePropertyCommands } from "../wide-properties.ts";

/** Time zone and location, for scenes with times, sunrise and sunset. */
const HOME: readonly Option[] = [
  { name: "time-zone", value: "NAME", summary: "Time zone of the home: Europe/Berlin" },
  { name: "no-time-zone", summary: "Removes the time zone" },
  { name: "location", value: "LATITUDE,LONGITUDE", summary: "Where the home is, in degrees: 52.5,13.4" },
  { name: "no-location", summary: "Removes the location" },
];

const LOCATION = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/;

/** @throws UsageError */
function homeOf(args: Args): Partial<EnvironmentUpdate> {
  for (const name of ["time-zone", "location"])
    if (args.text(name) !== undefined && args.has(`no-${name}`))
      throw new UsageError(
        `--${name} and --no-${name} exclude each other.`,
        "One sets it, the other removes it.",
        "give only one of them",
      );
  const [timeZone, place] = [args.text("time-zone"), args.text("location")];
  const degrees = place === undefined ? undefined : LOCATION.exec(place);
  if (degrees === null)
    throw new UsageError("--location is LATITUDE,LONGITUDE.", `\`${place}\` is not.`, "give --location 52.5,13.4");
  return {
    ...(timeZone !== undefined && { timeZone }),
    ...(args.has("no-time-zone") && { timeZone: null }),
    ...(degrees && { location: { latitude: Number(degrees[1]), longitude: Number(degrees[2]) } }),
    ...(args.has("no-location") && { location: null }),
  };
}

export const environments = [
  ...objectCommands({
    noun: "environments",
    one: "environment",
    kind: "environment",
    columns: [ID, ALIAS, { heading: "ecosystem", path: "ecosystemId", isWhole: true }, CREATED],
    schema: environment,
    example: "home",
    calls: ({ environments }) => environments,
    list: {
      options: [ECOSYSTEM],
      filter: async (places) => ({ ecosystemId: await places.chosenEcosystem() }),
    },
    create: {
      options: [ECOSYSTEM],
      body: async (common, places) => ({ ...common, ecosystemId: await places.chosenEcosystem() }),
      examples: ["porchlight environments create --alias home"],
    },
    update: {
      options: HOME,
      body: async (_places, args) => homeOf(args),
      examples: ["porchlight environments update home --time-zone Europe/Berlin --location 52.5,13.4"],
    },
    deleteNote: "All zones, devices and hubs in it are deleted too.",
  }),
  environmentServices,
  ...widePropertyCommands({
    noun: "environments",
    kind: "environment",
    example: "home",
    calls: ({ environments }) => environments,
  }),
];
