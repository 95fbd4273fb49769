/**
 * The real zigbee2mqtt as a neighbour on a broker, with only its radio simulated: its controller, database and converters are its own.
 * What devices do, and what they have received, is in {@link Radio}, in the test's process.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./program.ts";
import { BridgeProcess } from "./zigbee2mqtt/bridge-process.ts";
import type { RadioAddress } from "./zigbee2mqtt/channel.ts";
import { DEVICE_MODELS, type DeviceKind } from "./zigbee2mqtt/device-models.ts";
import { Radio } from "./zigbee2mqtt/radio.ts";

export interface Zigbee2MqttOptions {
  /** Where its broker is: `mqtt://127.0.0.1:PORT`, or `mqtts:`. */
  readonly broker: string;
  readonly user?: { readonly name: string; readonly password: string };
  /** File with the certificate of the broker (PEM). */
  readonly ca?: string | undefined;
  /** Begins its topics. */
  readonly baseTopic?: string;
  /** By the name that it gives them. All have joined when it is ready. */
  readonly devices: Readonly<Record<string, DeviceKind>>;
  /** Whether it describes devices for Home Assistant too. */
  readonly homeAssistant?: boolean;
  /** Whether it publishes which devices it can reach. It notices by itself after ten minutes: see {@link Zigbee2Mqtt.restart}. */
  readonly availability?: boolean;
}

export type { Zigbee2Mqtt };

const PROGRAM = join(ROOT, "test/peers/node_modules/zigbee2mqtt/index.js");
/** IEEE address of the first device, and its address in the network. */
const [FIRST_IEEE, FIRST_NETWORK] = [0x00124b00_00001000n, 0x1000];

class Zigbee2Mqtt implements AsyncDisposable {
  /** Its devices, and what they have received. */
  readonly radio = new Radio();
  readonly #folder: string;
  readonly #addresses: ReadonlyMap<string, RadioAddress>;
  #process: BridgeProcess;

  constructor(folder: string, options: Zigbee2MqttOptions) {
    this.#folder = folder;
    this.#addresses = new Map(Object.keys(options.devices).map((name, at) => [name, addressOf(at)]));
    for (const [name, kind] of Object.entries(options.devices))
      this.radio.add(name, this.#address(name), DEVICE_MODELS[kind]);
    writeFileSync(join(folder, "configuration.yaml"), JSON.stringify(configuration(options, this.#addresses)));
    this.#process = new BridgeProcess(PROGRAM, this.#folder, this.radio);
  }

  /** Settles when it is ready and all its devices have joined. @throws Error when it ends before */
  async join(): Promise<void> {
    await this.#ready();
    await joined(this.#process, this.radio, [...this.#addresses.keys()]);
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Its last output. */
  get log(): string {
    return this.#process.log;
  }

  /** IEEE address of a device, `0x` and 16 digits. @throws Error for a name that no device has */
  ieee(name: string): string {
    return this.#address(name).ieee;
  }

  /** SIGKILL. Its devices go on, and their frames are lost. */
  kill(): Promise<void> {
    return this.#process.end("SIGKILL");
  }

  /** SIGTERM: it publishes on its topic that it is offline, and saves its state. */
  end(): Promise<void> {
    return this.#process.end("SIGTERM");
  }

  /**
   * Starts it again with what it has on disk, after {@link kill} or {@link end}. Settles when it is ready.
   *
   * @param minutesLater how much longer ago it last received a frame of its devices than it did. From ten minutes on those that do not sleep are
   *   offline until they answer.
   */
  async restart(minutesLater = 0): Promise<void> {
    makeOlder(join(this.#folder, "database.db"), minutesLater * 60_000);
    this.#process = new BridgeProcess(PROGRAM, this.#folder, this.radio);
    await this.#ready();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #ready(): Promise<void> {
    await this.#process.line((line) => line.includes("Zigbee2MQTT started!"));
  }

  #address(name: string): RadioAddress {
    const address = this.#addresses.get(name);
    if (!address) throw new Error(`there is no device ${name}`);
    return address;
  }
}

/**
 * What it publishes while it starts may arrive at a client after this has settled.
 *
 * @throws Error when zigbee2mqtt is not installed, or does not start, or a device cannot join; its output is in the message
 */
export async function startZigbee2Mqtt(options: Zigbee2MqttOptions): Promise<Zigbee2Mqtt> {
  if (!existsSync(PROGRAM)) throw new Error("there is no zigbee2mqtt: node scripts/test/peers.mjs installs it");
  const bridge = new Zigbee2Mqtt(mkdtempSync(join(tmpdir(), "porchlight-zigbee2mqtt-")), options);
  try {
    await bridge.join();
    return bridge;
  } catch (failure) {
    await bridge[Symbol.asyncDispose]();
    throw failure;
  }
}

/** All devices join, are interviewed and configured. */
async function joined(bridge: BridgeProcess, radio: Radio, names: readonly string[]): Promise<void> {
  const configured = names.map((name) => bridge.line((line) => line.includes(`Successfully configured '${name}'`)));
  const failed = bridge
    .line((line) => /Interview failed|Failed to (?:interview|configure)/.test(line))
    .then(
      () => Promise.reject(new Error(`a device could not join:\n${bridge.log}`)),
      // The others announce it.
      () => new Promise<never>(() => {}),
    );
  for (const name of names) await radio.join(name);
  await Promise.race([Promise.all(configured), failed]);
}

/** Its database has a line of JSON for each device. */
function makeOlder(path: string, ms: number): void {
  const lines = readFileSync(path, "utf8").split("\n");
  const older = ({ lastSeen, ...rest }: { readonly lastSeen?: number }) =>
    lastSeen === undefined ? rest : { ...rest, lastSeen: lastSeen - ms };
  writeFileSync(path, lines.map((line) => line && JSON.stringify(older(JSON.parse(line)))).join("\n"));
}

function addressOf(at: number): RadioAddress {
  return { ieee: `0x${(FIRST_IEEE + BigInt(at)).toString(16).padStart(16, "0")}`, network: FIRST_NETWORK + at };
}

/** JSON, which YAML understands. */
function configuration(options: Zigbee2MqttOptions, addresses: ReadonlyMap<string, RadioAddress>) {
  const { broker, user, ca, baseTopic = "zigbee2mqtt", homeAssistant = false, availability = false } = options;
  return {
    // Of the format of this file; it would ask questions about an older one.
    version: 5,
    mqtt: {
      server: broker,
      base_topic: baseTopic,
      ...(user && { user: user.name, password: user.password }),
      ...(ca && { ca }),
    },
    serial: { port: "/dev/null", adapter: "zstack" },
    frontend: { enabled: false },
    homeassistant: { enabled: homeAssistant },
    availability: { enabled: availability },
    // It would ask a server in the Internet.
    ota: { disable_automatic_update_check: true },
    advanced: { log_output: ["console"] },
    devices: Object.fromEntries([...addresses].map(([name, { ieee }]) => [ieee, { friendly_name: name }])),
  };
}
