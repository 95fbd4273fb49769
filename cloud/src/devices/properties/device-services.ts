/** The services of a device with their current values: what `GET …/services` answers. */
import type { PropertyDescriptor, ServiceList } from "@porchlight/shared/api";
import { addressKey } from "@porchlight/shared/model";
import { lastKnownOf } from "@porchlight/shared/rest";
import type { EnvironmentCache } from "../cache/environment-cache.ts";
import { deviceNotFound } from "../device/device-row.ts";
import type { PropertyScope } from "./property-scope.ts";

/** @throws "Device Not Found" */
export async function deviceServices(
  cache: EnvironmentCache,
  { ecosystemId, environmentId, deviceId }: PropertyScope & { readonly deviceId: string },
): Promise<ServiceList> {
  const environment = await cache.get(ecosystemId, environmentId);
  const device = environment.device(deviceId);
  if (!device) throw deviceNotFound();
  const { description, byKey } = device.described;
  return {
    items: description.map(({ service, index, properties }) => ({
      service,
      index,
      properties: properties.map((each): PropertyDescriptor => {
        const property = byKey.get(addressKey({ service, index, property: each.property }));
        const item = property && environment.item(deviceId, property);
        const { access, values, ...described } = each;
        return {
          ...described,
          ...(values && { values: [...values] }),
          access: [...access],
          ...(item && lastKnownOf(item)),
        };
      }),
    })),
  };
}
