/** The log that every part is handed: fields first, then a sentence, as pino has it. Never a secret in either. */

export type LogFields = Record<string, unknown>;
export type LogWrite = (fields: LogFields, message: string) => void;

export interface Log {
  readonly debug: LogWrite;
  readonly info: LogWrite;
  readonly warn: LogWrite;
  readonly error: LogWrite;
}

const nothing: LogWrite = () => undefined;

/** A log that keeps nothing. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
