/** `porchlight accounts grants`, `end-grant`, `end-grants`: lists and ends the access to the account besides its log-ins. */
import { type Grant, grant as grantSchema } from "@porchlight/shared/api";
import type { Column } from "../../render/table.ts";
import type { Option } from "../../session/args.ts";
import type { Command } from "../../session/command.ts";
import { Failure } from "../../session/failure.ts";
import { momentOf } from "../../session/fields.ts";
import { confirm, YES } from "../../session/questions.ts";
import { fieldsOfSchema } from "../../session/where.ts";
import { CREATED, ID, LISTING, pageSizeOf, showAll } from "../listing.ts";

export const GRANT_COLUMNS: readonly Column[] = [
  ID,
  { heading: "type", path: "type" },
  { heading: "of", path: "subjectId", isWhole: true },
  { heading: "alias", path: "alias", isExtra: true },
  CREATED,
  { heading: "changed", path: "changedAt", isExtra: true },
  { heading: "last used", path: "lastUsedAt" },
  { heading: "made by", path: "madeBy.type" },
  { heading: "address", path: "address" },
];

const SINCE: Option = {
  name: "since",
  value: "TIME",
  summary: "Only what was made or changed from this time on: 2h, 7d, or 2026-11-05T14:03:07Z",
};
const EXAMPLE = "whk_01h455vb4pex5vsknk084sn02q";

export const listGrants: Command = {
  name: "grants",
  summary: "Lists what has access to your account besides log-ins: tokens, webhooks and sinks",
  options: [SINCE, ...LISTING],
  examples: ["porchlight accounts grants", "porchlight accounts grants --since 7d"],
  async run(context, args) {
    const since = args.text("since");
    const filter = since === undefined ? {} : { since: momentOf(since, context.clock) };
    const grants = context.porchlight.account.grants(filter, pageSizeOf(args));
    await showAll(context, args, grants, {
      columns: GRANT_COLUMNS,
      fields: fieldsOfSchema(grantSchema),
      noun: "grants",
    });
  },
};

export const endGrant: Command = {
  name: "end-grant",
  summary: "Ends one: revokes the token, or deletes the webhook or sink",
  parameters: [{ name: "GRANT", summary: "Its ID, as `accounts grants` lists it" }],
  options: [YES],
  examples: [`porchlight accounts end-grant ${EXAMPLE}`],
  async run(context, args) {
    const id = args.word("GRANT");
    const { account } = context.porchlight;
    let found: Grant | undefined;
    for await (const grant of account.grants()) if (grant.id === id) found = grant;
    if (!found)
      throw new Failure(
        "notFound",
        `Nothing with the ID ${id} has access.`,
        "It may have ended.",
        "porchlight accounts grants",
      );
    await confirm(context, args, `End ${found.id} (${found.type})?`);
    await account.endGrant(found);
    context.output.note(`Ended ${found.id}.`);
  },
};

export const endGrants: Command = {
  name: "end-grants",
  summary: "Ends all that were made or changed since a time",
  options: [{ ...SINCE, isRequired: true }, YES],
  examples: ["porchlight accounts end-grants --since 2026-11-05T14:03:07Z"],
  async run(context, args) {
    const { account } = context.porchlight;
    const since = momentOf(args.text("since") ?? "", context.clock);
    const grants = await account.grants({ since }).all();
    if (grants.length === 0) return context.output.note("There is nothing to end.");
    await confirm(
      context,
      args,
      `End ${grants.length} tokens, webhooks and sinks that were made or changed since ${since}?`,
    );
    for (const grant of grants) await account.endGrant(grant);
    context.output.note(`Ended ${grants.length}.`);
  },
};
