/**
 * Two hosts of a home network, each a namespace of its own, joined by one cable (veth): what Matter's discovery sends by multicast stays
 * between them. The cable has IPv6 only, as Matter needs it. The first host can also reach this machine. Needs root.
 */
import { ip, networkName, removeNamespace, removeOrphans } from "../network-namespaces.ts";

/** Link-local, as on the network of a home. */
const HOME = { hub: "fe80::1", controller: "fe80::2" };
/** Of the addresses for tests of network equipment (RFC 2544): from the first host to this machine. */
const OUT = `198.19.${process.pid % 256}`;
const MARK = "plc-";

type Host = keyof typeof HOME;

export class ControllerNetwork implements Disposable {
  readonly #name = networkName(MARK);
  /** Where the first host finds this machine. */
  readonly here = `${OUT}.1`;

  /** @throws Error with the output of `ip` */
  constructor() {
    removeOrphans(MARK);
    for (const host of ["hub", "controller"] as const) {
      ip(`netns add ${this.#namespace(host)}`);
      this.#on(host, "link set lo up");
    }
    ip(`link add home netns ${this.#namespace("hub")} type veth peer name home netns ${this.#namespace("controller")}`);
    for (const host of ["hub", "controller"] as const) {
      // With an address that need not be tried first, which takes seconds.
      this.#on(host, "link set home addrgenmode none");
      this.#on(host, `address add ${HOME[host]}/64 dev home nodad`);
      this.#on(host, "link set home up");
    }
    ip(`link add ${this.#name} type veth peer name out netns ${this.#namespace("hub")}`);
    ip(`address add ${this.here}/30 dev ${this.#name}`);
    ip(`link set ${this.#name} up`);
    this.#on("hub", `address add ${OUT}.2/30 dev out`);
    // Nothing of Matter goes out here: neither by multicast nor by IPv6.
    this.#on("hub", "link set out addrgenmode none");
    this.#on("hub", "link set out multicast off up");
  }

  /** What a program must be started with in order to run on that host (see `Program`). */
  within(host: Host): readonly string[] {
    return ["ip", "netns", "exec", this.#namespace(host)];
  }

  [Symbol.dispose](): void {
    for (const host of ["hub", "controller"] as const) removeNamespace(this.#namespace(host), this.#name);
  }

  #namespace(host: Host): string {
    return `${this.#name}${host === "hub" ? "a" : "b"}`;
  }

  #on(host: Host, words: string): void {
    ip(`-n ${this.#namespace(host)} ${words}`);
  }
}
