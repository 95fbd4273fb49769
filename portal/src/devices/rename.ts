/** Gives a device the name that people call it by, and leaves all other metadata as it is, also what others change meanwhile. */
import { isPorchlightError, type Tagged } from "@porchlight/sdk";
import { KEPT_OF_DEVICES, partsOf } from "../kit/metadata/meta-rules.ts";
import type { MetaSource } from "../kit/metadata/meta-save.ts";
import { NAME_KEY } from "../kit/text/names.ts";

/** So often somebody may be quicker before it is an error. */
const TRIES = 5;

/** @param name an empty one takes the name away @throws PorchlightError */
export async function rename(devices: MetaSource, id: string, name: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { value, etag }: Tagged<{ readonly meta: Readonly<Record<string, unknown>> }> = await devices.getTagged(id);
    const { [NAME_KEY]: _before, ...others } = partsOf(value.meta, KEPT_OF_DEVICES).edited;
    try {
      await devices.update(id, { meta: name === "" ? others : { ...others, [NAME_KEY]: name } }, { ifMatch: etag });
      return;
    } catch (error) {
      if (!isPorchlightError(error, "Precondition Failed") || tries === TRIES) throw error;
    }
  }
}
