/**
 * The bridge: follows the hub, presents its devices as a Matter node, and forwards commands of controllers to the hub.
 *
 * Invariants: the node joins the network only after the hub's devices are known, because a controller deletes the rooms and automations
 * of missing devices; controllers of a previous owner never see the devices of the next one.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Porchlight } from "@porchlight/sdk";
import { type Clock, type Log, type Random, TaskSet } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { carryOut } from "./hub/hub-commands.ts";
import { HubFollower } from "./hub/hub-follower.ts";
import { type Choice, isChosen, type KnownDevice } from "./hub/known-device.ts";
import type { Acting } from "./matter/behaviors.ts";
import { MatterNode } from "./matter/matter-node.ts";
import { type HubPlace, PairingReport, tellHub } from "./pairing/tell-hub.ts";
import type { Asked, Verdict } from "./parts/part.ts";
import { Identities } from "./store/identities.ts";

export interface BridgeDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly hub: Porchlight;
  readonly place: HubPlace;
  readonly data: string;
  readonly port: number;
  readonly version: string;
  readonly choice: Choice;
}

/** The hub has no owner, so there is no ecosystem whose devices the bridge could present. */
export class NoOwner extends Error {}

const GONE: Verdict = { kind: "not_done", why: "the device has just gone" };
/** The bridge sends nothing to a hub that does not answer, so that the controller gets its error at once. */
const AWAY: Verdict = { kind: "not_done", why: "the hub does not answer" };

export class Bridge {
  readonly #deps: BridgeDeps;
  readonly #identities: Identities;
  readonly #follower: HubFollower;
  readonly #node: MatterNode;
  /** Updates of the Matter node in progress. */
  readonly #tasks = new TaskSet();
  readonly #failed = Promise.withResolvers<never>();
  #isOpen = false;

  private constructor(deps: BridgeDeps, identities: Identities, node: MatterNode) {
    const { clock, log, hub, choice } = deps;
    this.#deps = deps;
    this.#identities = identities;
    this.#follower = new HubFollower({
      ...{ clock, log, hub },
      isChosen: (device) => isChosen(device, choice),
      ready: () => this.#open(),
      changed: (device) => this.#behind(this.#show(device)),
      gone: (deviceId) => this.#behind(this.#node.hide(deviceId)),
      reported: (device, key, value) => this.#reported(device, key, value),
    });
    this.#node = node;
  }

  /**
   * Runs until the signal is aborted.
   * @throws PorchlightError when the hub refuses the token, or does not answer at the start; NoOwner; IdentitiesUnusable;
   * Error when the port of Matter cannot be used
   */
  static async run(deps: BridgeDeps, signal: AbortSignal): Promise<void> {
    const { clock, log, data, port, version, random, hub } = deps;
    const identities = Identities.open(data, random);
    const folder = join(data, "matter");
    const { ecosystemId } = await hub.account.token({ signal });
    if (ecosystemId === undefined) throw new NoOwner("the hub is not paired: it has no devices that could be shown");
    if (ecosystemId !== identities.home) {
      if (identities.home !== undefined) log.warn({}, "the hub has another owner: every controller is forgotten");
      rmSync(folder, { recursive: true, force: true });
      identities.moveTo(ecosystemId);
    }
    let made: Bridge | undefined;
    using report = new PairingReport({ clock, log, tell: (info) => tellHub(deps.place, info, { clock, signal }) });
    await using node = await MatterNode.start({
      ...{ clock, log, folder, port, version },
      actingFor: (deviceId, part) => (made ? made.#actingFor(deviceId, part) : NO_ONE),
      renewed: () => made?.showAll(),
      pairingChanged: () => report.is({ ...node.pairing, devices: node.size }),
    });
    made = new Bridge(deps, identities, node);
    try {
      await Promise.race([made.#follower.run(signal), made.#failed.promise]);
    } finally {
      await made.#tasks.idle();
    }
  }

  /** Presents the current state of every device. */
  showAll(): void {
    for (const known of this.#follower.all) this.#behind(this.#show(known));
  }

  /** Opens the node after the updates of all known devices are done. */
  #open(): void {
    this.#tasks
      .idle()
      .then(() => this.#node.open())
      .then(() => {
        this.#isOpen = true;
      })
      .catch((failure: unknown) => this.#failed.reject(failure));
  }

  #show(known: KnownDevice): Promise<void> {
    const device = known.shown(this.#follower.isHubThere);
    // Matter has no device type for it.
    if (device.shownAs.parts.length === 0) return this.#node.hide(device.id);
    const { parts } = device.shownAs;
    const identity = this.#identities.of(device.id, parts.length > 1 ? parts.map(({ key }) => key) : []);
    return this.#node.show(device, identity);
  }

  /** Emits events only while the node is open: button presses from before the start are not repeated. */
  #reported({ device, shownAs }: KnownDevice, key: string, value: Value): void {
    if (!this.#isOpen) return;
    for (const [part, { clusters }] of shownAs.parts.entries())
      for (const { cluster, happenings } of clusters)
        for (const happening of happenings?.(key, value) ?? [])
          this.#behind(this.#node.happened(device.id, part, cluster, happening));
  }

  #actingFor(deviceId: string, part: number): Acting {
    const known = this.#follower.device(deviceId);
    if (!known) return NO_ONE;
    const { shownAs, values } = known;
    const shown = (cluster: string) => shownAs.parts[part]?.clusters.find((each) => each.cluster === cluster);
    return {
      command: async (cluster, name, fields) => {
        const verdict = await this.#carryOut(known, shown(cluster)?.commands?.[name]?.(fields, values));
        // A controller that reads right after the answer must get the confirmed value.
        await this.#show(known);
        return verdict;
      },
      // Not awaited: the library holds the written attribute until this function returns.
      write: async (cluster, name, value) => {
        const verdict = await this.#carryOut(known, shown(cluster)?.writes?.[name]?.(value, values));
        this.#behind(this.#show(known));
        return verdict;
      },
      identify: (isOn) => {
        const { identify } = shownAs;
        return this.#carryOut(known, identify ? [{ key: identify.key, value: isOn }] : []);
      },
    };
  }

  async #carryOut(known: KnownDevice, asked: Asked | undefined): Promise<Verdict> {
    if (!asked) return GONE;
    if (!this.#follower.isHubThere) return AWAY;
    const { hub, log } = this.#deps;
    const { id } = known.device;
    const verdict = await carryOut(hub.devices, id, asked, (item) => void known.says(item));
    if (verdict.kind !== "done")
      log.info({ deviceId: id, ...verdict }, "a command of a controller was not carried out");
    return verdict;
  }

  /** Runs an update of the Matter node in the background; a failure is logged and does not end the bridge. */
  #behind(work: Promise<void>): void {
    this.#tasks
      .add(work)
      .catch((failure: unknown) => this.#deps.log.error({ failure: String(failure) }, "a device could not be shown"));
  }
}

const NO_ONE: Acting = {
  command: async () => GONE,
  write: async () => GONE,
  identify: async () => GONE,
};
