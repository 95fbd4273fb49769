/**
 * What the driver needs of Matter: nodes that are paired, their endpoints, and how they are asked. An interface of its own, so that one file
 * knows the library, and a test can be the network. Clusters, attributes and commands have the names of the specification, in camel case.
 */

/** One endpoint, as its node last told of it. */
export interface MatterEndpoint {
  readonly number: number;
  readonly deviceTypes: readonly number[];
  /** Endpoints below it, at whatever depth the node lists them. */
  readonly parts: readonly number[];
  /** Its server clusters. */
  readonly clusters: ReadonlySet<string>;
  /** Undefined when the endpoint does not have it, or has not told it yet. */
  attribute(cluster: string, name: string): unknown;
  /** Names of the attributes of a cluster that it has told. */
  attributes(cluster: string): readonly string[];
  /** Names of the features of a cluster that it has: `lift`. */
  features(cluster: string): ReadonlySet<string>;
}

/** Names one attribute of a node. */
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
  /** The device takes it only right after it was announced, so that nobody can repeat it later: locks. */
  readonly timed?: boolean | undefined;
}

export interface AttributeWrite extends AttributePath {
  readonly value: unknown;
}

/** What a node tells. */
export interface NodeListener {
  /** It is connected, or is not any more. */
  connection(): void;
  /** Attributes have other values. */
  changed(endpoint: number, cluster: string, attributes: readonly string[]): void;
  /** Something has happened, of which each time counts. */
  happened(endpoint: number, cluster: string, event: string, payload: unknown): void;
  /** It has other endpoints, clusters or firmware than before. */
  restructured(): void;
}

/** A node that is paired with this hub. */
export interface MatterNode {
  /** Its id in the hub's fabric, 16 hexadecimal digits. */
  readonly nodeId: string;
  /** Whether it tells the hub of its changes, and lately has. */
  readonly isConnected: boolean;
  /** Empty until it has told of them since the start. */
  readonly endpoints: ReadonlyMap<number, MatterEndpoint>;
  /** One of them; undefined when it has gone. */
  endpoint(number: number): MatterEndpoint | undefined;
  listen(listener: NodeListener): () => void;
  /** Settles when there is a way to it: until then nothing is sent to it. @throws NodeUnreachable, the signal's reason */
  reach(signal: AbortSignal): Promise<void>;
  /** Asks the node. @throws NodeRefused, NodeUnreachable, the signal's reason */
  read(path: AttributePath, signal: AbortSignal): Promise<unknown>;
  /**
   * Settles when the node has answered, with the fields of its answer if the command has one: it may say there that it does not do it. Sent once.
   * @throws NodeRefused, NodeUnreachable, the signal's reason
   */
  invoke(command: MatterCommand, signal: AbortSignal): Promise<unknown>;
  /** Settles when the node has accepted it. Sent once. @throws NodeRefused, NodeUnreachable, the signal's reason */
  write(write: AttributeWrite, signal: AbortSignal): Promise<void>;
  /**
   * Ends the pairing. `released`: the node has forgotten the hub. `unreached`: it has not been told.
   * @param isForced forgets the node also when it has not been told
   */
  remove(isForced: boolean, signal: AbortSignal): Promise<"released" | "unreached">;
}

/** What a pairing code says. */
export interface PairingCode {
  readonly passcode: number;
  /** 12 bits of a QR code; the upper 4 of them of a code of 11 digits. */
  readonly discriminator: { readonly long: number } | { readonly short: number };
}

/** A text is no pairing code; the message is the reason, for people. */
export class NoPairingCode extends Error {}

/** How far a pairing is. */
export type PairingStep =
  | { readonly step: "found"; readonly name: string | undefined }
  /** It has proved to have the certificate that it shows. `isTest`: it is one that anybody has. */
  | { readonly step: "attested"; readonly isTest: boolean };

export interface PairingRequest {
  readonly code: PairingCode;
  /** The id that the node will have. */
  readonly nodeId: string;
  readonly signal: AbortSignal;
  readonly progress: (step: PairingStep) => void;
}

export interface MatterNetwork extends AsyncDisposable {
  /** Id of the hub's fabric, 16 hexadecimal digits. */
  readonly fabricId: string;
  readonly nodes: readonly MatterNode[];
  /** Calls `changed` when a node has come or gone. */
  listen(changed: () => void): () => void;
  /** @throws NoPairingCode */
  readPairingCode(text: string): PairingCode;
  /** @throws PairingFailed, the signal's reason */
  pair(request: PairingRequest): Promise<MatterNode>;
  /** A node that may be paired, though the hub does not remember it: it is looked for on the network. @throws NodeUnreachable */
  adopt(nodeId: string, signal: AbortSignal): Promise<MatterNode>;
}

/** The node has answered that it does not do it. `status`: its code. */
export class NodeRefused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The node has not answered: whether it has acted is not known. */
export class NodeUnreachable extends Error {}

/** Why a pairing did not come about. */
export class PairingFailed extends Error {
  readonly why: "not_found" | "wrong_code" | "already_paired" | "not_genuine" | "full" | "no_answer";
  constructor(why: PairingFailed["why"], message: string) {
    super(message);
    this.why = why;
  }
}
