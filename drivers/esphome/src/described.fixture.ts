/** What the driver makes of a fake device, as short texts: `Switch:0.on boolean read,write,notify`. */
import { type KeptAddresses, placeThings } from "@porchlight/driver-kit";
import { describeEspHome } from "./description/describe.ts";
import type { EspHomeProperty } from "./description/esphome-property.ts";
import { type FakeEntity, listing } from "./fake-entity.fixture.ts";
import { type EspHomeEntity, type EspHomeInfo, entityOf } from "./wire/messages.ts";

const INFO: EspHomeInfo = {
  ...{ name: "kitchen", friendlyName: "Kitchen", mac: "AA:BB:CC:00:00:01", version: "2026.10.0", model: "esp32dev" },
  ...{
    manufacturer: "Espressif",
    projectName: "",
    projectVersion: "",
    hasDeepSleep: false,
    parts: new Map([[1, "Pool"]]),
  },
};

export function entitiesOf(fakes: readonly FakeEntity[]): EspHomeEntity[] {
  return fakes.flatMap((each) => entityOf(listing(each, true)) ?? []);
}

/** @param before what was kept of the device. Gives what is kept of it from then on */
export function described(fakes: readonly FakeEntity[], before: KeptAddresses = {}) {
  let kept = before;
  const description = describeEspHome(INFO, entitiesOf(fakes), (_, things) => {
    const result = placeThings(things, kept);
    kept = result.kept;
    return result.placed;
  });
  return { description, kept };
}

export function shortly({ address, description }: EspHomeProperty): string {
  const { type, unit, min, max, step, values, access } = description;
  const range = min === undefined && max === undefined ? [] : [`${min ?? ""}..${max ?? ""}`];
  const limits = [...(unit === undefined ? [] : [unit]), ...range, ...(step === undefined ? [] : [`step ${step}`])];
  const words = values ? [values.join("|")] : [];
  const short = access.map(([letter]) => letter).join("");
  return [`${address.service}:${address.index}.${address.property}`, type, ...limits, ...words, short].join(" ");
}
