/** A paired node as {@link Liveness} sees it, by what the library has below its interface for applications. */
import { Minutes, Seconds } from "@matter/main";
import { type ClientNode, ClientNodeInteraction } from "@matter/main/node";
import {
  type Peer,
  type PeerAddress,
  PeerSet,
  PeerUnresponsiveError,
  SessionManager,
  SustainedSubscription,
} from "@matter/main/protocol";
import type { Questioned } from "./liveness.ts";

/**
 * How soon nodes are asked again that are away. The library's own times suit a controller of thousands of nodes: up to two minutes between
 * two questions, and an hour after a subscription that failed again and again.
 */
export function setPatience(peers: PeerSet): void {
  peers.timing = {
    maxDelayBetweenInitialContactRetries: Seconds(20),
    delayBeforeNextAddress: Seconds(10),
    delayAfterPeerError: Seconds(30),
    delayAfterUnhandledError: Seconds(30),
    kickThrottleInterval: Seconds(1),
    kickMinRestartSaving: Seconds(1),
    kickRestartCooldown: { connect: Seconds(10), addressChange: Seconds(10) },
  };
  Object.assign(SustainedSubscription.DefaultRetrySchedule, {
    initialInterval: Seconds(2),
    maximumInterval: Minutes(1),
  });
}

/** Calls `heard` whenever the address of a node is announced. */
export function hearAnnouncements(peers: PeerSet, heard: (address: PeerAddress) => void): void {
  const hear = ({ service, address }: Peer): void => {
    service.name.on(({ updated }) => {
      if (updated) heard(address);
    });
  };
  peers.added.on(hear);
  for (const peer of peers) hear(peer);
}

export class QuestionedPeer implements Questioned {
  readonly #node: ClientNode;

  constructor(node: ClientNode) {
    this.#node = node;
  }

  get hasSession(): boolean {
    return this.#peer?.hasSession ?? false;
  }

  get idleMs(): number {
    return this.#peer?.sessionParameters.idleInterval ?? 0;
  }

  async answers(abort: AbortSignal): Promise<boolean> {
    const { interaction } = this.#node;
    return interaction instanceof ClientNodeInteraction && (await interaction.probe({ abort, suppressPeerLoss: true }));
  }

  async reconnect(): Promise<void> {
    const { env, interaction } = this.#node;
    const address = this.#peer?.address;
    if (address === undefined) return;
    await env.get(SessionManager).handlePeerLoss(address, { cause: new PeerUnresponsiveError() });
    // The library keeps a subscription whose session is void, until its longest silence is over.
    if (interaction instanceof ClientNodeInteraction) interaction.subscriptions.closeForPeer(address);
  }

  hurry(): void {
    this.#peer?.kick();
  }

  /** Settles when there is a session. @throws what the library throws */
  async connect(abort: AbortSignal): Promise<void> {
    await this.#peer?.connect({ abort });
  }

  get #peer(): Peer | undefined {
    const address = this.#node.peerAddress;
    return address === undefined ? undefined : this.#node.env.get(PeerSet).get(address);
  }
}
