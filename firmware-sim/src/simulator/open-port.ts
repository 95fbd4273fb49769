/** Opens a node's port as its file defines it: a pseudo-terminal, or a TCP port that is announced on the network. */
import type { Clock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import type { NodeDefinition } from "./devices/definition.ts";
import { Announcer } from "./links/announcer.ts";
import { openNetworkPort } from "./links/network-port.ts";
import { openPty } from "./links/pty-link.ts";
import type { Port, Voice } from "./simulator.ts";

export interface PortsDeps {
  readonly clock: Clock;
  /** Address of the interface on which network nodes listen and are announced. */
  readonly address: string;
}

/** Opens ports. Network nodes share one announcer, which the first of them creates. */
export class Ports implements AsyncDisposable {
  readonly #deps: PortsDeps;
  #announcer: Promise<Announcer> | undefined;

  constructor(deps: PortsDeps) {
    this.#deps = deps;
  }

  /** @param port of a network node, when it differs from its file's @throws Error when it is not available */
  async open(definition: NodeDefinition, attach: (link: ByteLink) => void, port?: number): Promise<Port> {
    const { network } = definition;
    return network ? this.#network(definition, network, attach, port ?? network.port) : serialPort(definition, attach);
  }

  /** Withdraws the announcement of every network node. Await it before closing the ports: a closed port sends no goodbye. */
  async [Symbol.asyncDispose](): Promise<void> {
    const announcer = await this.#announcer?.catch(() => undefined);
    await announcer?.[Symbol.asyncDispose]();
  }

  async #network(
    { edgeId, about }: NodeDefinition,
    { psk, announce }: NonNullable<NodeDefinition["network"]>,
    attach: (link: ByteLink) => void,
    wanted: number,
  ): Promise<Port> {
    const { clock, address } = this.#deps;
    this.#announcer ??= Announcer.open(address, clock);
    const announcer = await this.#announcer;
    const identity = psk && { identity: edgeId, key: psk };
    const opened = await openNetworkPort({ address, port: wanted, psk: identity }, attach);
    const { port } = opened;
    const voice: Voice = {
      announce: () => announcer.announce({ edgeId, model: about?.model, port, tls: psk !== undefined }),
      withdraw: () => void announcer.withdraw(edgeId),
    };
    if (announce) voice.announce();
    return {
      path: `tcp ${address}:${port}`,
      port,
      voice,
      close: () => {
        announcer.forget(edgeId);
        opened.close();
      },
    };
  }
}

function serialPort({ link: name }: NodeDefinition, attach: (link: ByteLink) => void): Port {
  const { path, link, close } = openPty(name);
  attach(link);
  return { path, close };
}
