/** `porchlight-cloud serve`: one process that serves, or several on one port with one more that supervises them. Ends in order on a signal. */
import {
  type Clock,
  type Log,
  type Random,
  SteeredClock,
  systemClock,
  threadProcessorTime,
} from "@porchlight/shared/kernel";
import { pino } from "pino";
import { App } from "../app.ts";
import { CLOUD_VERSION, type CloudSettings, databaseOf, isPostgres } from "../config/index.ts";
import { ownChannel, ownNumber, Supervisor, startProcesses, WorkerFailed, WorkerLink } from "../workers/index.ts";

/** Exit status of an end that a second signal has made a quick one. */
const INTERRUPTED = 130;
/** Asks for a replacement of all workers. Not SIGHUP: that comes when a terminal is closed. */
const REPLACE = "SIGUSR2";

export interface ServeDeps {
  readonly settings: CloudSettings;
  readonly random: Random;
  readonly print: (line: string) => void;
}

/** Settles when the service has ended. Sets the exit status when it could not begin. */
export async function serve(deps: ServeDeps): Promise<void> {
  const { settings } = deps;
  const log = pino({ level: settings.logLevel }, pino.destination({ fd: 2, sync: true }));
  const number = ownNumber();
  if (number !== undefined) return serveAsWorker(number, deps, log.child({ worker: number }));
  if (settings.workers > 1) return supervise(deps, log);
  const stopped = stopSignal();
  process.on(REPLACE, () => log.warn({}, "there are no workers to replace: set workers, or restart the service"));
  await using app = await startApp(deps, log);
  const url = await app.listen();
  log.info({ version: CLOUD_VERSION, url }, "the service runs");
  deps.print(`listening on ${url}`);
  log.info({ signal: await stopped }, "the service is stopping");
  await app.drain();
}

/** One of several: its supervisor says when it is to end, whatever signal the whole group gets. */
async function serveAsWorker(number: number, deps: ServeDeps, log: Log): Promise<void> {
  for (const signal of ["SIGTERM", "SIGINT", REPLACE]) process.on(signal, () => undefined);
  const link = WorkerLink.start({ number, channel: ownChannel(), clock: systemClock, log });
  await using app = await startApp(deps, log, link);
  const url = await app.listen();
  log.info({ version: CLOUD_VERSION, url }, "the worker runs");
  link.listening(url);
  await link.drain;
  log.info({}, "the worker is stopping");
  await app.drain();
}

async function supervise({ settings, random, print }: ServeDeps, log: Log): Promise<void> {
  const supervisor = Supervisor.of({
    count: settings.workers,
    clock: systemClock,
    random,
    log,
    startProcess: startProcesses(),
  });
  // However this process ends by itself, none of them is left.
  process.once("exit", () => supervisor.killAll());
  const stopped = stopSignal();
  const started = supervisor.start();
  process.on(REPLACE, () => {
    log.info({}, "the workers are being replaced");
    const replaced = started.then(() => supervisor.replaceAll());
    replaced.catch((error: unknown) => log.error({ error }, "the workers could not be replaced"));
  });
  let url: string;
  try {
    url = await started;
  } catch (failure) {
    // It has said why itself.
    if (!(failure instanceof WorkerFailed) || failure.status === undefined) throw failure;
    process.exitCode = failure.status;
    return;
  }
  log.info({ version: CLOUD_VERSION, url, workers: settings.workers }, "the service runs");
  print(`listening on ${url}`);
  log.info({ signal: await stopped }, "the service is stopping");
  await supervisor.stop();
}

function startApp({ settings, random }: ServeDeps, log: Log, link?: WorkerLink): Promise<App> {
  const clock: Clock = systemClock;
  // On a database that others may write to as well, its time is everybody's.
  const steered = isPostgres(databaseOf(settings)) ? new SteeredClock(clock) : undefined;
  return App.start({
    settings,
    clock: steered ?? clock,
    steered,
    processorTime: threadProcessorTime,
    random,
    log,
    gathered: link && ((own) => link.gathered(own)),
  });
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
