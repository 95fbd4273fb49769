/** Writes metadata without undoing what others have written meanwhile: only over the version that is known, else over both together. */
import { type ChangeOptions, type Meta, retryOnConflict, type Tagged } from "@porchlight/sdk";
import { type Choose, type Conflict, type Fields, merge } from "./merge.ts";
import { partsOf } from "./meta-rules.ts";

/** What of the SDK's objects is needed: any kind with metadata will do. */
export interface MetaSource {
  getTagged(id: string): Promise<Tagged<{ readonly meta: Fields }>>;
  update(id: string, body: { readonly meta: Meta }, options: ChangeOptions): Promise<string>;
}

/** Metadata as the service had it, with the entity tag of that moment. */
export interface KnownMeta {
  readonly meta: Fields;
  readonly etag: string;
}

export type SaveResult =
  /** `isMerged`: others had changed it, too. */
  | { readonly kind: "saved"; readonly known: KnownMeta; readonly isMerged: boolean }
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[]; readonly theirs: KnownMeta };

export interface MetaChange {
  /** What the change began with. */
  readonly base: KnownMeta;
  readonly mine: Fields;
  /** Keys that the service keeps by itself: they are neither sent nor compared. */
  readonly kept: readonly string[];
  /** What was last heard of the service, when that is newer than `base`. */
  readonly theirs?: KnownMeta | undefined;
  readonly choose?: Choose | undefined;
}

export async function readMetaOf(source: MetaSource, id: string): Promise<KnownMeta> {
  const { value, etag } = await source.getTagged(id);
  return { meta: value.meta, etag };
}

/** @throws PorchlightError */
export async function saveMeta(source: MetaSource, id: string, change: MetaChange): Promise<SaveResult> {
  const { base, mine, kept, choose } = change;
  let known = change.theirs ?? base;
  const edited = (meta: Fields) => partsOf(meta, kept).edited;
  return retryOnConflict<SaveResult>(async (isAgain) => {
    if (isAgain) known = await readMetaOf(source, id);
    const { value, conflicts } = merge(edited(base.meta), mine, edited(known.meta), choose);
    if (conflicts.length > 0) return { kind: "conflicts", conflicts, theirs: known };
    const etag = await source.update(id, { meta: value }, { ifMatch: known.etag });
    const meta = { ...partsOf(known.meta, kept).kept, ...value };
    return { kind: "saved", known: { meta, etag }, isMerged: known !== base };
  });
}
