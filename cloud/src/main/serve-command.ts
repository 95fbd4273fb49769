/** `porchlight-cloud serve`: runs the service until a signal, and stops it in order. */
import { type Clock, type Random, SteeredClock, systemClock, threadProcessorTime } from "@porchlight/shared/kernel";
import { pino } from "pino";
import { App } from "../app.ts";
import { CLOUD_VERSION, type CloudSettings, databaseOf, isPostgres } from "../config/index.ts";

/** Exit status after a second signal has cut the shutdown short. */
const INTERRUPTED = 130;

export interface ServeDeps {
  readonly settings: CloudSettings;
  readonly random: Random;
  readonly print: (line: string) => void;
}

/** Resolves when the service has stopped. Sets the exit status when it could not start. */
export async function serve({ settings, random, print }: ServeDeps): Promise<void> {
  const log = pino({ level: settings.logLevel }, pino.destination({ fd: 2, sync: true }));
  const clock: Clock = systemClock;
  // On a shared database all services follow the database's clock.
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

/** Resolves at the first SIGTERM or SIGINT; a second one exits at once. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let signalled = false;
    const tell = (signal: string) => {
      if (signalled) process.exit(INTERRUPTED);
      signalled = true;
      resolve(signal);
    };
    process.on("SIGTERM", tell);
    process.on("SIGINT", tell);
  });
}
