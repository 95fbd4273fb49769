/** A hub whose scenes are called by itself: its state, commands, host and scripted devices on one virtual clock. */
import { type Log, seededRandom, silentLog } from "@porchlight/shared/kernel";
import type { StoredScene } from "@porchlight/shared/tunnel";
import { DeviceHost } from "../commands/device-host.ts";
import { life } from "../commands/life.fixture.ts";
import type { SceneHome } from "../state/index.ts";
import { BUTTON, Disk, device, LAMP, level, on, pressed } from "../state/state.fixture.ts";
import { SceneTriggers } from "./scene-triggers.ts";

export const EVENING = "scn_01kad2vqz0fv8t7vqh5v8q5x5r";
export const PRESS = { kind: "event", ...pressed("press", BUTTON), deviceId: "dev_2", value: "press" } as const;

/** Two lamps and a button, with the time zone of Berlin. */
export class HubWithScenes implements Disposable {
  readonly disk = new Disk();
  readonly warnings: string[] = [];
  isSuperseded = false;
  isMachineClockSet = true;
  #digests = 0;
  #seq = 0;
  #life = this.#start();

  /** A hub whose devices have been there for a while. */
  static async make(): Promise<HubWithScenes> {
    const hub = new HubWithScenes();
    await hub.clock.advance(10_000);
    return hub;
  }

  get clock() {
    return this.disk.clock;
  }

  get state() {
    return this.#life.state;
  }

  get driver() {
    return this.#life.driver;
  }

  get triggers() {
    return this.#life.triggers;
  }

  get host() {
    return this.#life.host;
  }

  /** What was written to devices, in order. */
  get written(): unknown[] {
    return this.driver.touches.map(({ device, property, value }) => [
      device === LAMP ? "lamp" : "other",
      property,
      value,
    ]);
  }

  /** The cloud sends its scenes. */
  async tell(scenes: readonly Partial<StoredScene>[], home: Partial<SceneHome> = {}): Promise<void> {
    const digest = `d${++this.#digests}`;
    const sent = scenes.map((scene): StoredScene => ({ ...this.#evening(), digest, ...scene }));
    const { home: own } = this.state;
    const where = { ecosystemId: "eco_1", environmentId: "env_1", timeZone: "Europe/Berlin", ...home };
    await own.scenes.takeScenes({ digest, ...where, scenes: sent.map(({ id }) => ({ id, digest })) });
    for (const scene of sent) await own.scenes.takeScene(scene);
    await this.clock.advance(100);
  }

  /** A device reports, and the hub has the time to do what follows. @param seq of the report; a new one when left out */
  async report(observed = pressed("press", BUTTON), seq?: number): Promise<string> {
    const source = { node: observed.device, boot: 1, seq: seq ?? this.#seq++ };
    const result = await this.disk.done(this.host.reported(observed, source));
    await this.clock.advance(100);
    return result;
  }

  /** The process dies, and another one starts on the same disk. */
  async crash(): Promise<void> {
    this.#life.host.kill();
    this.#life.triggers[Symbol.dispose]();
    this.state.kill();
    this.#life = this.#start();
    await this.clock.advance(10_000);
  }

  [Symbol.dispose](): void {
    this.#life.triggers[Symbol.dispose]();
    this.#life.host.kill();
    this.disk[Symbol.dispose]();
  }

  #evening(): StoredScene {
    return {
      ...{ id: EVENING, digest: "", alias: "evening", meta: "{}", createdAt: 0, items: [], triggers: [PRESS] },
      writes: [on(true), level(40)],
    };
  }

  #start() {
    const own = life(this.disk);
    const { state, commands, availability, doubts, clock } = own;
    const log: Log = { ...silentLog, warn: (_fields, warnings) => this.warnings.push(warnings) };
    const triggers: SceneTriggers = SceneTriggers.start({
      ...{ log, state, commands },
      mayTouch: () => !this.isSuperseded,
      isMachineClockSet: () => this.isMachineClockSet,
    });
    const host = DeviceHost.start({
      ...{ clock, state, availability, doubts, absentMs: 15_000, log: silentLog, random: seededRandom(1) },
      happened: (report, name) => triggers.happened(report, name),
    });
    for (const edgeId of [LAMP, BUTTON]) host.arrived(device(edgeId));
    return { ...own, triggers, host };
  }
}
