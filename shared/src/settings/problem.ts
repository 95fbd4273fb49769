/** What is wrong with the settings, all of it at once, so that a file need not be fixed one error at a time. */

export interface SettingsProblem {
  /** Where it stands: `FILE:LINE`, the variable or the flag; the program's name when it stands nowhere. */
  readonly source: string;
  /** The setting, dotted where it lies deeper; empty when the file as a whole is at fault. */
  readonly key: string;
  /** What is wrong and, where it is known, what was meant. Never the value: it may be a secret. */
  readonly message: string;
}

/** Thrown by `loadSettings`; its message names every problem, one a line. Programs end with status 2 on it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly SettingsProblem[];

  constructor(program: string, problems: readonly SettingsProblem[]) {
    const head = problems.length === 1 ? "one setting is wrong" : `${problems.length} settings are wrong`;
    super([`${program}: ${head}`, ...problems.map(({ source, message }) => `  ${source}: ${message}`)].join("\n"));
    this.problems = problems;
  }
}
