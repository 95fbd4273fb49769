/** A paired node as the library has it, seen as {@link MatterNode}: what it tells, and what it is asked. */
import { type Endpoint, Millis } from "@matter/main";
import { type ActionContext, ChangeNotificationService, type ClientNode, NetworkClient, Node } from "@matter/main/node";
import { Invoke, Read, type ReadResult, type Specifier, Write } from "@matter/main/protocol";
import { EndpointNumber, Status, StatusResponseError } from "@matter/main/types";
import {
  type AttributePath,
  type AttributeWrite,
  type MatterCommand,
  type MatterEndpoint,
  type MatterNode,
  type NodeListener,
  NodeRefused,
  NodeUnreachable,
} from "../network/matter-network.ts";
import { EndpointView } from "./endpoint-view.ts";

/** How long the node takes an announced command, ms. */
const TIMED_MS = 5000;
/** Changes of these say that the node is another than before. */
const STRUCTURE: ReadonlySet<string> = new Set([
  "deviceTypeList",
  "serverList",
  "partsList",
  "attributeList",
  "featureMap",
  "softwareVersion",
  "configurationVersion",
]);

/** Answers that say nothing of what the device has done. */
const SILENCE: ReadonlySet<number> = new Set([Status.Timeout, Status.NoCommandResponse]);

type Change = ChangeNotificationService.Change;

export class PairedNode implements MatterNode {
  readonly nodeId: string;
  readonly peer: ClientNode;
  readonly #listeners = new Set<NodeListener>();
  #isConnected = false;

  constructor(peer: ClientNode, nodeId: string) {
    this.peer = peer;
    this.nodeId = nodeId;
    peer.eventsOf(NetworkClient).subscriptionStatusChanged.on((isActive) => {
      if (this.#isConnected === isActive) return;
      this.#isConnected = isActive;
      this.#tell((listener) => listener.connection());
    });
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  get endpoints(): ReadonlyMap<number, MatterEndpoint> {
    return new Map([...this.peer.endpoints].map((each) => [Number(each.number), new EndpointView(each)]));
  }

  listen(listener: NodeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Something of the controller's nodes has changed: true when it was of this one. */
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

  async read({ endpoint, cluster, attribute }: AttributePath, signal: AbortSignal): Promise<unknown> {
    const type = this.#cluster(endpoint, cluster);
    const found = type.attributes?.[attribute];
    if (!found) throw new NodeRefused(Status.UnsupportedAttribute, "The device does not have this value.");
    const read = Read(Read.Attribute({ endpoint: EndpointNumber(endpoint), cluster: type, attributes: [attribute] }));
    // Without this the library leaves out what it takes for known.
    const request: Read & { includeKnownVersions: boolean } = { ...read, includeKnownVersions: true };
    const reports = this.peer.interaction.read(request, within(signal));
    const report = await asked(signal, firstOf(reports));
    if (report?.kind === "attr-value") return report.value;
    if (report?.kind === "attr-status") throw refusal(report.status);
    throw new NodeUnreachable("The device has answered without a value.");
  }

  async invoke({ endpoint, cluster, command, fields, timed }: MatterCommand, signal: AbortSignal): Promise<void> {
    const type = this.#cluster(endpoint, cluster);
    const request = Invoke({
      commands: [
        Invoke.ConcreteCommandRequest({ endpoint: EndpointNumber(endpoint), cluster: type, command, fields } as never),
      ],
      ...(timed && { timed, timeout: Millis(TIMED_MS) }),
    });
    // Not together with others: what becomes of one is not what becomes of another.
    const answers = this.peer.interaction.invoke({ ...request, batchDuration: false }, within(signal));
    await asked(signal, accepted(answers));
  }

  async write({ endpoint, cluster, attribute, value }: AttributeWrite, signal: AbortSignal): Promise<void> {
    const type = this.#cluster(endpoint, cluster);
    const found = type.attributes?.[attribute];
    if (!found) throw new NodeRefused(Status.UnsupportedAttribute, "The device does not have this setting.");
    const data = { endpoint: EndpointNumber(endpoint), cluster: type, attributes: [found], value };
    const results = await asked(signal, this.peer.interaction.write(Write(Write.Attribute(data)), within(signal)));
    for (const { status } of results ?? []) if (status !== Status.Success) throw refusal(status);
  }

  async remove(isForced: boolean, signal: AbortSignal): Promise<"released" | "unreached"> {
    try {
      await asked(signal, this.peer.decommission());
      return "released";
    } catch (failure) {
      signal.throwIfAborted();
      if (isForced) await this.peer.delete();
      if (failure instanceof NodeRefused) throw failure;
      return "unreached";
    }
  }

  #cluster(endpoint: number, cluster: string): Specifier.ClusterLike {
    const found = [...this.peer.endpoints].find((each: Endpoint) => Number(each.number) === endpoint);
    const type = found && new EndpointView(found).clusterType(cluster);
    if (!type) throw new NodeRefused(Status.UnsupportedCluster, "The device does not have this function any more.");
    return type;
  }

  #tell(tell: (listener: NodeListener) => void): void {
    for (const listener of [...this.#listeners]) tell(listener);
  }
}

/** Of the context of a request the library's client uses only how long it may take. */
function within(signal: AbortSignal): ActionContext {
  return { abort: signal } as unknown as ActionContext;
}

async function firstOf(reports: ReadResult): Promise<ReadResult.Report | undefined> {
  let first: ReadResult.Report | undefined;
  // To its end: the library keeps what it has read only then.
  for await (const chunk of reports) for await (const report of chunk) first ??= report;
  return first;
}

async function accepted(answers: ReturnType<ClientNode["interaction"]["invoke"]>): Promise<void> {
  for await (const chunk of answers)
    for (const answer of chunk)
      if (answer.kind === "cmd-status" && answer.status !== Status.Success) throw refusal(answer.status);
}

/** What the library throws, as the driver's own errors. */
async function asked<T>(signal: AbortSignal, answer: PromiseLike<T>): Promise<T> {
  try {
    return await answer;
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof NodeRefused) throw failure;
    if (failure instanceof StatusResponseError) throw refusal(failure.code);
    throw new NodeUnreachable(`The device has not answered: ${failure instanceof Error ? failure.message : failure}`);
  }
}

function refusal(status: number): NodeRefused | NodeUnreachable {
  if (SILENCE.has(status)) return new NodeUnreachable("The device has not said what became of it.");
  return new NodeRefused(status, `The device has refused it: ${Status[status] ?? "status"} (${status}).`);
}
