/** `porchlight profiles`: several services or accounts side by side, with their settings. */
import type { Args } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { Failure } from "../../session/failure.ts";
import { confirm, YES } from "../../session/questions.ts";
import { fieldsNamed, WHERE, Where } from "../../session/where.ts";

const NAME = { name: "NAME", summary: "Of the profile" } as const;

const FIELDS = fieldsNamed("name", "inForce", "apiUrl", "email", "hasToken", "environment", "ecosystem");

const COLUMNS = [
  { heading: "name", path: "name" },
  { heading: "in use", path: "inForce" },
  { heading: "API", path: "apiUrl" },
  { heading: "e-mail", path: "email" },
  { heading: "logged in", path: "hasToken" },
  { heading: "environment", path: "environment" },
] as const;

/** Never a token, because users may show the list to others. */
function shown({ settings, connection }: Context) {
  return Object.entries(settings.read().profiles).map(([name, { apiUrl, email, token, environment, ecosystem }]) => ({
    ...{ name, inForce: name === connection.profile, apiUrl, email, hasToken: token !== undefined },
    ...{ environment, ecosystem },
  }));
}

/** @throws Failure "notFound" */
function known({ settings, connection }: Context, args: Args): string {
  const name = args.optionalWord("NAME") ?? connection.profile;
  if (Object.hasOwn(settings.read().profiles, name)) return name;
  throw new Failure(
    "notFound",
    `There is no profile \`${name}\`.`,
    "The settings file has no profile of this name.",
    "porchlight profiles list",
  );
}

export const profiles: readonly Command[] = [
  {
    name: "list",
    summary: "Lists the profiles",
    options: [WHERE],
    examples: ["porchlight profiles list", "porchlight profiles list --where hasToken=true"],
    async run(context, args) {
      context.output.list(COLUMNS, new Where(args, FIELDS).of(shown(context)));
    },
  },
  {
    name: "use",
    summary: "Switches to a profile",
    parameters: [NAME],
    examples: ["porchlight profiles use work"],
    async run(context, args) {
      const name = known(context, args);
      context.settings.change((before) => ({ ...before, current: name }));
      context.output.note(`The profile in use is now ${name}.`);
    },
  },
  {
    name: "set",
    summary: "Sets where a profile looks up names",
    parameters: [{ ...NAME, isOptional: true }],
    options: [
      { name: "environment", value: "ENVIRONMENT", summary: 'Where `lamp` alone is looked up; "" removes it' },
      { name: "ecosystem", value: "ECOSYSTEM", summary: 'For accounts with several; "" removes it' },
    ],
    examples: [
      "porchlight profiles set --environment env_01h455vb4pex5vsknk084sn02q",
      'porchlight profiles set work --ecosystem ""',
    ],
    async run(context, args) {
      const name = known(context, args);
      context.settings.change((before) => {
        const profile = { ...(before.profiles[name] ?? { apiUrl: context.connection.apiUrl }) };
        for (const key of ["environment", "ecosystem"] as const) {
          const text = args.text(key);
          if (text === "") delete profile[key];
          else if (text !== undefined) profile[key] = text;
        }
        return { ...before, profiles: { ...before.profiles, [name]: profile } };
      });
      context.output.note(`The profile ${name} is changed.`);
    },
  },
  {
    name: "delete",
    summary: "Deletes a profile with its token",
    parameters: [NAME],
    options: [YES],
    examples: ["porchlight profiles delete work"],
    notes: ["The token stays valid at the service: to end it first, run `porchlight logout --profile NAME`."],
    async run(context, args) {
      const name = known(context, args);
      await confirm(context, args, `Delete the profile ${name}?`);
      context.settings.change((before) => {
        const { [name]: _, ...rest } = before.profiles;
        return { ...before, profiles: rest, current: before.current === name ? "default" : before.current };
      });
      context.output.note(`The profile ${name} is deleted.`);
    },
  },
];
