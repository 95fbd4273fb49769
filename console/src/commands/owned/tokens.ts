/** `porchlight tokens`: the tokens of users, servers and clients. */
import type { Collection, PageOptions } from "@porchlight/sdk";
import { token } from "@porchlight/shared/api";
import type { Column } from "../../render/table.ts";
import type { Args, Option } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { UsageError } from "../../session/failure.ts";
import { secondsOf } from "../../session/fields.ts";
import { ECOSYSTEM, ENVIRONMENT, Places } from "../../session/places.ts";
import { confirm, YES } from "../../session/questions.ts";
import { fieldsOfSchema } from "../../session/where.ts";
import { CREATED, ID, LISTING, pageSizeOf, showAll } from "../listing.ts";

const KINDS = ["user", "server", "client"] as const;

const OWNER: readonly Option[] = [
  { name: "user", value: "USER", summary: "Owner of the tokens: a user" },
  { name: "server", value: "SERVER", summary: "Owner of the tokens: a server" },
  { name: "client", value: "CLIENT", summary: "Owner of the tokens: a client (a hub)" },
  ECOSYSTEM,
  ENVIRONMENT,
];

const COLUMNS: readonly Column[] = [
  ID,
  { heading: "type", path: "type" },
  CREATED,
  { heading: "expires", path: "expiresAt" },
  { heading: "last used", path: "lastUsedAt" },
  { heading: "last read", path: "lastReadAt" },
  { heading: "token", path: "token" },
];

interface Calls {
  tokens(reference: string, options?: PageOptions): Collection<object>;
  createToken(reference: string, body?: { expiresInSeconds?: number }): Promise<object>;
  deleteToken(reference: string, tokenId: string): Promise<void>;
}

/** @throws UsageError unless exactly one owner is named */
async function ownerOf(context: Context, args: Args): Promise<{ calls: Calls; reference: string; kind: string }> {
  const named = KINDS.filter((kind) => args.text(kind) !== undefined);
  const [kind, another] = named;
  if (kind === undefined || another !== undefined)
    throw new UsageError(
      "The owner of the token is missing.",
      `Exactly one of --user, --server and --client is needed; ${named.length} were given.`,
      "give --user USER, --server SERVER or --client CLIENT",
    );
  const { users, servers, clients } = context.porchlight;
  const reference = await new Places(context, args).reference(kind, args.text(kind) ?? "");
  return { calls: { user: users, server: servers, client: clients }[kind], reference, kind };
}

export const tokens: readonly Command[] = [
  {
    name: "list",
    summary: "Lists the tokens of a user, server or client",
    options: [...OWNER, ...LISTING],
    examples: ["porchlight tokens list --server backend", "porchlight tokens list --user ada"],
    notes: [
      "A token is shown when it is created. A server's token is also listed here for its account; the audit log records each reading.",
    ],
    async run(context, args) {
      const { calls, reference } = await ownerOf(context, args);
      const all = calls.tokens(reference, pageSizeOf(args));
      await showAll(context, args, all, { columns: COLUMNS, fields: fieldsOfSchema(token), noun: "tokens" });
    },
  },
  {
    name: "create",
    summary: "Creates a token, and shows it once",
    options: [
      ...OWNER,
      { name: "expires-in", value: "DURATION", summary: "Lifetime of a user token: 30d, 12h, 15m (30d)" },
    ],
    examples: ["porchlight tokens create --user ada --expires-in 12h", "porchlight tokens create --server backend"],
    async run(context, args) {
      const { calls, reference, kind } = await ownerOf(context, args);
      const life = args.text("expires-in");
      if (life !== undefined && kind !== "user")
        throw new UsageError(
          "--expires-in is for users' tokens.",
          "Those of servers and clients do not expire.",
          "leave it out",
        );
      const body = life === undefined ? undefined : { expiresInSeconds: secondsOf(life, "expires-in") };
      context.output.record(await calls.createToken(reference, body));
      context.output.note("The token is shown only once: save it now.");
    },
  },
  {
    name: "delete",
    summary: "Revokes a token, and ends its open connections at once",
    parameters: [{ name: "TOKEN", summary: "ID of the token (`tok_…`), never the token itself" }],
    options: [...OWNER, YES],
    examples: ["porchlight tokens delete tok_01h455vb4pex5vsknk084sn02q --user ada"],
    async run(context, args) {
      const id = args.word("TOKEN");
      if (id.startsWith("plt_"))
        throw new UsageError(
          "TOKEN must be an ID, but this is the token itself.",
          "Other users of this machine can read command lines: treat the token as exposed.",
          "porchlight tokens list, which shows IDs",
        );
      const { calls, reference } = await ownerOf(context, args);
      await confirm(context, args, `Revoke ${id}?`);
      await calls.deleteToken(reference, id);
      context.output.note(`Revoked ${id}.`);
    },
  },
];
