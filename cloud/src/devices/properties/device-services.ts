/** The services of devices with their current values: the answers of `GET …/services` for a device and for an environment. */
import type { DeviceServicesList, PropertyDescriptor, ServiceList } from "@porchlight/shared/api";
import { addressKey, type DescribedProperty } from "@porchlight/shared/model";
import { lastKnownOf, propertyNamed } from "@porchlight/shared/rest";
import { deviceNotFound } from "../device-row.ts";
import type { EnvironmentCache } from "../environment-cache.ts";
import type { CachedDevice, EnvironmentState } from "../environment-state.ts";
import type { CachedProperties } from "./get-properties.ts";
import type { PropertyScope } from "./set-properties.ts";

/** @throws "Device Not Found" */
export async function deviceServices(
  cache: EnvironmentCache,
  { ecosystemId, environmentId, deviceId }: PropertyScope & { readonly deviceId: string },
): Promise<ServiceList> {
  const environment = await cache.get(ecosystemId, environmentId);
  const device = environment.device(deviceId);
  if (!device) throw deviceNotFound();
  return { items: servicesOf(environment, device) };
}

/** The single property that the selector names. @throws "Device Not Found", "Service Not Found", "Service Property Invalid" */
export async function propertyOf(
  cache: EnvironmentCache,
  { ecosystemId, environmentId, deviceId }: PropertyScope & { readonly deviceId: string },
  selector: string,
): Promise<DescribedProperty> {
  const device = (await cache.get(ecosystemId, environmentId)).device(deviceId);
  if (!device) throw deviceNotFound();
  return propertyNamed(device.described, selector);
}

/** The services of every device of the environment, as JSON that is built while it is sent. */
export async function environmentServices(
  cache: EnvironmentCache,
  { ecosystemId, environmentId }: Pick<PropertyScope, "ecosystemId" | "environmentId">,
): Promise<CachedProperties> {
  const environment = await cache.get(ecosystemId, environmentId);
  return { size: environment.weight, texts: textsOf(environment) };
}

function* textsOf(environment: EnvironmentState): Generator<string> {
  for (const device of environment.devices()) {
    const item: DeviceServicesList["items"][number] = {
      deviceId: device.id,
      services: servicesOf(environment, device),
    };
    yield JSON.stringify(item);
  }
}

function servicesOf(environment: EnvironmentState, { id, described }: CachedDevice): ServiceList["items"] {
  const { description, byKey } = described;
  return description.map(({ service, index, properties }) => ({
    service,
    index,
    properties: properties.map((each): PropertyDescriptor => {
      const property = byKey.get(addressKey({ service, index, property: each.property }));
      const item = property && environment.item(id, property);
      const { access, values, ...rest } = each;
      return { ...rest, ...(values && { values: [...values] }), access: [...access], ...(item && lastKnownOf(item)) };
    }),
  }));
}
