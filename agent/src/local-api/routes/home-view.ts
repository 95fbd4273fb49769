/** The hub's devices as the API at home shows them: their names from the cloud, their descriptions, their last values. */
import type { Device, PropertyDescriptor, PropertyItem, ServiceDescriptor } from "@porchlight/shared/api";
import { addressKey, type Described, type DescribedProperty, describe, type Selector } from "@porchlight/shared/model";
import { lastKnownOf, propertyItem, propertyText, type Selectable } from "@porchlight/shared/rest";
import type { DeviceName } from "@porchlight/shared/tunnel";
import { homeDevice, homeItem, type PropertyTarget, type State, type StoredDevice } from "../../state/index.ts";

export interface HomeViewDeps {
  readonly state: Pick<State, "home" | "device" | "value">;
  /** The hub's own edgeId. */
  readonly edgeId: string;
  /** Whether a device is live on a link. */
  readonly isLive: (edgeId: string) => boolean;
}

/** A device that the cloud has named and the hub has had on a link. */
export interface HomeDevice {
  readonly id: string;
  readonly name: DeviceName;
  readonly stored: StoredDevice;
  readonly described: Described;
}

/** One property that a selector matches. */
export interface HomeProperty {
  readonly device: HomeDevice;
  readonly property: DescribedProperty;
}

export class HomeView implements Selectable<HomeProperty> {
  readonly #deps: HomeViewDeps;
  readonly #described = new WeakMap<StoredDevice, Described>();

  constructor(deps: HomeViewDeps) {
    this.#deps = deps;
  }

  /** All devices, ordered by ID. */
  devices(): HomeDevice[] {
    return this.#deps.state.home.names().flatMap((name) => this.#device(name) ?? []);
  }

  select(selector: Selector, among?: readonly string[]): HomeProperty[] {
    const devices = this.devices().filter(({ id }) => among === undefined || among.includes(id));
    return devices.flatMap((device) =>
      (device.described.byService.get(selector.service) ?? [])
        .filter(({ index }) => (selector.index ?? index) === index)
        .filter(({ property }) => (selector.property ?? property) === property)
        .map((property) => ({ device, property })),
    );
  }

  hasService({ service, index }: Selector, among?: readonly string[]): boolean {
    return this.select({ service, index }, among).length > 0;
  }

  /** The address of a property on the hub. */
  target({ device, property }: HomeProperty): PropertyTarget {
    const { service, index } = property;
    return { device: device.stored.edgeId, service, index, property: property.property };
  }

  /** When a property was last observed, wall-clock ms. */
  observedAt(property: HomeProperty): number | undefined {
    return this.#deps.state.value(this.target(property))?.observedAt;
  }

  /** The item of a property, or undefined while it has no value. */
  item(of: HomeProperty): PropertyItem | undefined {
    const { home } = this.#deps.state;
    const stored = this.#deps.state.value(this.target(of));
    if (!home.place || !stored || stored.value === null) return undefined;
    const item = homeItem(home.place, of.device.id, stored);
    return propertyItem(item.place, of.property, item.stored);
  }

  /** The items of all properties with a value, each as JSON that is built when it is read. */
  known(): Iterable<string> {
    const { home } = this.#deps.state;
    const { place } = home;
    if (!place) return [];
    const known = this.devices().flatMap((device) =>
      [...device.described.byKey.values()].flatMap((property) => {
        const stored = this.#deps.state.value(this.target({ device, property }));
        return stored && stored.value !== null ? [{ device, property, stored }] : [];
      }),
    );
    return known.values().map(({ device, property, stored }) => {
      const item = homeItem(place, device.id, stored);
      return propertyText(item.place, property, item.stored);
    });
  }

  services(device: HomeDevice): ServiceDescriptor[] {
    const { description, byKey } = device.described;
    return description.map(({ service, index, properties }) => ({
      service,
      index,
      properties: properties.map((each): PropertyDescriptor => {
        const property = byKey.get(addressKey({ service, index, property: each.property }));
        const item = property && this.item({ device, property });
        const { access, values, ...described } = each;
        return {
          ...described,
          ...(values && { values: [...values] }),
          access: [...access],
          ...(item && lastKnownOf(item)),
        };
      }),
    }));
  }

  /** @param prefix of system metadata */
  show({ name, stored }: HomeDevice, prefix: string): Device {
    const shown = { name, stored, connection: this.#connection(stored), hub: this.#deps.edgeId };
    return homeDevice(this.#deps.state.home.place, shown, prefix);
  }

  /** The connection of a device. One that was online when the agent last ran, and has not reconnected yet, is `unknown`. */
  #connection({ edgeId, online }: StoredDevice): "online" | "offline" | "unknown" {
    if (this.#deps.isLive(edgeId)) return "online";
    return online ? "unknown" : "offline";
  }

  #device(name: DeviceName): HomeDevice | undefined {
    const stored = this.#deps.state.device(name.edgeId);
    if (!stored) return undefined;
    const described = this.#described.get(stored) ?? describe(stored.description);
    this.#described.set(stored, described);
    return { id: name.id, name, stored, described };
  }
}
