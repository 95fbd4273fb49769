/** A second host on this machine: a network namespace joined to the first by one cable (veth), which a test can pull. Needs root. */
import { ip, networkName, removeNamespace, removeOrphans } from "./network-namespaces.ts";

/** Of TEST-NET-2 (RFC 5737): no network has these. */
const ADDRESSES = { here: "198.51.100.1", there: "198.51.100.2", moved: "198.51.100.3" } as const;
/** Nobody has it: what is sent there is lost. */
const NOBODY = "02:00:00:00:00:99";

/** Hosts are named by it and the process that made them. */
const MARK = "plt-";

export class OtherHost implements Disposable {
  readonly #name = networkName(MARK);
  /** Where the other host finds this one. */
  readonly here = ADDRESSES.here;

  /** @throws Error with what `ip` says */
  constructor() {
    removeOrphans(MARK);
    ip(`netns add ${this.#name}`);
    ip(`link add ${this.#name} type veth peer name eth0 netns ${this.#name}`);
    ip(`address add ${ADDRESSES.here}/29 dev ${this.#name}`);
    ip(`link set ${this.#name} up`);
    this.#there("link set lo up");
    this.#there(`address add ${ADDRESSES.there}/29 dev eth0`);
    this.#there("link set eth0 up");
  }

  /** What a program must be started with in order to run there (see `Program`). */
  get within(): readonly string[] {
    return ["ip", "netns", "exec", this.#name];
  }

  /** Pulls the cable: nothing goes either way, and neither end is told. */
  unplug(): void {
    ip(`link set ${this.#name} down`);
  }

  plugIn(): void {
    ip(`link set ${this.#name} up`);
  }

  /** What the other host sends is lost; what is sent to it arrives. */
  deafen(): void {
    this.#there(`neighbour replace ${ADDRESSES.here} lladdr ${NOBODY} dev eth0 nud permanent`);
  }

  /** Undoes {@link deafen}. */
  hear(): void {
    this.#there(`neighbour delete ${ADDRESSES.here} dev eth0`);
  }

  /** The other host gets another address, as from a router that was restarted: its connections are dead, and nobody says so. */
  move(): void {
    this.#there(`address delete ${ADDRESSES.there}/29 dev eth0`);
    this.#there(`address add ${ADDRESSES.moved}/29 dev eth0`);
  }

  [Symbol.dispose](): void {
    removeNamespace(this.#name);
  }

  #there(words: string): void {
    ip(`-n ${this.#name} ${words}`);
  }
}
