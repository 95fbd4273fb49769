/** A change of an object: whole fields in one go, parts of its metadata read, changed and written on the condition that no other caller has written. */
import { type ChangeOptions, type ObjectOptions, retryOnConflict, type Tagged } from "@porchlight/sdk";
import { valueAt } from "../../render/cell.ts";
import { changedMeta, type Meta, type MetaChange } from "../../session/fields.ts";

export interface Change {
  /** Fields that are replaced whole. */
  readonly body: object;
  /** Parts of the metadata. */
  readonly part: MetaChange | undefined;
  readonly ifMatch: string | undefined;
}

interface Changing<U> {
  getTagged(reference: string, options?: ObjectOptions): Promise<Tagged<object>>;
  update(reference: string, body: U, options?: ChangeOptions): Promise<string>;
}

/** @throws PorchlightError, "Precondition Failed" when `ifMatch` no longer holds, or others write all the time */
export async function changeObject<U extends object>(
  calls: Changing<U>,
  reference: string,
  { body, part, ifMatch }: Change,
  options: ObjectOptions,
): Promise<void> {
  const attempt = async () => {
    const read = part && (await calls.getTagged(reference, options));
    const meta = read && part && changedMeta(baseOf(body, read.value), part);
    // The flags of a kind are those of the fields that it has.
    const sent = { ...body, ...(meta && { meta }) } as U;
    await calls.update(reference, sent, { ...options, ifMatch: ifMatch ?? read?.etag });
  };
  await (ifMatch === undefined ? retryOnConflict(attempt) : attempt());
}

/** Metadata that is given whole goes before what is there. */
function baseOf(body: object, value: object): Meta {
  const base = valueAt(body, "meta") ?? valueAt(value, "meta");
  return typeof base === "object" && base !== null ? { ...base } : {};
}
