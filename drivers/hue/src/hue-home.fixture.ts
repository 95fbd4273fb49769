/** A hub with the driver, and a home network in memory with bridges at addresses: what the tests of the whole driver begin with. */
import type { NetworkService, NetworkServices, SetupFind, SetupTalk } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { type Log, seededRandom, settle, VirtualClock } from "@porchlight/shared/kernel";
import { type BridgeAddress, BridgeBusy, CertificateRefused, KeyRefused, placeOf } from "./bridge/bridge-failures.ts";
import { NoBridge, OLDEST_SOFTWARE } from "./bridge/pair-bridge.ts";
import { BRIDGE_ID, capturedResources } from "./bridge-capture.fixture.ts";
import { HueDriver, type HueDriverDeps } from "./hue-driver.ts";
import { MemoryBridge } from "./memory-bridge.fixture.ts";

/** A bridge somewhere on the network. */
export class PlacedBridge {
  readonly memory: MemoryBridge;
  readonly keys = new Set<string>();
  bridgeId = BRIDGE_ID;
  name = "Hall";
  software = OLDEST_SOFTWARE;
  /** SHA-256 of a certificate of its own; undefined: its maker has signed it. */
  certificate: string | undefined;
  isPressed = false;
  /** Something else answers there. */
  isOther = false;
  /** The status with which it refuses connections. */
  refuses: number | undefined;
  /** How often it was asked what it is. */
  asked = 0;

  constructor(clock: VirtualClock) {
    this.memory = new MemoryBridge(clock, capturedResources());
  }
}

export class HueHome implements AsyncDisposable, NetworkServices {
  readonly clock = new VirtualClock();
  readonly host = new FakeHost(this.clock);
  readonly bridges = new Map<string, PlacedBridge>();
  readonly store = memoryStore();
  readonly logged: string[] = [];
  readonly announced: NetworkService[] = [];
  /** How often anything was asked what it is. */
  asked = 0;
  readonly #listeners = new Set<() => void>();
  #driver: HueDriver | undefined;

  get driver(): HueDriver {
    if (!this.#driver) throw new Error("the driver has not been started");
    return this.#driver;
  }

  add(host: string): PlacedBridge {
    const bridge = new PlacedBridge(this.clock);
    this.bridges.set(host, bridge);
    return bridge;
  }

  /** A bridge is somewhere else now, and says nothing of it. */
  move(from: string, to: string): void {
    const bridge = this.bridges.get(from);
    this.bridges.delete(from);
    bridge?.memory.cut();
    bridge?.memory.mend();
    if (bridge) this.bridges.set(to, bridge);
  }

  /** What is announced from now on: bridges by their addresses. */
  announce(places: Readonly<Record<string, string>>): void {
    const all = Object.entries(places).map(([address, bridgeId]) => ({
      ...{ instance: `Hue Bridge - ${bridgeId.slice(-6)}`, address, port: 443 },
      txt: { bridgeid: bridgeId.toLowerCase(), modelid: "BSB002" },
    }));
    this.announced.splice(0, Number.POSITIVE_INFINITY, ...all);
    for (const listener of this.#listeners) listener();
  }

  current(): readonly NetworkService[] {
    return this.announced;
  }

  subscribe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async start(deps: Partial<HueDriverDeps> = {}): Promise<void> {
    const write = (fields: object, message: string) => void this.logged.push(`${message} ${JSON.stringify(fields)}`);
    const log: Log = { debug: write, info: write, warn: write, error: write };
    this.#driver = await HueDriver.start({
      ...{ bridges: [], admit: { all: true, edgeIds: new Set() }, services: this, store: this.store },
      ...{ clock: this.clock, random: seededRandom(1), log, host: this.host },
      pairing: { facts: (place) => this.#facts(place), askKey: (...asked) => this.#askKey(...asked) },
      open: (bridgeId, { key, pinned, ...place }) => this.#open(bridgeId, key, pinned, place),
      ...deps,
    });
    await this.pass(2000);
  }

  async stop(): Promise<void> {
    await this.clock.until(this.driver[Symbol.asyncDispose](), 60_000);
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await settle();
  }

  /** Pairs with the bridge, whose button is pressed. @throws SetupFailed */
  async pair(...answers: string[]): Promise<readonly string[]> {
    return await this.setup("hue-bridge", answers);
  }

  async setup(kind: string, answers: readonly string[] = []): Promise<readonly string[]> {
    const left = [...answers];
    const stated: string[] = [];
    const talk: SetupTalk = {
      signal: new AbortController().signal,
      tell: (text) => void stated.push(text),
      ask: async (question) => {
        stated.push(question.ask === "choice" ? question.choices.join(" | ") : question.text);
        return left.shift() ?? "";
      },
      found: ({ name }: SetupFind) => void stated.push(`found ${name}`),
    };
    await this.clock.until(this.driver.setup(kind, talk), 120_000);
    await this.pass(3000);
    return stated;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#driver) await this.stop();
  }

  #at(place: BridgeAddress): PlacedBridge {
    const bridge = this.bridges.get(placeOf(place));
    if (!bridge) throw new Error("connect EHOSTUNREACH");
    return bridge;
  }

  async #facts(place: BridgeAddress) {
    this.asked += 1;
    const bridge = this.#at(place);
    bridge.asked += 1;
    const { bridgeId, name, software, isOther } = bridge;
    if (isOther) throw new NoBridge();
    return { bridgeId, name, software };
  }

  async #askKey(place: BridgeAddress, bridgeId: string, mustBeSigned: boolean) {
    const bridge = this.#at(place);
    if (mustBeSigned && bridge.certificate !== undefined) throw new CertificateRefused(bridgeId, bridge.bridgeId);
    if (!bridge.isPressed) return { kind: "waiting" } as const;
    const key = `key ${bridge.keys.size} of ${bridge.bridgeId}`;
    bridge.keys.add(key);
    return { kind: "pressed", key, pinned: bridge.certificate } as const;
  }

  #open(bridgeId: string, key: string, pinned: string | undefined, place: BridgeAddress): MemoryBridge["open"] {
    return async (take, signal) => {
      const bridge = this.#at(place);
      if (bridge.isOther) throw new CertificateRefused(bridgeId, "nas.local");
      if (bridge.bridgeId !== bridgeId || bridge.certificate !== pinned)
        throw new CertificateRefused(bridgeId, bridge.bridgeId);
      if (bridge.refuses !== undefined) throw new BridgeBusy(bridge.refuses);
      if (!bridge.keys.has(key)) throw new KeyRefused();
      return bridge.memory.open(take, signal);
    };
  }
}
