/** What a setting says about itself beside its schema: its flag, and what the operators' document tells of it. */
import { z } from "zod";
import { unwrap } from "./coerce.ts";
import { fileVariableOf, flagOf, variableOf } from "./names.ts";

export interface SettingNotes {
  /** What it is, in Markdown. */
  readonly meaning: string;
  /** What stands for the value in `--help`, such as `<dir>`; a setting without it has no flag. */
  readonly flag?: string;
  /** What `--help` says where that is not the meaning. */
  readonly help?: string;
  /** A list whose flag is given once for each entry; the entries of other lists stand in one flag. */
  readonly isRepeatable?: boolean;
  /** The default in words, in Markdown, where the schema does not have it. */
  readonly byDefault?: string;
  /**
   * Whether a value of it is secret: always, or by what its text holds, such as a password in an address. It can then also be given by a file, and
   * a secret value on the command line, which every user of the machine can read, gives a warning.
   */
  readonly isSecret?: boolean | ((text: string) => boolean);
}

/** A flag of the command line, as its parser takes it. */
export interface SettingFlag {
  /** The setting. */
  readonly key: string;
  /** `--data <dir>`. */
  readonly flags: string;
  readonly help: string;
  readonly isRepeatable: boolean;
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

const NOTES = z.registry<SettingNotes>();

/** A setting: its schema, with what it says about itself. */
export function setting<S extends z.ZodType>(schema: S, notes: SettingNotes): S {
  NOTES.add(schema, notes);
  return schema;
}

/** The flags of the settings that have one, in the order of the schema. */
export function settingFlags(shape: Shape): SettingFlag[] {
  return Object.entries(shape).flatMap(([key, field]) => {
    const notes = NOTES.get(field);
    if (notes?.flag === undefined) return [];
    const { flag, help = notes.meaning, isRepeatable = false, isSecret } = notes;
    const elsewhere = `; a password belongs into ${variableOf(key)} or the file that ${fileVariableOf(key)} names`;
    return { key, flags: `${flagOf(key)} ${flag}`, help: isSecret ? `${help}${elsewhere}` : help, isRepeatable };
  });
}

/** @throws Error for a setting that was declared without `setting()` */
export function notesOf(key: string, field: z.core.$ZodType): SettingNotes {
  const notes = NOTES.get(field);
  if (!notes) throw new Error(`the setting ${key} does not say what it means`);
  return notes;
}

/** Whether a setting is declared as secret, at least for some values. */
export function isSecretSetting(field: z.core.$ZodType): boolean {
  return Boolean(NOTES.get(field)?.isSecret);
}

/** Whether this text of a setting is secret. */
export function isSecretText(field: z.core.$ZodType, text: string): boolean {
  const { isSecret = false } = NOTES.get(field) ?? {};
  return typeof isSecret === "boolean" ? isSecret : isSecret(text);
}

/** Whether a setting is made of settings of its own: it stands in the file only. */
export function isGroup(field: z.core.$ZodType): boolean {
  return unwrap(field) instanceof z.ZodObject;
}

/** Whether a setting takes several entries. */
export function isList(field: z.core.$ZodType): boolean {
  const inner = unwrap(field);
  return inner instanceof z.ZodArray || (inner instanceof z.ZodUnion && inner.options.some(isList));
}
