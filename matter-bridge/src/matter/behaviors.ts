/**
 * Clusters whose commands and writes the hub carries out, over the library's class of each: the library stores attributes and answers reads
 * and subscriptions; none of its server classes that act on their own is used.
 */
import type { ActionContext, Behavior, Endpoint } from "@matter/main";
import { AirQualityBehavior } from "@matter/main/behaviors/air-quality";
import { BooleanStateBehavior } from "@matter/main/behaviors/boolean-state";
import { BridgedDeviceBasicInformationServer } from "@matter/main/behaviors/bridged-device-basic-information";
import { CarbonDioxideConcentrationMeasurementBehavior } from "@matter/main/behaviors/carbon-dioxide-concentration-measurement";
import { ColorControlBehavior } from "@matter/main/behaviors/color-control";
import { DoorLockBehavior } from "@matter/main/behaviors/door-lock";
import { ElectricalEnergyMeasurementBehavior } from "@matter/main/behaviors/electrical-energy-measurement";
import { ElectricalPowerMeasurementBehavior } from "@matter/main/behaviors/electrical-power-measurement";
import { FanControlBehavior } from "@matter/main/behaviors/fan-control";
import { IdentifyServer } from "@matter/main/behaviors/identify";
import { IlluminanceMeasurementBehavior } from "@matter/main/behaviors/illuminance-measurement";
import { LevelControlBehavior } from "@matter/main/behaviors/level-control";
import { OccupancySensingBehavior } from "@matter/main/behaviors/occupancy-sensing";
import { OnOffBehavior } from "@matter/main/behaviors/on-off";
import { Pm25ConcentrationMeasurementBehavior } from "@matter/main/behaviors/pm25-concentration-measurement";
import { PowerSourceBehavior } from "@matter/main/behaviors/power-source";
import { PowerTopologyBehavior } from "@matter/main/behaviors/power-topology";
import { PressureMeasurementBehavior } from "@matter/main/behaviors/pressure-measurement";
import { RelativeHumidityMeasurementBehavior } from "@matter/main/behaviors/relative-humidity-measurement";
import { SmokeCoAlarmBehavior } from "@matter/main/behaviors/smoke-co-alarm";
import { SwitchBehavior } from "@matter/main/behaviors/switch";
import { TemperatureMeasurementBehavior } from "@matter/main/behaviors/temperature-measurement";
import { ThermostatBehavior } from "@matter/main/behaviors/thermostat";
import { TotalVolatileOrganicCompoundsConcentrationMeasurementBehavior } from "@matter/main/behaviors/total-volatile-organic-compounds-concentration-measurement";
import { ValveConfigurationAndControlBehavior } from "@matter/main/behaviors/valve-configuration-and-control";
import { WindowCoveringBehavior } from "@matter/main/behaviors/window-covering";
import { hasRemoteActor } from "@matter/main/protocol";
import { Status, StatusResponseError } from "@matter/main/types";
import type { Attributes, ClusterName, ShownCluster, Verdict } from "../parts/part.ts";

/** Carries out what controllers request of an endpoint. */
export interface Acting {
  command(cluster: string, name: string, fields: Attributes): Promise<Verdict>;
  /** The library reverts to the old value unless the verdict is `done`. */
  write(cluster: string, attribute: string, value: unknown): Promise<Verdict>;
  identify(isOn: boolean): Promise<Verdict>;
}

/** Returns the handler of an endpoint. */
type ActingFor = (endpoint: Endpoint) => Acting | undefined;

/** Matter's status for each verdict; `unknown` means that the command may have happened. */
const STATUSES: Readonly<Record<Exclude<Verdict["kind"], "done">, Status>> = {
  not_done: Status.Busy,
  rejected: Status.Failure,
  unknown: Status.Timeout,
  constraint: Status.ConstraintError,
  unsupported: Status.UnsupportedCommand,
};

/** Classes of the library, created once for each shape of a cluster and shared by all devices of that shape: each class costs memory. */
export class ShownBehaviors {
  readonly #actingFor: ActingFor;
  readonly #made = new Map<string, Behavior.Type>();
  /** Rejects a new name from a controller: the hub owns the device's name, and a controller keeps its own. */
  readonly basicInformation: Behavior.Type;
  readonly identify: Behavior.Type;

  constructor(actingFor: ActingFor) {
    this.#actingFor = actingFor;
    this.basicInformation = namedByTheHub();
    this.identify = identifiedByTheHub(actingFor);
  }

  /** Returns the library's class for a cluster. */
  of({ cluster, features, commands = {}, writes = {} }: ShownCluster): Behavior.Type {
    const [asked, written] = [Object.keys(commands).sort(), Object.keys(writes).sort()];
    const shape = JSON.stringify([cluster, features, asked, written]);
    const made = this.#made.get(shape) ?? acted(CLUSTERS[cluster].with(...features), asked, written, this.#actingFor);
    this.#made.set(shape, made);
    return made;
  }
}

function acted(
  base: Behavior.Type,
  commands: readonly string[],
  writes: readonly string[],
  actingFor: ActingFor,
): Behavior.Type {
  if (commands.length === 0 && writes.length === 0) return base;
  const cluster = base.id;
  class Acted extends base {
    // The cluster must accept reports of the device during a command, above all its confirmation.
    static readonly lockOnInvoke = false;

    override initialize(): void {
      for (const attribute of writes) {
        const changing = Reflect.get(this.events, `${attribute}$Changing`);
        if (!changing) continue;
        // Makes the library wait for this handler before it accepts the new value.
        changing.isAsync = true;
        this.reactTo(changing, async function (this: Acted, value: unknown, _old: unknown, context: unknown) {
          if (!isController(context)) return;
          settle(await actingFor(this.endpoint)?.write(cluster, attribute, value));
        });
      }
    }

    async carryOut(name: string, fields: Attributes): Promise<void> {
      settle(await actingFor(this.endpoint)?.command(cluster, name, fields));
    }
  }
  for (const name of commands)
    Object.defineProperty(Acted.prototype, name, {
      configurable: true,
      writable: true,
      value(this: Acted, fields: Attributes | undefined) {
        return this.carryOut(name, fields ?? {});
      },
    });
  return Acted;
}

function identifiedByTheHub(actingFor: ActingFor): Behavior.Type {
  return class Identified extends IdentifyServer {
    override async identify({ identifyTime }: { readonly identifyTime: number }): Promise<void> {
      settle(await actingFor(this.endpoint)?.identify(identifyTime > 0));
      this.state.identifyTime = identifyTime;
    }
  };
}

function namedByTheHub(): Behavior.Type {
  return class NamedByTheHub extends BridgedDeviceBasicInformationServer {
    override async initialize(): Promise<void> {
      await super.initialize();
      const changing = Reflect.get(this.events, "nodeLabel$Changing");
      if (!changing) return;
      this.reactTo(changing, (_value: unknown, _old: unknown, context: unknown) => {
        if (isController(context)) throw new StatusResponseError("the name is the hub's", Status.UnsupportedWrite);
      });
    }
  };
}

/** Whether a controller made the change; updates by the bridge itself are not sent to the hub. */
function isController(context: unknown): boolean {
  // The library passes the context of the change to each reactor.
  return typeof context === "object" && context !== null && hasRemoteActor(context as ActionContext);
}

/** @throws StatusResponseError unless the verdict is `done` */
function settle(verdict: Verdict | undefined): void {
  if (verdict?.kind === "done") return;
  const { kind, why } = verdict ?? { kind: "not_done", why: "the device has just gone" };
  throw new StatusResponseError(why, STATUSES[kind]);
}

/** A cluster of the library whose features can be selected. */
interface ClusterBase {
  with(...features: string[]): Behavior.Type;
}

const CLUSTERS: Readonly<Record<ClusterName, ClusterBase>> = {
  airQuality: AirQualityBehavior,
  booleanState: BooleanStateBehavior,
  carbonDioxideConcentrationMeasurement: CarbonDioxideConcentrationMeasurementBehavior,
  colorControl: ColorControlBehavior,
  doorLock: DoorLockBehavior,
  electricalEnergyMeasurement: ElectricalEnergyMeasurementBehavior,
  electricalPowerMeasurement: ElectricalPowerMeasurementBehavior,
  fanControl: FanControlBehavior,
  illuminanceMeasurement: IlluminanceMeasurementBehavior,
  levelControl: LevelControlBehavior,
  occupancySensing: OccupancySensingBehavior,
  onOff: OnOffBehavior,
  pm25ConcentrationMeasurement: Pm25ConcentrationMeasurementBehavior,
  powerSource: PowerSourceBehavior,
  powerTopology: PowerTopologyBehavior,
  pressureMeasurement: PressureMeasurementBehavior,
  relativeHumidityMeasurement: RelativeHumidityMeasurementBehavior,
  smokeCoAlarm: SmokeCoAlarmBehavior,
  switch: SwitchBehavior,
  temperatureMeasurement: TemperatureMeasurementBehavior,
  thermostat: ThermostatBehavior,
  totalVolatileOrganicCompoundsConcentrationMeasurement: TotalVolatileOrganicCompoundsConcentrationMeasurementBehavior,
  valveConfigurationAndControl: ValveConfigurationAndControlBehavior,
  windowCovering: WindowCoveringBehavior,
};
