/** Endpoints as tests write them. */
import type { MatterEndpoint } from "../matter-network.ts";

export type Attributes = Readonly<Record<string, unknown>>;

export interface GivenEndpoint {
  readonly types?: readonly number[];
  readonly parts?: readonly number[];
  /** By cluster; `featureMap` as names of features. */
  readonly clusters: Readonly<Record<string, Attributes>>;
}

/** An endpoint whose attributes a test may change. */
export class FakeEndpoint implements MatterEndpoint {
  readonly number: number;
  deviceTypes: readonly number[];
  parts: readonly number[];
  readonly state: Map<string, Map<string, unknown>>;

  constructor(number: number, { types = [], parts = [], clusters }: GivenEndpoint) {
    this.number = number;
    this.deviceTypes = types;
    this.parts = parts;
    this.state = new Map(Object.entries(clusters).map(([name, given]) => [name, new Map(Object.entries(given))]));
  }

  get clusters(): ReadonlySet<string> {
    return new Set(this.state.keys());
  }

  attribute(cluster: string, name: string): unknown {
    return this.state.get(cluster)?.get(name);
  }

  attributes(cluster: string): readonly string[] {
    return [...(this.state.get(cluster)?.keys() ?? [])];
  }

  features(cluster: string): ReadonlySet<string> {
    const map = this.attribute(cluster, "featureMap");
    return new Set(Array.isArray(map) ? map.map(String) : []);
  }

  set(cluster: string, name: string, value: unknown): void {
    this.state.get(cluster)?.set(name, value);
  }
}

export function endpoint(number: number, given: GivenEndpoint): FakeEndpoint {
  return new FakeEndpoint(number, given);
}
