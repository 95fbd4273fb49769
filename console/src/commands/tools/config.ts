/** `porchlight config`: reads and changes the settings of a profile by name, in the settings file. */
import type { Args } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { Failure, UsageError } from "../../session/failure.ts";
import { fieldsNamed, WHERE, Where } from "../../session/where.ts";
import { SETTINGS, type Setting, type SettingName } from "../../settings/connection.ts";
import type { Settings } from "../../settings/settings-file.ts";

const NAME = { name: "NAME", summary: Object.keys(SETTINGS).join(", ") } as const;

const COLUMNS = [
  { heading: "name", path: "name" },
  { heading: "value", path: "value" },
  { heading: "about", path: "about" },
] as const;

/** @throws UsageError for an unknown name */
function settingOf(args: Args): { name: SettingName; setting: Setting } {
  const word = args.word("NAME");
  const known = Object.entries<Setting>(SETTINGS).find(([name]) => name === word);
  // The cast is safe: it is a key of the table.
  if (known) return { name: known[0] as SettingName, setting: known[1] };
  throw new UsageError(
    `There is no setting \`${word}\`.`,
    `The settings are ${Object.keys(SETTINGS).join(", ")}.`,
    "porchlight config list",
  );
}

function currentOf({ settings, connection }: Context, name: SettingName): string | undefined {
  return SETTINGS[name].read(settings.read(), connection.profile);
}

function change(context: Context, changed: (settings: Settings, profile: string) => Settings): void {
  context.settings.change((settings) => changed(settings, context.connection.profile));
}

export const config: readonly Command[] = [
  {
    name: "list",
    summary: "Lists the settings of the profile in use",
    options: [WHERE],
    examples: ["porchlight config list", "porchlight config list --profile work"],
    notes: ["A token is never shown. Options and variables (`porchlight help scripting`) override these settings."],
    async run(context, args) {
      const where = new Where(args, fieldsNamed("name", "value", "about"));
      const names = Object.entries<Setting>(SETTINGS);
      const rows = names.map(([name, { about }]) => ({ name, value: currentOf(context, name as SettingName), about }));
      context.output.list(COLUMNS, where.of(rows));
    },
  },
  {
    name: "get",
    summary: "Shows one setting",
    parameters: [NAME],
    examples: ["porchlight config get api-url"],
    notes: ["A setting that is not set has exit status 3."],
    async run(context, args) {
      const { name } = settingOf(args);
      const value = currentOf(context, name);
      if (value === undefined)
        throw new Failure(
          "notFound",
          `${name} is not set.`,
          SETTINGS[name].about,
          `porchlight config set ${name} VALUE`,
        );
      if (context.output.isJson) context.output.json({ name, value });
      else context.output.line(value);
    },
  },
  {
    name: "set",
    summary: "Changes one setting",
    parameters: [NAME, { name: "VALUE", summary: "Its new value" }],
    examples: [
      "porchlight config set api-url https://porchlight.example",
      "porchlight config set environment home",
      "porchlight config set output json",
    ],
    notes: [
      "A profile whose api-url changes loses its token, environment and ecosystem: they belong to the previous service.",
    ],
    async run(context, args) {
      const { name, setting } = settingOf(args);
      const value = args.word("VALUE");
      const fault = setting.fault(value, context.settings.read());
      if (fault) throw new UsageError(`${name} cannot be \`${value}\`.`, fault, `porchlight help config`);
      change(context, (settings, profile) => setting.write(settings, profile, value));
      context.output.note(`${name} is now ${value}.`);
    },
  },
  {
    name: "unset",
    summary: "Removes one setting, so that its default applies",
    parameters: [NAME],
    examples: ["porchlight config unset environment"],
    async run(context, args) {
      const { name, setting } = settingOf(args);
      change(context, (settings, profile) => setting.write(settings, profile, undefined));
      context.output.note(`${name} is no longer set.`);
    },
  },
];
