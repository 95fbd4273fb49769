/** Sets a device's display name and keeps all other metadata, including concurrent changes of other clients. */
import { retryOnConflict } from "@porchlight/sdk";
import { givenName } from "@porchlight/shared/names";
import { KEPT_OF_DEVICES, type MetaSource, partsOf } from "../kit/forms/meta-save.ts";
import { NAME_KEY } from "../kit/text/names.ts";

/** @param name an empty name removes the current one @throws PorchlightError */
export function rename(devices: MetaSource, id: string, name: string): Promise<void> {
  return write(devices, id, name, () => true);
}

/** Sets the name unless the device already has one, from another client or from the device itself. @throws PorchlightError */
export function nameNew(devices: MetaSource, id: string, name: string): Promise<void> {
  return write(devices, id, name, (before) => before === undefined);
}

async function write(
  devices: MetaSource,
  id: string,
  name: string,
  isWanted: (before: string | undefined) => boolean,
): Promise<void> {
  await retryOnConflict(async () => {
    const { value, etag } = await devices.getTagged(id);
    if (!isWanted(givenName(value.meta))) return;
    const { [NAME_KEY]: _before, ...others } = partsOf(value.meta, KEPT_OF_DEVICES).edited;
    await devices.update(id, { meta: name === "" ? others : { ...others, [NAME_KEY]: name } }, { ifMatch: etag });
  });
}
