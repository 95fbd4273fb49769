/** One property of one device, as writes and histories are kept by it. */

export interface Target {
  readonly deviceId: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
}

export function keyOf({ deviceId, service, index, property }: Target): string {
  return `${deviceId}/${service}:${index}.${property}`;
}

/** The selector that means this instance, however many the device has. */
export function selectorOf({ service, index, property }: Omit<Target, "deviceId">): string {
  return `${service}:${index}.${property}`;
}
