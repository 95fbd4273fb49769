/** One property of one device: the key of writes and histories. */

export interface Target {
  readonly deviceId: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
}

export function keyOf({ deviceId, service, index, property }: Target): string {
  return `${deviceId}/${service}:${index}.${property}`;
}

/** The selector of exactly this service instance, for devices with one or several instances. */
export function selectorOf({ service, index, property }: Omit<Target, "deviceId">): string {
  return `${service}:${index}.${property}`;
}
