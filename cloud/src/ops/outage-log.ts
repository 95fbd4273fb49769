/** Logs a database outage once when it begins and once when it ends. Failures caused by it add no information. */
import type { Log, LogWrite } from "@porchlight/shared/kernel";
import { isOutage, type OutageListener } from "../store/index.ts";

const BEGAN = { reads: "the database does not answer reads", writes: "the database does not accept writes" } as const;
const ENDED = { reads: "the database answers reads again", writes: "the database accepts writes again" } as const;

export function outageLog(log: Log): OutageListener {
  return {
    began: ({ work, error }) => log.error({ error: error.cause }, BEGAN[work]),
    ended: ({ work }, lastedMs) => log.warn({ lastedMs: Math.round(lastedMs) }, ENDED[work]),
  };
}

/** The same log, with failures caused by an outage at level `debug`. */
export function withoutEchoes(log: Log): Log {
  const unlessEcho =
    (write: LogWrite): LogWrite =>
    (fields, message) =>
      isEcho(fields.error) ? log.debug(fields, message) : write(fields, message);
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: unlessEcho((fields, message) => log.warn(fields, message)),
    error: unlessEcho((fields, message) => log.error(fields, message)),
  };
}

function isEcho(error: unknown): boolean {
  return isOutage(error) || (error instanceof Error && error.cause !== undefined && isEcho(error.cause));
}
