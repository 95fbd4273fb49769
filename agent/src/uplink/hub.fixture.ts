/** A hub with state, commands and uplink over a scripted driver, connected to a scripted cloud, all on one virtual clock. */
import { generateKeyPairSync, sign } from "node:crypto";
import { type Clock, type Log, seededRandom, silentLog } from "@porchlight/shared/kernel";
import { Commands } from "../commands/commands.ts";
import { DeviceAvailability } from "../commands/device-availability.ts";
import { NO_DOUBTS } from "../commands/no-doubts.fixture.ts";
import { ScriptedDriver } from "../commands/scripted-driver.fixture.ts";
import type { AskDrivers } from "../drivers/index.ts";
import type { Home, State } from "../state/index.ts";
import { Disk, device, LAMP } from "../state/state.fixture.ts";
import { CLOUD, FakeCloud, TOKEN } from "./cloud.fixture.ts";
import type { HubIdentity } from "./handshake.ts";
import { UPLINK_SETTINGS, Uplink, type UplinkDeps, type UplinkSettings } from "./uplink.ts";

function testIdentity(): HubIdentity {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return {
    edgeId: "02-00-00-00-00-01",
    publicKey: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
    sign: (bytes) => sign(null, bytes, privateKey).toString("base64"),
  };
}

export class Hub implements AsyncDisposable {
  /** Devices that live on another hub, by the cloud's answers. */
  readonly claimed: string[] = [];
  readonly disk = new Disk();
  readonly clock = this.disk.clock;
  readonly cloud = new FakeCloud(this.clock);
  readonly driver = new ScriptedDriver();
  readonly logged: string[] = [];
  /** What the hub's drivers answer. */
  askDrivers: AskDrivers = async () => ({ drivers: [] });
  /** What the hub answers about itself; undefined: it is not looked after from afar. */
  askMaintenance: UplinkDeps["askMaintenance"];
  readonly #identity = testIdentity();
  readonly #random = seededRandom(7);
  #stoodStillMs = 0;
  /** So many commits are refused by the disk. */
  refuseCommits = 0;
  state = this.#open();
  uplink: Uplink | undefined;

  /** A hub with a live lamp, not yet connected. */
  static async make(): Promise<Hub> {
    const hub = new Hub();
    hub.driver.live.add(LAMP);
    await hub.disk.done(hub.state.arrive(device()));
    return hub;
  }

  /** Makes a hub and waits until it is online. */
  static async online(): Promise<Hub> {
    const hub = await Hub.make();
    hub.connect();
    await hub.clock.advance(0);
    return hub;
  }

  /** @param home keeps the names that the cloud sends, for a hub with an API at home */
  connect(settings: Partial<UplinkSettings> = {}, home?: Home): Uplink {
    const { state, driver } = this;
    const clock: Clock = {
      now: () => this.clock.now(),
      monotonic: () => this.clock.monotonic() + this.#stoodStillMs,
      timer: (name, ms, fire) => this.clock.timer(name, ms, fire),
    };
    const log: Log = {
      ...silentLog,
      warn: (_f, text) => this.logged.push(text),
      error: (_f, text) => this.logged.push(text),
    };
    const driverOf = (edgeId: string) => (driver.has(edgeId) ? driver : undefined);
    this.uplink = Uplink.start({
      claimed: (edgeIds) => void this.claimed.push(...edgeIds),
      clock,
      random: this.#random,
      log,
      dial: this.cloud.dial,
      cloudUrl: CLOUD,
      identity: this.#identity,
      token: () => TOKEN,
      agentVersion: "0.1.0",
      state,
      home,
      askDrivers: (question, signal) => this.askDrivers(question, signal),
      askMaintenance: this.askMaintenance,
      commands: new Commands({
        ...{ clock, log, state, driverOf, doubts: NO_DOUBTS },
        availability: new DeviceAvailability(clock, [], 0),
      }),
      settings: { ...UPLINK_SETTINGS, ...settings },
    });
    return this.uplink;
  }

  /** The process stands still for so long, as after SIGSTOP, and is just continued: its clock has moved, none of its timers has fired. */
  standStill(ms: number): void {
    this.#stoodStillMs += ms;
  }

  /** The process dies, and another one starts on the same disk. */
  async crash(): Promise<void> {
    this.uplink?.kill();
    this.state.kill();
    this.state = this.#open();
    this.connect();
    await this.clock.advance(0);
  }

  #open(): State {
    const beforeCommit = () => {
      if (this.refuseCommits === 0) return;
      this.refuseCommits -= 1;
      throw new Error("no room");
    };
    return this.disk.open({ beforeCommit });
  }

  get tunnelState() {
    return this.uplink?.status().tunnel;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.uplink?.kill();
    await this.clock.advance(0);
    this.disk[Symbol.dispose]();
  }
}
