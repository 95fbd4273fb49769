/** What commands about a service that has run are given, and the database that they open. */
import { existsSync } from "node:fs";
import { type Clock, IdMaker, type Random } from "@porchlight/shared/kernel";
import { type CloudSettings, databaseOf } from "../config/index.ts";
import { Store } from "../store/index.ts";

export interface CommandDeps {
  readonly settings: CloudSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly print: (line: string) => void;
}

/** The command cannot be executed; the message has the reason. */
export class CommandRefused extends Error {}

/** The location of the database. @throws CommandRefused */
export function existingDatabase(settings: CloudSettings): string {
  const location = databaseOf(settings);
  if (!location.includes("://") && !existsSync(location))
    throw new CommandRefused(`There is no database at ${location}: say where it is with --data or --database.`);
  return location;
}

/** Opens the existing database. @throws CommandRefused */
export function openExisting({ settings, clock, random }: CommandDeps): Promise<Store> {
  return Store.open({ location: existingDatabase(settings), clock, ids: new IdMaker(clock, random), patient: true });
}
