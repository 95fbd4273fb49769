/** `porchlight-cloud serve`: runs the service until a signal, and ends it in order. */
import { type Clock, type Random, SteeredClock, systemClock, threadProcessorTime } from "@porchlight/shared/kernel";
import { pino } from "pino";
import { App } from "../app.ts";
import { CLOUD_VERSION, type CloudSettings, databaseOf, isPostgres } from "../config/index.ts";

/** Exit status of an end that a second signal has made a quick one. */
const INTERRUPTED = 130;

export interface ServeDeps {
  readonly settings: CloudSettings;
  readonly random: Random;
  readonly print: (line: string) => void;
}

/** Settles when the service has ended. Sets the exit status when it could not begin. */
export async function serve({ settings, random, print }: ServeDeps): Promise<void> {
  const log = pino({ level: settings.logLevel }, pino.destination({ fd: 2, sync: true }));
  const clock: Clock = systemClock;
  // On a database that others may write to as well, its time is everybody's.
  const steered = isPostgres(databaseOf(settings)) ? new SteeredClock(clock) : undefined;
  const stopped = stopSignal();
  await using app = await App.start({
    settings,
    clock: steered ?? clock,
    steered,
    processorTime: threadProcessorTime,
    random,
    log,
  });
  const url = await app.listen();
  log.info({ version: CLOUD_VERSION, url }, "the service runs");
  print(`listening on ${url}`);
  log.info({ signal: await stopped }, "the service is stopping");
  await app.drain();
}

/** The first SIGTERM or SIGINT; a second one does not wait for the end. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let told = false;
    const tell = (signal: string) => {
      if (told) process.exit(INTERRUPTED);
      told = true;
      resolve(signal);
    };
    process.on("SIGTERM", tell);
    process.on("SIGINT", tell);
  });
}
