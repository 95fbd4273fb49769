/**
 * The driver's interface to Matter: paired nodes, their endpoints, and requests to them. Apart, so that only one folder uses the library,
 * and tests can simulate the network. Clusters, attributes and commands have the names of the specification, in camel case.
 */

/** One endpoint, with the values that its node last reported. */
export interface MatterEndpoint {
  readonly number: number;
  readonly deviceTypes: readonly number[];
  /** Numbers of the endpoints below it, at any depth that the node lists. */
  readonly parts: readonly number[];
  /** Names of its server clusters. */
  readonly clusters: ReadonlySet<string>;
  /** Undefined when the endpoint lacks the attribute, or has not reported it yet. */
  attribute(cluster: string, name: string): unknown;
  /** Names of a cluster's reported attributes. */
  attributes(cluster: string): readonly string[];
  /** Names of a cluster's supported features: `lift`. */
  features(cluster: string): ReadonlySet<string>;
}

/** Path of one attribute of a node. */
export interface AttributePath {
  readonly endpoint: number;
  readonly cluster: string;
  readonly attribute: string;
}

export interface MatterCommand {
  readonly endpoint: number;
  readonly cluster: string;
  readonly command: string;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Requires an announcement right before the command, so that it cannot be replayed later; used by locks. */
  readonly timed?: boolean | undefined;
}

export interface AttributeWrite extends AttributePath {
  readonly value: unknown;
}

/** Callbacks for a node's reports. */
export interface NodeListener {
  /** The node was connected or disconnected. */
  connection(): void;
  /** Attributes have new values. */
  changed(endpoint: number, cluster: string, attributes: readonly string[]): void;
  /** An event occurred; repeated ones count. */
  happened(endpoint: number, cluster: string, event: string, payload: unknown): void;
  /** The endpoints, clusters or firmware have changed. */
  restructured(): void;
}

/** A node paired with this hub. */
export interface MatterNode {
  /** Its ID in the hub's fabric, 16 hexadecimal digits. */
  readonly nodeId: string;
  /** Whether the node reports its changes to the hub, and did so recently. */
  readonly isConnected: boolean;
  /** Empty until the node has reported them since the start. */
  readonly endpoints: ReadonlyMap<number, MatterEndpoint>;
  /** One endpoint; undefined when it no longer exists. */
  endpoint(number: number): MatterEndpoint | undefined;
  listen(listener: NodeListener): () => void;
  /** Resolves when the node is reachable; nothing is sent to it before. @throws NodeUnreachable, the signal's reason */
  reach(signal: AbortSignal): Promise<void>;
  /** Reads an attribute from the node. @throws NodeRefused, NodeUnreachable, the signal's reason */
  read(path: AttributePath, signal: AbortSignal): Promise<unknown>;
  /**
   * Sends a command once, and resolves with the fields of the answer, if the command has one; the fields may contain a refusal.
   * @throws NodeRefused, NodeUnreachable, the signal's reason
   */
  invoke(command: MatterCommand, signal: AbortSignal): Promise<unknown>;
  /** Sends a write once, and resolves when the node has accepted it. @throws NodeRefused, NodeUnreachable, the signal's reason */
  write(write: AttributeWrite, signal: AbortSignal): Promise<void>;
  /**
   * Ends the pairing. `released`: the node has deleted the hub. `unreached`: the node has not been notified.
   * @param isForced deletes the node on the hub even if it has not been notified
   */
  remove(isForced: boolean, signal: AbortSignal): Promise<"released" | "unreached">;
}

/** Contents of a pairing code. */
export interface PairingCode {
  readonly passcode: number;
  /** 12 bits from a QR code; only their upper 4 bits from a code of 11 digits. */
  readonly discriminator: { readonly long: number } | { readonly short: number };
}

/** The text is not a pairing code; the message is the reason, for people. */
export class NoPairingCode extends Error {}

/** Progress of a pairing. */
export type PairingStep =
  | { readonly step: "found"; readonly name: string | undefined }
  /** The device has proved that it owns its certificate. `isTest`: a test certificate, which anyone can have. */
  | { readonly step: "attested"; readonly isTest: boolean };

export interface PairingRequest {
  readonly code: PairingCode;
  /** ID that the node will get. */
  readonly nodeId: string;
  readonly signal: AbortSignal;
  readonly progress: (step: PairingStep) => void;
}

export interface MatterNetwork extends AsyncDisposable {
  /** Id of the hub's fabric, 16 hexadecimal digits. */
  readonly fabricId: string;
  readonly nodes: readonly MatterNode[];
  /** Calls `changed` when a node was added or removed. */
  listen(changed: () => void): () => void;
  /** @throws NoPairingCode */
  readPairingCode(text: string): PairingCode;
  /** @throws PairingFailed, the signal's reason */
  pair(request: PairingRequest): Promise<MatterNode>;
  /** Looks on the network for a node that may be paired although the hub has no record of it. @throws NodeUnreachable */
  adopt(nodeId: string, signal: AbortSignal): Promise<MatterNode>;
}

/** The node has answered that it does not act. `status`: its code. */
export class NodeRefused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The node has not answered: whether it has acted is unknown. */
export class NodeUnreachable extends Error {}

/** Reason why a pairing failed. */
export class PairingFailed extends Error {
  readonly why: "not_found" | "wrong_code" | "already_paired" | "not_genuine" | "full" | "no_answer";
  constructor(why: PairingFailed["why"], message: string) {
    super(message);
    this.why = why;
  }
}
