/** A Matter device of another team's making, in a network of its own: the program in test/peers, which brings matter.js at another version. */
import { execFileSync } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ip, networkName, removeNamespace, removeOrphans } from "./network-namespaces.ts";
import { Program, ROOT } from "./program.ts";

const PROGRAM = "test/peers/matter-device.mjs";
const LIBRARY = join(ROOT, "test/peers/node_modules/@matter/nodejs");
/** Of the addresses for tests of network equipment (RFC 2544). */
const NET = `198.18.${process.pid % 256}`;
const MARK = "plm-";

/** A line of the device's stdout. */
interface DeviceEvent {
  readonly event: string;
  readonly what?: string;
  readonly value?: unknown;
  readonly qrPairingCode?: string;
  readonly manualPairingCode?: string;
  readonly isCommissioned?: boolean;
  readonly order?: unknown;
}

export interface DeviceOptions {
  readonly discriminator: number;
  /** Matter's own when left out. Without a fixed one the program listens on one over IPv4 and on another over IPv6, and announces one. */
  readonly port?: number;
  readonly passcode?: number;
  readonly uniqueId?: string;
  /** It is a bridge with so many lamps behind it. */
  readonly bridged?: number;
}

/** An end of the cable between hub and device. */
export type CableEnd = "hub" | "device";

/** A network namespace, joined to the hub's by a cable. Needs root. */
export class MatterNetwork implements Disposable {
  readonly #name = networkName(MARK);
  #member: Socket | undefined;

  /** @throws Error with the output of `ip` */
  constructor() {
    removeOrphans(MARK);
    ip(`netns add ${this.#name}`);
    ip(`link add ${this.#name} type veth peer name eth0 netns ${this.#name}`);
    ip(`address add ${NET}.1/30 dev ${this.#name}`);
    ip(`link set ${this.#name} up`);
    ip(`-n ${this.#name} link set lo up`);
    ip(`-n ${this.#name} address add ${NET}.2/30 dev eth0`);
    ip(`-n ${this.#name} link set eth0 up`);
    // Without it no process there joins a group of IPv4, and so none receives a question over IPv4.
    ip(`-n ${this.#name} route add 224.0.0.0/4 dev eth0`);
  }

  get within(): readonly string[] {
    return ["ip", "netns", "exec", this.#name];
  }

  /** Neither end has an IPv6 address on the cable any more. */
  withoutIpv6(): void {
    // The library joins the group of IPv4 only where the machine's default route is: here the hub's machine joins it on the cable.
    this.#member = createSocket("udp4");
    this.#member.bind(0, () => this.#member?.addMembership("224.0.0.251", `${NET}.1`)).unref();
    ip(`address flush dev ${this.#name} scope link`, "-6");
    ip(`-n ${this.#name} address flush dev eth0 scope link`, "-6");
  }

  /** What this end sends is lost, without a notice to either end. */
  silence(end: CableEnd): void {
    this.#queue(end, "add", "blackhole");
  }

  hear(end: CableEnd): void {
    this.#queue(end, "delete");
  }

  /** @throws Error with the output of `tc` */
  #queue(end: CableEnd, what: "add" | "delete", ...kind: readonly string[]): void {
    const [inside, device] = end === "hub" ? [[], this.#name] : [["-n", this.#name], "eth0"];
    const words = [...inside, "qdisc", what, "dev", device, "root", ...kind];
    execFileSync("tc", words, { stdio: ["ignore", "ignore", "pipe"] });
  }

  unplug(): void {
    ip(`link set ${this.#name} down`);
  }

  plugIn(): void {
    ip(`link set ${this.#name} up`);
  }

  [Symbol.dispose](): void {
    this.#member?.close();
    removeNamespace(this.#name);
  }
}

export class MatterDeviceProgram implements AsyncDisposable {
  readonly #program: Program;
  readonly #storage: string;
  readonly #keeps: boolean;
  readonly touches: DeviceEvent[] = [];
  qrPairingCode = "";
  manualPairingCode = "";

  private constructor(program: Program, storage: string, keeps: boolean) {
    this.#program = program;
    this.#storage = storage;
    this.#keeps = keeps;
  }

  /** @param storage of an earlier life; a new one when left out */
  static async start(network: MatterNetwork, options: DeviceOptions, storage?: string): Promise<MatterDeviceProgram> {
    if (!existsSync(LIBRARY))
      throw new Error("there is no matter.js of another version: node scripts/test/peers.mjs installs it");
    const folder = storage ?? mkdtempSync(join(tmpdir(), "porchlight-matter-"));
    const given = JSON.stringify({ ...options, storage: folder });
    const program = new Program("Matter device", PROGRAM, [given], {}, network.within);
    const device = new MatterDeviceProgram(program, folder, storage !== undefined);
    const started = await program.line((line) => {
      const message = eventIn(line);
      return message?.event === "started" ? message : undefined;
    });
    void program
      .next((line) => {
        const message = eventIn(line);
        if (message?.event === "touched") device.touches.push(message);
        return undefined;
      })
      .catch(() => undefined);
    device.qrPairingCode = started.qrPairingCode ?? "";
    device.manualPairingCode = started.manualPairingCode ?? "";
    return device;
  }

  get storage(): string {
    return this.#storage;
  }

  /** Something happens at the device; settles when it has. */
  async does(order: Readonly<Record<string, unknown>>): Promise<void> {
    const done = this.#program.next((line) => (eventIn(line)?.event === "done" ? true : undefined));
    this.#program.tell(JSON.stringify(order));
    await done;
  }

  /** Settles when it reports the event. */
  reports(event: string): Promise<unknown> {
    return this.#program.next((line) => (eventIn(line)?.event === event ? true : undefined));
  }

  /** The value that comes with the next event of that name. */
  reportsValue(event: string): Promise<unknown> {
    return this.#program.next((line) => {
      const message = eventIn(line);
      return message?.event === event ? message.value : undefined;
    });
  }

  /** How often it got the command. */
  touched(what: string, value?: unknown): number {
    return this.touches.filter((each) => each.what === what && (value === undefined || each.value === value)).length;
  }

  stands(still: boolean): void {
    this.#program.signal(still ? "SIGSTOP" : "SIGCONT");
  }

  async kill(): Promise<void> {
    await this.#program.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
    if (!this.#keeps) rmSync(this.#storage, { recursive: true, force: true });
  }
}

function eventIn(line: string): DeviceEvent | undefined {
  return line.startsWith("{") ? (JSON.parse(line) as DeviceEvent) : undefined;
}
