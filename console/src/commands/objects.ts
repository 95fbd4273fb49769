/** The verbs of every kind of object with alias and metadata: list, get, create, update, delete. */
import {
  type ChangeOptions,
  type Collection,
  type ObjectOptions,
  type PageOptions,
  type Porchlight,
  retryOnConflict,
  type Tagged,
} from "@porchlight/sdk";
import type { z } from "zod";
import { valueAt } from "../render/cell.ts";
import type { Column } from "../render/table.ts";
import type { Args, Option } from "../session/args.ts";
import type { Command, Context } from "../session/command.ts";
import { UsageError } from "../session/failure.ts";
import {
  aliasOf,
  CREATE_FIELDS,
  changedMeta,
  type Meta,
  type MetaChange,
  metaChange,
  UPDATE_FIELDS,
  wholeMeta,
} from "../session/fields.ts";
import { ECOSYSTEM, ENVIRONMENT, type Kind, Places } from "../session/places.ts";
import { confirm, YES } from "../session/questions.ts";
import { fieldsOfSchema } from "../session/where.ts";
import { LISTING, pageSizeOf, showAll } from "./listing.ts";

/** The client's methods for one kind. */
interface Calls<R, N, U, F> {
  list(filter?: F, options?: PageOptions & ObjectOptions): Collection<R>;
  create(body: N, options?: ObjectOptions): Promise<R>;
  getTagged(reference: string, options?: ObjectOptions): Promise<Tagged<R>>;
  update(reference: string, body: U, options?: ChangeOptions): Promise<string>;
  delete(reference: string, options?: ChangeOptions): Promise<void>;
}

/** Alias and metadata in a request body. */
interface Common {
  readonly alias?: string | null;
  readonly meta?: Meta;
}

interface ObjectNoun<R extends object, N, U extends object, F> {
  /** The noun of the command: `zones`. */
  readonly noun: string;
  /** Singular noun for messages: `zone`. */
  readonly one: string;
  readonly kind: Kind;
  readonly columns: readonly Column[];
  /** The API's schema of an object, for `--where`. */
  readonly schema: z.core.$ZodType;
  /** An alias for the examples. */
  readonly example: string;
  readonly calls: (porchlight: Porchlight) => Calls<R, N, U, F>;
  readonly list: {
    readonly options: readonly Option[];
    readonly filter: (places: Places, args: Args) => Promise<F>;
    readonly example?: string;
  };
  /** Absent for a kind that the console does not create. */
  readonly create?: {
    readonly options: readonly Option[];
    readonly body: (common: Common, places: Places, args: Args) => Promise<N>;
    readonly examples: readonly string[];
  };
  readonly update: {
    readonly options?: readonly Option[];
    /** Fields to change besides alias and metadata. */
    readonly body?: (places: Places, args: Args) => Promise<Partial<U>>;
    readonly examples?: readonly string[];
  };
  /** What is deleted with it. */
  readonly deleteNote?: string;
}

const IF_MATCH: Option = {
  name: "if-match",
  value: "ETAG",
  summary: "Only if its entity tag is still this one (`get --etag`)",
};

/** The option for the container in which the object is looked up. */
function placeOption(kind: Kind): readonly Option[] {
  return kind === "ecosystem"
    ? []
    : kind === "zone" || kind === "scene" || kind === "device" || kind === "client"
      ? [ENVIRONMENT]
      : [ECOSYSTEM];
}

function prefixOf(args: Args): { readonly systemMetadataPrefix: string | undefined } {
  return { systemMetadataPrefix: args.text("system-prefix") };
}

const PREFIX = CREATE_FIELDS.filter(({ name }) => name === "system-prefix");

export function objectCommands<R extends object, N, U extends object, F>(noun: ObjectNoun<R, N, U, F>): Command[] {
  return [
    listOf(noun),
    getOf(noun),
    ...(noun.create ? [createOf(noun, noun.create)] : []),
    updateOf(noun),
    deleteOf(noun),
  ];
}

type Noun<R extends object, N, U extends object, F> = ObjectNoun<R, N, U, F>;

function listOf<R extends object, N, U extends object, F>(noun: Noun<R, N, U, F>): Command {
  const { list } = noun;
  return {
    name: "list",
    summary: `Lists ${noun.noun}`,
    options: [...list.options, ...LISTING, ...PREFIX],
    examples: [list.example ?? `porchlight ${noun.noun} list`, `porchlight ${noun.noun} list --json`],
    async run(context, args) {
      const filter = await list.filter(new Places(context, args), args);
      const all = noun.calls(context.porchlight).list(filter, { ...pageSizeOf(args), ...prefixOf(args) });
      await showAll(context, args, all, { ...noun, fields: fieldsOfSchema(noun.schema) });
    },
  };
}

function getOf<R extends object, N, U extends object, F>(noun: Noun<R, N, U, F>): Command {
  return {
    name: "get",
    summary: `Shows one ${noun.one}`,
    parameters: [parameterOf(noun)],
    options: [
      ...placeOption(noun.kind),
      { name: "etag", summary: "Prints only its entity tag, for --if-match" },
      ...PREFIX,
    ],
    examples: [`porchlight ${noun.noun} get ${noun.example}`, `porchlight ${noun.noun} get ${noun.example} --json`],
    async run(context, args) {
      const { calls, reference } = await found(noun, context, args);
      const { value, etag } = await calls.getTagged(reference, prefixOf(args));
      if (args.has("etag")) context.output.line(etag);
      else context.output.record(value);
    },
  };
}

function createOf<R extends object, N, U extends object, F>(
  noun: Noun<R, N, U, F>,
  create: NonNullable<Noun<R, N, U, F>["create"]>,
): Command {
  return {
    name: "create",
    summary: `Creates ${withArticle(noun.one)}`,
    options: [...create.options, ...CREATE_FIELDS],
    examples: create.examples,
    async run(context, args) {
      const whole = wholeMeta(args);
      const change = metaChange(args);
      const meta = change ? changedMeta(whole ?? {}, change) : whole;
      const common = { ...aliasOf(args), ...(meta && { meta }) };
      const body = await create.body(common, new Places(context, args), args);
      context.output.record(await noun.calls(context.porchlight).create(body, prefixOf(args)));
    },
  };
}

function updateOf<R extends object, N, U extends object, F>(noun: Noun<R, N, U, F>): Command {
  const { update } = noun;
  return {
    name: "update",
    summary: `Changes ${withArticle(noun.one)}`,
    parameters: [parameterOf(noun)],
    options: [...(update.options ?? []), ...UPDATE_FIELDS, IF_MATCH, ...placeOption(noun.kind)],
    examples: [
      `porchlight ${noun.noun} update ${noun.example} --alias upstairs`,
      `porchlight ${noun.noun} update ${noun.example} --set-meta floor=2 --unset-meta draft`,
      ...(update.examples ?? []),
    ],
    notes: [
      "Fields that you do not give stay unchanged. --set-meta and --unset-meta read the metadata, change it and write it back, and start over if somebody else has changed it in the meantime.",
    ],
    async run(context, args) {
      const { calls, reference, places } = await found(noun, context, args);
      const body = { ...aliasOf(args), ...(await update.body?.(places, args)) };
      const [whole, part] = [wholeMeta(args), metaChange(args)];
      if (Object.keys(body).length === 0 && !whole && !part)
        throw new UsageError(
          "There is nothing to change.",
          "No field was given.",
          `porchlight help ${noun.noun} update`,
        );
      // The cast is safe: every kind accepts alias and metadata, and the fields of its own `body`.
      const change: Change = { body: { ...body, ...(whole && { meta: whole }) }, part, ifMatch: args.text("if-match") };
      await changeObject<U>(calls, reference, change, prefixOf(args));
      context.output.note(`Changed ${args.word(parameterOf(noun).name)}.`);
    },
  };
}

function deleteOf<R extends object, N, U extends object, F>(noun: Noun<R, N, U, F>): Command {
  return {
    name: "delete",
    summary: `Deletes ${withArticle(noun.one)}`,
    parameters: [parameterOf(noun)],
    options: [IF_MATCH, YES, ...placeOption(noun.kind)],
    examples: [
      `porchlight ${noun.noun} delete ${noun.example}`,
      `porchlight ${noun.noun} delete ${noun.example} --yes`,
    ],
    ...(noun.deleteNote && { notes: [noun.deleteNote] }),
    async run(context, args) {
      const word = args.word(parameterOf(noun).name);
      const { calls, reference } = await found(noun, context, args);
      const note = noun.deleteNote ? ` ${noun.deleteNote}` : "";
      await confirm(context, args, `Delete the ${noun.one} ${word}?${note}`);
      await calls.delete(reference, { ifMatch: args.text("if-match") });
      context.output.note(`Deleted ${word}.`);
    },
  };
}

function withArticle(one: string): string {
  return `${/^[aeio]/.test(one) ? "an" : "a"} ${one}`;
}

function parameterOf({ one, kind }: { readonly one: string; readonly kind: Kind }) {
  return { name: one.toUpperCase(), summary: `ID of the ${kind}, or its alias or reference` } as const;
}

async function found<R extends object, N, U extends object, F>(noun: Noun<R, N, U, F>, context: Context, args: Args) {
  const places = new Places(context, args);
  const calls = noun.calls(context.porchlight);
  return { places, calls, reference: await places.reference(noun.kind, args.word(parameterOf(noun).name)) };
}

/**
 * A change of an object. Complete fields are sent at once; parts of the metadata are read, changed and written on the condition that no
 * other caller has written in between.
 */
interface Change {
  /** Fields that are replaced as a whole. */
  readonly body: object;
  /** Change of parts of the metadata. */
  readonly part: MetaChange | undefined;
  readonly ifMatch: string | undefined;
}

interface Changing<U> {
  getTagged(reference: string, options?: ObjectOptions): Promise<Tagged<object>>;
  update(reference: string, body: U, options?: ChangeOptions): Promise<string>;
}

/** @throws PorchlightError, "Precondition Failed" when `ifMatch` no longer holds, or other callers keep writing */
async function changeObject<U extends object>(
  calls: Changing<U>,
  reference: string,
  { body, part, ifMatch }: Change,
  options: ObjectOptions,
): Promise<void> {
  const attempt = async () => {
    const read = part && (await calls.getTagged(reference, options));
    const meta = read && part && changedMeta(baseOf(body, read.value), part);
    // The cast is safe: the flags of a kind correspond to its fields.
    const sent = { ...body, ...(meta && { meta }) } as U;
    await calls.update(reference, sent, { ...options, ifMatch: ifMatch ?? read?.etag });
  };
  await (ifMatch === undefined ? retryOnConflict(attempt) : attempt());
}

/** The metadata to start from: that of the command line, else the stored one. */
function baseOf(body: object, value: object): Meta {
  const base = valueAt(body, "meta") ?? valueAt(value, "meta");
  return typeof base === "object" && base !== null ? { ...base } : {};
}
