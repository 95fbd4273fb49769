/** The driver of one Z-Wave network, served by a zwave-js-server. */
import {
  type Admissions,
  type Admit,
  type AskClaims,
  type Attempt,
  admission,
  asShared,
  Claims,
  DeviceAddresses,
  type Driver,
  type DriverHost,
  type DriverResult,
  type DriverStore,
  type FoundDevice,
  hostWithClaims,
  KeptIdentities,
  notApplied,
  SessionClaims,
} from "@porchlight/driver-kit";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { HeardUntil } from "./heard-until.ts";
import { type OpenServer, openByWebSocket } from "./server/ws-socket.ts";
import type { ZwaveSettings } from "./settings.ts";
import { sentencesOf } from "./troubles.ts";
import { ZwaveLink } from "./zwave-link.ts";

export interface ZwaveDriverDeps {
  readonly admit: Admit;
  readonly admissions?: Admissions | undefined;
  readonly store?: DriverStore | undefined;
  /** Address of the server, for people: `10.0.0.9:3000`. */
  readonly server: string;
  readonly open: OpenServer;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  readonly askClaims?: AskClaims | undefined;
}

const NOT_HERE = notApplied("The device is not connected.");

export class ZwaveDriver implements Driver {
  readonly name = "zwave";
  readonly #claims: Claims;
  readonly #link: ZwaveLink;
  readonly #heard: HeardUntil;
  readonly #ending: AbortController;
  readonly #unlisten: (() => void) | undefined;

  private constructor(
    deps: ZwaveDriverDeps,
    identities: KeptIdentities,
    addresses: DeviceAddresses,
    heard: HeardUntil,
  ) {
    const { clock, random, log, askClaims, admit, admissions, open, server } = deps;
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    const claims = new Claims({ clock, log, ask: askClaims, signal });
    const session = new SessionClaims({ clock, log, claims, signal, answered: () => undefined });
    const host = hostWithClaims(asShared(deps.host), session);
    const transport = `zwave ${server}`;
    this.#claims = claims;
    this.#heard = heard;
    this.#link = new ZwaveLink({
      ...{ clock, random, log, transport, host, identities, addresses, heard, open },
      admit: (candidate) => admission(admit, candidate, admissions),
      ask: (edgeIds) => session.ask(edgeIds),
      opened: () => {
        session.begin();
        host.opened(transport);
      },
    });
    this.#unlisten = admissions?.listen(() => this.#link.admissionChanged());
  }

  /** @throws what the store throws */
  static async start(deps: ZwaveDriverDeps): Promise<ZwaveDriver> {
    const identities = new KeptIdentities(deps.store);
    await identities.load();
    const addresses = new DeviceAddresses(deps.store, (failure) => {
      deps.log.error({ failure: String(failure) }, "which addresses the properties of a device have could not be kept");
    });
    await addresses.load();
    return new ZwaveDriver(deps, identities, addresses, await HeardUntil.load(deps.clock, deps.log, deps.store));
  }

  has(edgeId: string): boolean {
    return this.#link.live(edgeId) !== undefined;
  }

  async read(device: string, address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return this.#link.live(device)?.read(address, attempt) ?? NOT_HERE;
  }

  async write(device: string, address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return this.#link.live(device)?.write(address, value, attempt) ?? NOT_HERE;
  }

  yield(edgeIds: readonly string[]): void {
    this.#claims.note(edgeIds);
    this.#link.yield(edgeIds);
  }

  found(): readonly FoundDevice[] {
    return this.#link.found();
  }

  problem(): string | undefined {
    return sentencesOf(this.#link.troubles());
  }

  status() {
    return { line: this.name, ...this.#link.status() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unlisten?.();
    this.#ending.abort(new Error("the driver stops"));
    await this.#link[Symbol.asyncDispose]();
    this.#heard[Symbol.dispose]();
  }
}

interface ZwaveDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  readonly askClaims: AskClaims;
  readonly admissions: Admissions;
  readonly store: DriverStore;
}

/** @throws what the store throws */
export function zwaveDriver({ admit, server }: ZwaveSettings, deps: ZwaveDeps): Promise<ZwaveDriver> {
  return ZwaveDriver.start({ ...deps, admit, server: new URL(server).host, open: openByWebSocket(server) });
}
