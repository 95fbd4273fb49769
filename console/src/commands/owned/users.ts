/** `porchlight users`: the users that an operator's own server vouches for, and the environments that each can access. */
import { accessEntry, user } from "@porchlight/shared/api";
import type { Column } from "../../render/table.ts";
import type { Command } from "../../session/command.ts";
import { ECOSYSTEM, Places } from "../../session/places.ts";
import { confirm, YES } from "../../session/questions.ts";
import { fieldsOfSchema } from "../../session/where.ts";
import { ALIAS, CREATED, ID, LISTING, pageSizeOf, showAll } from "../listing.ts";
import { objectCommands } from "../objects.ts";

const USER = { name: "USER", summary: "ID of the user, or its alias or reference" } as const;

const ACCESS_COLUMNS: readonly Column[] = [
  ID,
  { heading: "environment", path: "environmentId", isWhole: true },
  CREATED,
];

const access: readonly Command[] = [
  {
    name: "access",
    summary: "Lists the environments that a user has access to",
    parameters: [USER],
    options: [ECOSYSTEM, ...LISTING],
    examples: ["porchlight users access ada"],
    async run(context, args) {
      const user = await new Places(context, args).reference("user", args.word("USER"));
      const entries = context.porchlight.users.access(user, pageSizeOf(args));
      await showAll(context, args, entries, {
        ...{ columns: ACCESS_COLUMNS, fields: fieldsOfSchema(accessEntry), noun: "access entries" },
      });
    },
  },
  {
    name: "grant",
    summary: "Gives a user access to an environment and everything in it",
    parameters: [USER, { name: "ENVIRONMENT", summary: "ID of the environment, or its alias or reference" }],
    options: [ECOSYSTEM],
    examples: ["porchlight users grant ada home"],
    async run(context, args) {
      const places = new Places(context, args);
      const user = await places.reference("user", args.word("USER"));
      const environment = await places.reference("environment", args.word("ENVIRONMENT"));
      context.output.record(await context.porchlight.users.grant(user, environment));
    },
  },
  {
    name: "revoke",
    summary: "Removes an access entry",
    parameters: [USER, { name: "ENTRY", summary: "ID of the access entry, as `users access` lists it" }],
    options: [ECOSYSTEM, YES],
    examples: ["porchlight users revoke ada acs_01h455vb4pex5vsknk084sn02q"],
    async run(context, args) {
      const user = await new Places(context, args).reference("user", args.word("USER"));
      const entry = args.word("ENTRY");
      await confirm(context, args, `Remove ${entry} from ${args.word("USER")}?`);
      await context.porchlight.users.revoke(user, entry);
      context.output.note(`Removed ${entry}.`);
    },
  },
];

export const users = [
  ...objectCommands({
    noun: "users",
    one: "user",
    kind: "user",
    columns: [ID, { heading: "key", path: "key" }, ALIAS, CREATED],
    schema: user,
    example: "ada",
    calls: ({ users }) => users,
    list: { options: [ECOSYSTEM], filter: async (places) => ({ ecosystemId: await places.chosenEcosystem() }) },
    create: {
      options: [
        {
          name: "key",
          value: "KEY",
          summary: "Your own unique key for the user; it does not change",
          isRequired: true,
        },
        ECOSYSTEM,
      ],
      body: async (common, places, args) => ({
        key: args.text("key") ?? "",
        ecosystemId: await places.chosenEcosystem(),
        ...common,
      }),
      examples: ["porchlight users create --key 4711 --alias ada"],
    },
    update: {},
    deleteNote: "The user's tokens end with it.",
  }),
  ...access,
];
