/**
 * The library's class of each supported cluster. The library stores attributes and answers reads and subscriptions, but the hub carries
 * out commands, so no server class of the library that acts on its own is used for them.
 */

import type { Behavior } from "@matter/main";
import { AirQualityBehavior } from "@matter/main/behaviors/air-quality";
import { BooleanStateBehavior } from "@matter/main/behaviors/boolean-state";
import { CarbonDioxideConcentrationMeasurementBehavior } from "@matter/main/behaviors/carbon-dioxide-concentration-measurement";
import { ColorControlBehavior } from "@matter/main/behaviors/color-control";
import { DoorLockBehavior } from "@matter/main/behaviors/door-lock";
import { ElectricalEnergyMeasurementBehavior } from "@matter/main/behaviors/electrical-energy-measurement";
import { ElectricalPowerMeasurementBehavior } from "@matter/main/behaviors/electrical-power-measurement";
import { FanControlBehavior } from "@matter/main/behaviors/fan-control";
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
import type { ClusterName } from "../parts/part.ts";

/** A cluster of the library whose features can be selected. */
export interface ClusterBase {
  with(...features: string[]): Behavior.Type;
}

export const CLUSTERS: Readonly<Record<ClusterName, ClusterBase>> = {
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
