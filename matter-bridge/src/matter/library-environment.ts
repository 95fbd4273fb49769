/** What the library is given of the machine: a folder, and the log of this program. Its own file because it is set up once, before any node. */
import "./library-settings.ts";
import { Environment, Logger, LogLevel, StorageService } from "@matter/main";
import type { Log } from "@porchlight/shared/kernel";

/** @param folder for everything that the library keeps */
export function environmentIn({ folder, log }: { readonly folder: string; readonly log: Log }): Environment {
  const environment = Environment.default;
  environment.vars.set("storage.path", folder);
  environment.get(StorageService).configuredDriver = "wal";
  Logger.level = LogLevel.NOTICE;
  const destination = Logger.destinations.default;
  if (destination) {
    destination.format = ({ facility, values }) => `${facility}: ${values.map(String).join(" ")}`;
    destination.write = (text, { level }) => {
      if (level >= LogLevel.ERROR) log.error({ matter: text }, "the Matter library reports an error");
      else if (level >= LogLevel.WARN) log.warn({ matter: text }, "the Matter library warns");
      else log.debug({ matter: text }, "the Matter library says");
    };
  }
  return environment;
}
