/** A paired node of the library as a {@link MatterNode}: its reports, and requests to it. */
import { type Endpoint, Millis } from "@matter/main";
import {
  type ActionContext,
  type ChangeNotificationService,
  type ClientNode,
  ClusterBehavior,
  NetworkClient,
  Node,
} from "@matter/main/node";
import { Invoke, Read, type ReadResult, type Specifier, Write } from "@matter/main/protocol";
import { EndpointNumber, Status, StatusResponseError } from "@matter/main/types";
import { type Clock, orAborted } from "@porchlight/shared/kernel";
import {
  type AttributePath,
  type AttributeWrite,
  type MatterCommand,
  type MatterEndpoint,
  type MatterNode,
  type NodeListener,
  NodeRefused,
  NodeUnreachable,
} from "../matter-network.ts";
import { Liveness, QuestionedPeer } from "./questioned-peer.ts";

/** Validity of the announcement of a timed command, ms. */
const TIMED_MS = 5000;
/** Time without an answer after which the node's liveness is checked, ms. */
const SUSPICIOUS_MS = 2000;
/** Attributes whose change alters the node's structure. */
const STRUCTURE: ReadonlySet<string> = new Set([
  "deviceTypeList",
  "serverList",
  "partsList",
  "attributeList",
  "featureMap",
  "softwareVersion",
  "configurationVersion",
]);

/** Statuses that leave the effect of a request unknown. */
const SILENCE: ReadonlySet<number> = new Set([Status.Timeout, Status.NoCommandResponse]);

type Change = ChangeNotificationService.Change;

export class PairedNode implements MatterNode {
  readonly nodeId: string;
  readonly peer: ClientNode;
  readonly liveness: Liveness;
  readonly #listeners = new Set<NodeListener>();
  readonly #clock: Clock;
  readonly #questioned: QuestionedPeer;
  #isConnected = false;

  constructor(peer: ClientNode, nodeId: string, clock: Clock) {
    this.peer = peer;
    this.nodeId = nodeId;
    this.#clock = clock;
    this.#questioned = new QuestionedPeer(peer);
    this.liveness = new Liveness(clock, this.#questioned);
    const events = peer.eventsOf(NetworkClient);
    events.subscriptionStatusChanged.on((isActive) => this.#setConnected(isActive));
    // Also when the node returns after it was considered gone.
    events.subscriptionAlive.on(() => this.#setConnected(isSubscribed(peer)));
    this.#isConnected = isSubscribed(peer);
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  get endpoints(): ReadonlyMap<number, MatterEndpoint> {
    return new Map([...this.peer.endpoints].map((each) => [Number(each.number), new EndpointView(each)]));
  }

  endpoint(number: number): EndpointView | undefined {
    const { endpoints } = this.peer;
    return endpoints.has(number) ? new EndpointView(endpoints.for(number)) : undefined;
  }

  listen(listener: NodeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Takes a change of a controller's node; returns whether it belongs to this one. */
  take(change: Change): boolean {
    if (Node.forEndpoint(change.endpoint) !== this.peer) return false;
    const endpoint = Number(change.endpoint.number);
    if (change.kind === "delete") this.#tell((listener) => listener.restructured());
    else if (change.kind === "event") {
      const { behavior, event, payload } = change;
      this.#tell((listener) => listener.happened(endpoint, behavior.id, event.propertyName, payload));
    } else if (change.properties?.some((name) => STRUCTURE.has(name)) ?? true) {
      this.#tell((listener) => listener.restructured());
    } else {
      const { behavior, properties } = change;
      this.#tell((listener) => listener.changed(endpoint, behavior.id, properties ?? []));
    }
    return true;
  }

  async reach(signal: AbortSignal): Promise<void> {
    if (this.#questioned.hasSession) return;
    try {
      await orAborted(this.#questioned.connect(signal), signal);
    } catch (failure) {
      signal.throwIfAborted();
      throw new NodeUnreachable(
        `The device cannot be reached: ${failure instanceof Error ? failure.message : failure}`,
      );
    }
  }

  async read({ endpoint, cluster, attribute }: AttributePath, signal: AbortSignal): Promise<unknown> {
    const type = this.#cluster(endpoint, cluster);
    const found = type.attributes?.[attribute];
    if (!found) throw new NodeRefused(Status.UnsupportedAttribute, "The device does not have this value.");
    const read = Read(Read.Attribute({ endpoint: EndpointNumber(endpoint), cluster: type, attributes: [attribute] }));
    // Without this option the library leaves out values that it considers known.
    const request: Read & { includeKnownVersions: boolean } = { ...read, includeKnownVersions: true };
    const report = await this.#asked(signal, firstOf(this.peer.interaction.read(request, within(signal))));
    if (report?.kind === "attr-value") return report.value;
    if (report?.kind === "attr-status") throw refusal(report.status);
    throw new NodeUnreachable("The device has answered without a value.");
  }

  async invoke({ endpoint, cluster, command, fields, timed }: MatterCommand, signal: AbortSignal): Promise<unknown> {
    const type = this.#cluster(endpoint, cluster);
    const request = Invoke({
      commands: [
        Invoke.ConcreteCommandRequest({ endpoint: EndpointNumber(endpoint), cluster: type, command, fields } as never),
      ],
      ...(timed && { timed, timeout: Millis(TIMED_MS) }),
    });
    // Not batched with other commands, because each has its own outcome.
    const answers = this.peer.interaction.invoke({ ...request, batchDuration: false }, within(signal));
    return this.#asked(signal, accepted(answers));
  }

  async write({ endpoint, cluster, attribute, value }: AttributeWrite, signal: AbortSignal): Promise<void> {
    const type = this.#cluster(endpoint, cluster);
    const found = type.attributes?.[attribute];
    if (!found) throw new NodeRefused(Status.UnsupportedAttribute, "The device does not have this setting.");
    const data = { endpoint: EndpointNumber(endpoint), cluster: type, attributes: [found], value };
    const results = await this.#asked(
      signal,
      this.peer.interaction.write(Write(Write.Attribute(data)), within(signal)),
    );
    for (const { status } of results ?? []) if (status !== Status.Success) throw refusal(status);
  }

  async remove(isForced: boolean, signal: AbortSignal): Promise<"released" | "unreached"> {
    try {
      // The library would queue a request for a node that is away, and send it after its return, even if it is obsolete by then.
      if (!isForced) await this.connected(signal);
      if (this.#isConnected)
        await this.#asked(signal, Promise.resolve(this.peer.act((agent) => agent.commissioning.decommission())));
      else if (!isForced) return "unreached";
    } catch (failure) {
      if (!isForced) {
        if (failure instanceof NodeRefused) throw failure;
        return "unreached";
      }
    }
    await this.peer.delete();
    return "released";
  }

  /** Converts the library's errors to the driver's own. A node that is slow to answer is checked, because it may be gone. */
  async #asked<T>(signal: AbortSignal, answer: PromiseLike<T>): Promise<T> {
    const suspicion = this.#clock.timer("answer of a Matter node", SUSPICIOUS_MS, () => void this.liveness.check());
    try {
      return await orAborted(Promise.resolve(answer), signal);
    } catch (failure) {
      if (failure instanceof NodeRefused) throw failure;
      if (failure instanceof StatusResponseError) throw refusal(failure.code);
      void this.liveness.check();
      signal.throwIfAborted();
      throw new NodeUnreachable(`The device has not answered: ${failure instanceof Error ? failure.message : failure}`);
    } finally {
      suspicion.cancel();
    }
  }

  /** Resolves when it is connected, or the signal is aborted. */
  connected(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isConnected || signal.aborted) return resolve();
      const done = () => {
        forget();
        signal.removeEventListener("abort", done);
        resolve();
      };
      const nothing = () => undefined;
      const forget = this.listen({ connection: done, changed: nothing, happened: nothing, restructured: nothing });
      signal.addEventListener("abort", done, { once: true });
    });
  }

  #setConnected(isConnected: boolean): void {
    if (this.#isConnected === isConnected) return;
    this.#isConnected = isConnected;
    this.#tell((listener) => listener.connection());
  }

  #cluster(endpoint: number, cluster: string): Specifier.ClusterLike {
    const type = this.endpoint(endpoint)?.clusterType(cluster);
    if (!type) throw new NodeRefused(Status.UnsupportedCluster, "The device does not have this function any more.");
    return type;
  }

  #tell(tell: (listener: NodeListener) => void): void {
    for (const listener of [...this.#listeners]) tell(listener);
  }
}

function isSubscribed(peer: ClientNode): boolean {
  try {
    return peer.act((agent) => agent.get(NetworkClient).subscriptionActive) === true;
  } catch {
    // The node has not been started, or is being closed.
    return false;
  }
}

/** The library's client uses only the abort signal of a request's context. */
function within(signal: AbortSignal): ActionContext {
  return { abort: signal } as unknown as ActionContext;
}

async function firstOf(reports: ReadResult): Promise<ReadResult.Report | undefined> {
  let first: ReadResult.Report | undefined;
  // Reads to the end, because only then does the library store the values.
  for await (const chunk of reports) for await (const report of chunk) first ??= report;
  return first;
}

/** Fields of the answer, if it has any. */
async function accepted(answers: ReturnType<ClientNode["interaction"]["invoke"]>): Promise<unknown> {
  let fields: unknown;
  for await (const chunk of answers)
    for (const answer of chunk) {
      if (answer.kind === "cmd-response") fields = answer.data;
      else if (answer.status !== Status.Success) throw refusal(answer.status);
    }
  return fields;
}

function refusal(status: number): NodeRefused | NodeUnreachable {
  if (SILENCE.has(status)) return new NodeUnreachable("The device has not said what became of it.");
  return new NodeRefused(status, `The device has refused it: ${Status[status] ?? "status"} (${status}).`);
}

/** An endpoint of a paired node of the library as a {@link MatterEndpoint}. */
class EndpointView implements MatterEndpoint {
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

  /** The library's definition of a cluster of the endpoint. */
  clusterType(cluster: string): Specifier.ClusterLike | undefined {
    const type = this.#endpoint.behaviors.supported[cluster];
    // A device's cluster is a concrete one, with an ID.
    return type !== undefined && ClusterBehavior.is(type) ? (type.cluster as Specifier.ClusterLike) : undefined;
  }
}

function numberOf(value: unknown): number[] {
  return typeof value === "number" ? [value] : [];
}
