/**
 * Two hosts of a home network, each a namespace of its own, joined by one cable (veth): what Matter's discovery says by multicast stays
 * between them. The first can also reach this machine. Needs root.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Of TEST-NET-3 (RFC 5737): no network has these. */
const HOME = { one: "203.0.113.1", other: "203.0.113.2" };
/** Of TEST-NET-2, beside those of `OtherHost`: from the first host to this machine. */
const OUT = { here: "198.51.100.9", there: "198.51.100.10" };

/** Hosts are named by it and the process that made them; a name of a cable has at most 15 characters. */
const MARK = "plm-";

export class MatterNetwork implements Disposable {
  readonly #name = `${MARK}${process.pid}`;
  /** Where the first host finds this machine. */
  readonly here = OUT.here;

  /** @throws Error with what `ip` says */
  constructor() {
    removeOrphans();
    for (const host of ["a", "b"]) {
      ip(`netns add ${this.#name}${host}`);
      this.#on(host, "link set lo up");
    }
    ip(`link add home netns ${this.#name}a type veth peer name home netns ${this.#name}b`);
    this.#plug("a", HOME.one);
    this.#plug("b", HOME.other);
    ip(`link add ${this.#name} type veth peer name out netns ${this.#name}a`);
    ip(`address add ${OUT.here}/29 dev ${this.#name}`);
    ip(`link set ${this.#name} up`);
    this.#on("a", `address add ${OUT.there}/29 dev out`);
    // Nothing of Matter goes out here: neither by multicast nor by IPv6.
    this.#on("a", "link set out multicast off up");
  }

  /** What a program must be started with in order to run on the host of the hub, or of the controller (see `Program`). */
  within(host: "hub" | "controller"): readonly string[] {
    return ["ip", "netns", "exec", `${this.#name}${host === "hub" ? "a" : "b"}`];
  }

  [Symbol.dispose](): void {
    remove(this.#name);
  }

  #plug(host: string, address: string): void {
    this.#on(host, `address add ${address}/29 dev home`);
    this.#on(host, "link set home up");
    this.#on(host, "route add 224.0.0.0/4 dev home");
  }

  #on(host: string, words: string): void {
    ip(`-n ${this.#name}${host} ${words}`);
  }
}

/** Networks of tests that were killed: their cables have the same addresses. */
function removeOrphans(): void {
  for (const [, name = "", pid] of ip("netns list").matchAll(new RegExp(`^(${MARK}(\\d+))a`, "gm")))
    if (!existsSync(`/proc/${pid}`)) remove(name);
}

/** The cable first: a namespace lives as long as a dead connection in it is tried. */
function remove(name: string): void {
  if (existsSync(`/sys/class/net/${name}`)) ip(`link delete ${name}`);
  for (const host of ["a", "b"]) ip(`netns delete ${name}${host}`);
}

function ip(words: string): string {
  return execFileSync("ip", words.split(" "), { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
