/** An endpoint of a paired node as the library has it, seen as {@link MatterEndpoint}. */
import type { Endpoint } from "@matter/main";
import { ClusterBehavior } from "@matter/main/node";
import type { Specifier } from "@matter/main/protocol";
import type { MatterEndpoint } from "../network/matter-network.ts";

export class EndpointView implements MatterEndpoint {
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  get number(): number {
    return this.#endpoint.number;
  }

  get deviceTypes(): readonly number[] {
    const list = this.attribute("descriptor", "deviceTypeList");
    return Array.isArray(list) ? list.flatMap((each) => numberOf(each?.deviceType)) : [];
  }

  get parts(): readonly number[] {
    const list = this.attribute("descriptor", "partsList");
    return Array.isArray(list) ? list.flatMap(numberOf) : [];
  }

  get clusters(): ReadonlySet<string> {
    return new Set(
      Object.entries(this.#endpoint.behaviors.supported).flatMap(([name, type]) =>
        ClusterBehavior.is(type) ? [name] : [],
      ),
    );
  }

  attribute(cluster: string, name: string): unknown {
    const state: unknown = this.#endpoint.maybeStateOf(cluster);
    return typeof state === "object" && state !== null ? Reflect.get(state, name) : undefined;
  }

  attributes(cluster: string): readonly string[] {
    const state: unknown = this.#endpoint.maybeStateOf(cluster);
    if (typeof state !== "object" || state === null) return [];
    return Object.entries(state).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  }

  features(cluster: string): ReadonlySet<string> {
    const map = this.attribute(cluster, "featureMap");
    if (typeof map !== "object" || map === null) return new Set();
    return new Set(Object.entries(map).flatMap(([name, isThere]) => (isThere === true ? [name] : [])));
  }

  /** The library's description of a cluster that the endpoint has. */
  clusterType(cluster: string): Specifier.ClusterLike | undefined {
    const type = this.#endpoint.behaviors.supported[cluster];
    // One that a device has is a concrete one, with an id.
    return type !== undefined && ClusterBehavior.is(type) ? (type.cluster as Specifier.ClusterLike) : undefined;
  }
}

function numberOf(value: unknown): number[] {
  return typeof value === "number" ? [value] : [];
}
