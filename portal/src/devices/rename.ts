/** Gives a device the name that people call it by, and leaves all other metadata as it is, also what others change meanwhile. */
import { retryOnConflict } from "@porchlight/sdk";
import { KEPT_OF_DEVICES, partsOf } from "../kit/metadata/meta-rules.ts";
import type { MetaSource } from "../kit/metadata/meta-save.ts";
import { NAME_KEY } from "../kit/text/names.ts";

/** @param name an empty one takes the name away @throws PorchlightError */
export async function rename(devices: MetaSource, id: string, name: string): Promise<void> {
  await retryOnConflict(async () => {
    const { value, etag } = await devices.getTagged(id);
    const { [NAME_KEY]: _before, ...others } = partsOf(value.meta, KEPT_OF_DEVICES).edited;
    await devices.update(id, { meta: name === "" ? others : { ...others, [NAME_KEY]: name } }, { ifMatch: etag });
  });
}
