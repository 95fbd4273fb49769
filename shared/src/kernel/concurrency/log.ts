/** The log that every component receives: fields first, then a sentence, as in pino. Neither may contain a secret. */

export type LogFields = Record<string, unknown>;
export type LogWrite = (fields: LogFields, message: string) => void;

export interface Log {
  readonly debug: LogWrite;
  readonly info: LogWrite;
  readonly warn: LogWrite;
  readonly error: LogWrite;
}

const nothing: LogWrite = () => undefined;

/** A log that discards everything. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
