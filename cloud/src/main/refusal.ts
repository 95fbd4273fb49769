/** What a command of the program cannot do, as it is told to a person: in a separate file, because every command may use it. */
import { existsSync } from "node:fs";
import { type CloudSettings, databaseOf } from "../config/index.ts";

/** What the command was told cannot be done; the message says why. */
export class CommandRefused extends Error {}

/** Where the database is, for commands about a service that has run. @throws CommandRefused */
export function existingDatabase(settings: CloudSettings): string {
  const location = databaseOf(settings);
  if (!location.includes("://") && !existsSync(location))
    throw new CommandRefused(`There is no database at ${location}: say where it is with --data or --database.`);
  return location;
}
