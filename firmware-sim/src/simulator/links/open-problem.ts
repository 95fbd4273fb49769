/** Why the place of a board cannot be opened: a sentence for a person, and its kind for a program. */

/** `no_port`: there is no serial port. `locked`: another program has it. `no_connection`: nothing listens. `wrong_key`: TLS fails. */
export type OpenProblemKind = "no_port" | "locked" | "no_connection" | "wrong_key";

export class OpenProblem extends Error {
  override readonly name = "OpenProblem";
  readonly kind: OpenProblemKind;

  constructor(kind: OpenProblemKind, what: string) {
    super(what);
    this.kind = kind;
  }
}

/** What the serial library and the file system say, by a part of their text. */
const SERIAL: readonly (readonly [RegExp, OpenProblemKind, string])[] = [
  [/ENOENT|No such file/, "no_port", "there is no such port"],
  [/EACCES|Permission denied/, "no_port", "this account may not open it; on Linux, members of the group dialout may"],
  [/ENOTTY|Inappropriate ioctl|Not a typewriter|EISDIR|Is a directory/, "no_port", "it is no serial port"],
  [/EBUSY|Cannot lock|Resource temporarily unavailable|Resource busy/, "locked", "another program has it open"],
  [/baud/, "no_port", "it does not take this baud rate"],
];

/** Of a port that could not be opened. */
export function serialProblem(path: string, failure: unknown): OpenProblem {
  const text = textOf(failure);
  const [, kind, what] = SERIAL.find(([pattern]) => pattern.test(text)) ?? [undefined, "no_port" as const, text];
  return new OpenProblem(kind, `${path} cannot be opened: ${what}.`);
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such name",
  EAI_AGAIN: "there is no such name",
  EHOSTUNREACH: "there is no way to that address",
  ENETUNREACH: "there is no way to that address",
  ETIMEDOUT: "nothing answers",
};

/** Of a connection that could not be made. @param isSecure whether it was to be TLS: then a connection that breaks off is a matter of keys */
export function networkProblem(place: string, failure: unknown, isSecure: boolean): OpenProblem {
  const { code = "" } = failure instanceof Error ? (failure as NodeJS.ErrnoException) : {};
  const known = NETWORK[code];
  if (known !== undefined || !isSecure)
    return new OpenProblem("no_connection", `${place} cannot be reached: ${known ?? textOf(failure)}.`);
  return new OpenProblem("wrong_key", `${place} does not take this key for this edgeId.`);
}

function textOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
