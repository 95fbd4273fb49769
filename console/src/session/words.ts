/** What may stand on a command line after the command: words in their order, and options by their names. */

/** A word after the command. */
export interface Parameter {
  /** In capitals, as help shows it: `DEVICE`. */
  readonly name: string;
  readonly summary: string;
  readonly isOptional?: true;
  /** It takes all words that are left. */
  readonly isRest?: true;
  /** Nothing between quotes is a value too. Of a reference it would be another route. */
  readonly mayBeEmpty?: true;
}

export interface Option {
  /** Without its hyphens: `meta-file`. */
  readonly name: string;
  /** One letter, for what is typed often. */
  readonly short?: string;
  /** What it takes, in capitals: `FILE`. A flag without it takes nothing. */
  readonly value?: string;
  readonly summary: string;
  /** It may stand several times. */
  readonly isRepeatable?: true;
  /** It takes a whole number from, to. */
  readonly number?: readonly [from: number, to: number];
  readonly choices?: readonly string[];
  /** Names that it had before: still understood, and shown nowhere. */
  readonly formerNames?: readonly string[];
  /** It has to be there. */
  readonly isRequired?: true;
}
