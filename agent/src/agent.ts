/**
 * The composition of the agent: its identity, state, commands, and its end of the tunnel. This file contains the steps of a start and of an
 * end in their order, and nothing else.
 */
import { join } from "node:path";
import { type AskClaims, driverStore, type StatedDriver, shareHost } from "@porchlight/driver-kit";
import { Scope } from "@porchlight/shared/kernel";
import type { AgentDeps } from "./agent-deps.ts";
import {
  Commands,
  DeviceAvailability,
  DeviceHost,
  DoubtfulValues,
  identify,
  type ReadResult,
} from "./commands/index.ts";
import { AGENT_VERSION, type Identity, openHub } from "./config/index.ts";
import { type AskDrivers, DriverManager } from "./drivers/index.ts";
import type { HomeTokens } from "./local-api/index.ts";
import { MEMBERSHIP_SETTINGS, Membership } from "./membership.ts";
import {
  type AgentStatus,
  type Answers,
  answersOf,
  completeBackup,
  driverAnswersOf,
  handBackup,
  tokenAnswersOf,
} from "./ops/index.ts";
import { beginToForget } from "./pairing/index.ts";
import type { Publisher } from "./publish/index.ts";
import { SceneTriggers } from "./scenes/index.ts";
import { type PropertyTarget, State } from "./state/index.ts";
import { tunnelStatus, UPLINK_SETTINGS } from "./uplink/index.ts";

const ABSENT_MS = 15_000;
/** How long an unpaired agent still runs, ms. */
const UNPAIRED_MS = 200;
/** How long the read of a property with an unknown value may take before it is tried again, ms. */
const DOUBTFUL_MS = 10_000;

export class Agent implements AsyncDisposable {
  readonly #deps: AgentDeps;
  readonly #scope = new Scope();
  readonly #startedAt: number;
  readonly #identity: Identity;
  readonly #state: State;
  readonly #doubts: DoubtfulValues;
  readonly #commands: Commands;
  readonly #host: DeviceHost;
  readonly #manager: DriverManager;
  #drivers: readonly StatedDriver[] = [];
  #homeApi: (AsyncDisposable & { readonly url: string }) | undefined;
  /** The reason why the configured API at home is not served. */
  #homeApiFailure: string | undefined;
  #publisher: Publisher | undefined;
  #scenes: SceneTriggers | undefined;
  #membership: Membership | undefined;
  readonly #unpaired = Promise.withResolvers<void>();
  /** Resolves with the reason when the agent cannot continue on this database: it must be ended and started again. */
  readonly broken: Promise<string>;
  /** Resolves when the hub has been unpaired: it must be ended, made to forget its owner, and started again. */
  readonly unpaired: Promise<void> = this.#unpaired.promise;

  private constructor(deps: AgentDeps, identity: Identity, state: State, broken: Promise<string>) {
    const { clock, random, log, settings } = deps;
    this.#deps = deps;
    this.#startedAt = clock.now();
    this.#identity = identity;
    this.#state = state;
    this.broken = broken;
    const driverOf = (edgeId: string) => this.#drivers.find((driver) => driver.has(edgeId));
    const absentMs = settings?.absentMs ?? ABSENT_MS;
    const known = state.devices().map(({ edgeId }) => edgeId);
    const availability = new DeviceAvailability(clock, known, absentMs);
    const isLive = (edgeId: string) => availability.of(edgeId) === "there";
    const doubts = new DoubtfulValues({ clock, state, isLive, read: (targets) => this.#read(targets) });
    this.#doubts = doubts;
    this.#commands = new Commands({ clock: state.time, log, state, driverOf, availability, doubts });
    const drivers = () => this.#drivers;
    const devices = () => state.devices().map(({ edgeId }) => edgeId);
    const { admissions } = state.kept;
    this.#manager = new DriverManager({ clock, random, log, drivers, devices, admissions });
    const happened = (...report: Parameters<SceneTriggers["happened"]>) => this.#scenes?.happened(...report);
    this.#host = DeviceHost.start({ clock, random, log, state, availability, doubts, absentMs, happened });
  }

  /**
   * Starts a hub.
   * @throws IdentityUnusable, StateUnusable (another agent runs on the folder), SystemError of the file system, TypeError
   * when `cloudUrl` is not a URL
   */
  static async start(deps: AgentDeps): Promise<Agent> {
    const { dataDir, random, edgeId, clock, log, boot, settings } = deps;
    const identity = openHub(dataDir, random, edgeId);
    const broken = Promise.withResolvers<string>();
    const damaged = broken.resolve;
    const homeEvents = deps.localApi && { edgeId: identity.edgeId };
    const about = { clock, random, log, boot, damaged, homeEvents };
    const state = State.open(join(dataDir, "agent.db"), { ...about, ...settings });
    const agent = new Agent(deps, identity, state, broken.promise);
    try {
      agent.#begin();
      await agent.#serveAtHome();
      await agent.#publish();
      return agent;
    } catch (failure) {
      await agent[Symbol.asyncDispose]();
      throw failure;
    }
  }

  get edgeId(): string {
    return this.#identity.edgeId;
  }

  status(): AgentStatus {
    const { queuedRecords, queuedBytes, logId: _, disk, clock, ...queue } = this.#state.status();
    return {
      version: AGENT_VERSION,
      pid: process.pid,
      edgeId: this.#identity.edgeId,
      cloud: this.#deps.cloudUrl,
      startedAt: this.#startedAt,
      ...(this.#membership?.status() ?? { paired: false, tunnel: tunnelStatus(undefined, this.#startedAt) }),
      queue: { records: queuedRecords, bytes: queuedBytes, ...queue },
      disk,
      clock,
      commandsWaiting: this.#commands.waiting,
      scenes: this.#scenes?.status(),
      localApi: this.#deps.localApi && { url: this.#homeApi?.url, failure: this.#homeApiFailure },
      devices: this.#state.devices().map(({ edgeId, about }) => ({
        edgeId,
        name: about.name ?? about.model,
        transport: about.transport,
        live: this.#host.isLive(edgeId),
      })),
      drivers: this.#manager.overview(),
      links: [
        ...this.#drivers.map((driver) => ({ name: driver.name, detail: driver.status?.() })),
        ...(this.#publisher ? [{ name: this.#publisher.name, detail: this.#publisher.status() }] : []),
      ],
    };
  }

  /** The handlers for requests of other commands on this hub. */
  answers(): Answers {
    const ofTokens = tokenAnswersOf(() => this.#homeTokens());
    const { clock } = this.#deps;
    const state = this.#state;
    const driverOf = (device: string) => this.#drivers.find((each) => each.has(device));
    const ofHub = answersOf({
      status: () => this.status(),
      addDevice: (device) => this.#state.addDevice(device),
      identify: (device, active) => identify({ clock, state, driverOf }, device, active),
      pair: (again) => this.#membership?.pair(again),
      release: (isForced) => this.#manager.release(isForced),
      unpair: () => this.unpair(),
      backup: () => handBackup(this.#deps.dataDir, clock, (file) => this.backup(file)),
    });
    return { ...ofHub, ...ofTokens, ...driverAnswersOf((question) => this.#manager.answer(question)) };
  }

  /** Writes a backup of the hub. @throws SystemError, SqliteError */
  async backup(file: string): Promise<void> {
    await this.#state.copyTo(`${file}.new`);
    completeBackup(`${file}.new`, this.#deps.dataDir, file, this.#state.time);
  }

  /** The journal's entries of commands to a property. */
  readonly journal = (target: PropertyTarget) => this.#state.journalOf(target);

  /** Checks for a new token, and uses it. */
  lookForToken(): void {
    this.#membership?.look();
  }

  /** Gives the token back, and marks the owner's data for deletion after the end of this agent. @throws SystemError */
  async unpair(): Promise<{ readonly revoked: boolean }> {
    const revoked = (await this.#membership?.unpair()) ?? false;
    beginToForget(this.#deps.dataDir);
    // The caller gets its answer first.
    this.#deps.clock.timer("the end of an unpaired agent", UNPAIRED_MS, () => this.#unpaired.resolve());
    return { revoked };
  }

  /** Leaves the tunnel in order, releases the devices, and closes the store. Safe to repeat. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#scope[Symbol.asyncDispose]();
  }

  /** For `test/world`: ends as by SIGKILL. Nothing more is sent, touched, written or reported. */
  kill(): void {
    this.#membership?.kill();
    void this.#homeApi?.[Symbol.asyncDispose]();
    void this.#publisher?.[Symbol.asyncDispose]();
    this.#scenes?.[Symbol.dispose]();
    this.#host.kill();
    this.#doubts[Symbol.dispose]();
    this.#state.kill();
    for (const driver of this.#drivers) {
      Promise.resolve(driver[Symbol.asyncDispose]()).catch((failure: unknown) => {
        this.#deps.log.debug({ driver: driver.name, failure: String(failure) }, "a driver did not end");
      });
    }
  }

  /** Starts in an order whose reverse is the end: no command comes when the drivers end, no report when the store does. */
  #begin(): void {
    const { clock, random, log, dial, dataDir, cloudUrl, tokens, pairing, drivers, settings } = this.#deps;
    const { localApi, publish, isMachineClockSet } = this.#deps;
    this.#scope.use(this.#state);
    this.#scope.use(this.#host);
    this.#scope.use(this.#doubts);
    // Properties whose commands were interrupted by the end of the agent's last life.
    for (const target of this.#state.unsettled) this.#doubts.raise(target);
    const askClaims: AskClaims = async (edgeIds) => this.#membership?.askClaims(edgeIds);
    const { kept } = this.#state;
    const key = this.#identity.keyFor("driver store");
    const store = (driver: string) => driverStore(kept.entries(driver, key));
    const keeping = { admissions: kept.admissions, store };
    this.#drivers = drivers(shareHost(this.#host), this.#identity.edgeId, askClaims, keeping);
    for (const driver of this.#drivers) this.#scope.use(driver);
    this.#scope.use(this.#manager);
    const [state, commands, mayTouch] = [this.#state, this.#commands, this.#mayTouch];
    this.#scenes = this.#scope.use(SceneTriggers.start({ log, state, commands, mayTouch, isMachineClockSet }));
    // Once more, so that the host stops before the drivers end: their last reports must not be stored.
    this.#scope.use(this.#host);
    this.#membership = this.#scope.use(
      Membership.start({
        ...{ clock, random, log, dataDir, cloudUrl, tokens, pairing, identity: this.#identity },
        uplink: {
          dial,
          agentVersion: AGENT_VERSION,
          state: this.#state,
          home: localApi || publish ? this.#state.home : undefined,
          commands: this.#commands,
          askDrivers: (question, signal) => this.#manager.answer(question, signal),
          askMaintenance: this.#deps.maintenance?.(this),
          claimed: (edgeIds) => {
            for (const driver of this.#drivers) driver.yield?.(edgeIds);
          },
          settings: { ...UPLINK_SETTINGS, ...settings?.uplink },
        },
        settings: { ...MEMBERSHIP_SETTINGS, ...settings?.membership },
      }),
    );
  }

  /** A hub without an API at home loads none of its code; a hub that cannot use the configured address does everything else. */
  async #serveAtHome(): Promise<void> {
    const { random, log, cloudUrl: publicUrl, localApi } = this.#deps;
    if (!localApi) return;
    const [edgeId, state, commands] = [this.edgeId, this.#state, this.#commands];
    const may = { isLive: (device: string) => this.#host.isLive(device), mayTouch: this.#mayTouch };
    const pageKey = Buffer.from(this.#identity.sign(Buffer.from("porchlight pages at home")), "base64");
    const askDrivers: AskDrivers = (question, signal) => this.#manager.answer(question, signal);
    const deps = { random, log, state, commands, askDrivers, edgeId, ...may, publicUrl, pageKey };
    try {
      const served =
        typeof localApi === "function"
          ? localApi(deps)
          : import("./local-api/index.ts").then(({ serveAtHome }) => serveAtHome(deps, localApi));
      this.#homeApi = this.#scope.use(await served);
      log.info({ url: this.#homeApi.url }, "the API at home is served");
    } catch (failure) {
      this.#homeApiFailure = failure instanceof Error ? failure.message : String(failure);
      log.error({ failure: this.#homeApiFailure }, "the API at home cannot be served");
    }
  }

  /** A hub that publishes no devices loads none of the code. */
  async #publish(): Promise<void> {
    const { random, log, publish } = this.#deps;
    if (!publish) return;
    const { publishDevices } = await import("./publish/index.ts");
    const [edgeId, state, commands] = [this.edgeId, this.#state, this.#commands];
    const deps = { random, log, state, commands, edgeId, mayTouch: this.#mayTouch };
    this.#publisher = this.#scope.use(publishDevices(publish, deps));
  }

  /** Whether the hub may control devices: not while another agent with its identity is online. */
  readonly #mayTouch = () => this.#membership?.status().tunnel.reason !== "superseded";

  async #homeTokens(): Promise<HomeTokens> {
    const { homeTokens } = await import("./local-api/index.ts");
    return homeTokens({ random: this.#deps.random, state: this.#state });
  }

  #read(targets: readonly PropertyTarget[]): Promise<ReadResult[]> {
    const deadline = this.#deps.clock.monotonic() + DOUBTFUL_MS;
    return this.#commands.read(targets, { deadline, mayTouch: () => true });
  }
}
