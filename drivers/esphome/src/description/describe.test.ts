/** What the driver makes of entities: the tables are those of docs/integrations/esphome.md. */
import { describe, expect, test } from "vitest";
import { described, entitiesOf, shortly } from "../described.fixture.ts";
import {
  AIR,
  ALARM,
  ALL_DEVICES,
  BLIND,
  BULB,
  FAN,
  GARAGE,
  HEAT_PUMP,
  ODDS,
  PLUG,
  SOIL,
  STRIP,
  THERMOSTAT,
  WHITE_MIX,
} from "../devices.fixture.ts";
import { type FakeEntity, fakeEntity } from "../fake-entity.fixture.ts";

const own = (fakes: readonly FakeEntity[], most: number) =>
  described(fakes).description.properties.slice(0, most).map(shortly);

describe("a device is described", () => {
  test.for([
    [
      "plug",
      PLUG,
      [
        "Switch:0.on boolean rwn",
        "Electricity:0.amperes number A rn",
        "Electricity:0.volts number V rn",
        "Electricity:0.watts number W rn",
        "Electricity:0.energy number kWh rn",
        "Electricity:1.energy number kWh rn",
        "Readings:0.powerButton boolean rn",
        "Settings:0.powerOnState string Always Off|Always On|Restore rwn",
        "Signal:0.rssi number dBm rn",
        "Readings:0.uptime number s rn",
        "Readings:0.ipAddress string rn",
        "Settings:0.restart boolean true w",
      ],
    ],
    [
      "bulb",
      BULB,
      [
        "Switch:0.on boolean rwn",
        "LightLevel:0.level number % 1..100 rwn",
        "LightColor:0.hue number deg 0..360 rwn",
        "LightColor:0.saturation number % 0..100 rwn",
        "LightTemperature:0.kelvin integer K 2700..6502 rwn",
        "Settings:0.effect string None|Random|Pulse rwn",
        "Settings:0.statusLed boolean rwn",
      ],
    ],
    [
      "strip",
      STRIP,
      [
        "Switch:0.on boolean rwn",
        "LightLevel:0.level number % 1..100 rwn",
        "LightColor:0.hue number deg 0..360 rwn",
        "LightColor:0.saturation number % 0..100 rwn",
        "Settings:0.white number % 0..100 rwn",
      ],
    ],
    [
      "lamp of two whites",
      WHITE_MIX,
      [
        "Switch:0.on boolean rwn",
        "LightLevel:0.level number % 1..100 rwn",
        "LightTemperature:0.kelvin integer K 2222..6667 rwn",
      ],
    ],
    [
      "blind",
      BLIND,
      [
        "Cover:0.position number % 0..100 rn",
        "Cover:0.target number % 0..100 w",
        "Cover:0.movement string stopped|opening|closing rn",
        "Settings:0.tilt number % 0..100 rwn",
        "Settings:0.stop boolean true w",
      ],
    ],
    [
      "garage door",
      GARAGE,
      [
        "Cover:0.position number % 0..100 rn",
        "Cover:0.target number % 0..100 w",
        "Cover:0.movement string stopped|opening|closing rn",
        "Settings:0.stop boolean true w",
        "Switch:0.on boolean rwn",
        "Lock:0.locked boolean rwn",
        "Lock:0.jammed boolean rn",
        "Motion:0.detected boolean rn",
        "Readings:0.obstruction boolean rn",
        "Readings:0.openings number rn",
        "Settings:0.openingDuration number s 0..180 step 0.1 rwn",
        "Settings:0.queryStatus boolean true w",
      ],
    ],
    [
      "fan",
      FAN,
      [
        "Fan:0.on boolean rwn",
        "Fan:0.speed number % 1..100 rwn",
        "Settings:0.preset string Breeze|Sleep rwn",
        "Settings:0.oscillation boolean rwn",
        "Settings:0.direction string forward|reverse rwn",
        "Switch:0.on boolean rwn",
        "LightLevel:0.level number % 1..100 rwn",
      ],
    ],
    [
      "heat pump",
      HEAT_PUMP,
      [
        "Thermostat:0.mode string off|heat|cool|auto rwn",
        "Settings:0.mode string off|heat_cool|cool|heat|fan_only|dry rwn",
        "Thermostat:0.target number °C 16..30 step 0.5 rwn",
        "Thermostat:0.activity string idle|heating|cooling rn",
        "Temperature:0.celsius number °C rn",
        "Settings:0.fanMode string auto|low|medium|high rwn",
        "Settings:0.swingMode string off|vertical rwn",
        "Settings:0.preset string none|boost rwn",
        "Settings:0.display boolean rwn",
      ],
    ],
    [
      "thermostat between two temperatures",
      THERMOSTAT,
      [
        "Thermostat:0.mode string off|heat|cool|auto rwn",
        "Settings:0.targetLow number °C 10..30 step 0.5 rwn",
        "Settings:0.targetHigh number °C 10..30 step 0.5 rwn",
        "Temperature:0.celsius number °C rn",
      ],
    ],
    [
      "sensor of the air",
      AIR,
      [
        "AirQuality:0.co2 number ppm rn",
        "Temperature:0.celsius number °C rn",
        "Humidity:0.percent number % rn",
        "Pressure:0.hectopascal number hPa rn",
        "AirQuality:0.pm25 number µg/m³ rn",
        "Readings:0.pm10MWeightConcentration number µg/m³ rn",
        "Readings:0.espTemperature number °C rn",
        "Readings:0.vocQualityIndex number rn",
        "Readings:0.vocQuality string rn",
      ],
    ],
    [
      "sensor in the garden",
      SOIL,
      [
        "Readings:0.soilMoisture number % rn",
        "Battery:0.percent number % 0..100 rn",
        "Temperature:0.celsius number °C rn",
      ],
    ],
    [
      "alarm",
      ALARM,
      [
        "AlarmPanel:0.state string disarmed|armed_home|armed_away|armed_night|armed_vacation|armed_custom_bypass|pending|arming|disarming|triggered rn",
        "AlarmPanel:0.target string disarmed|armed_home|armed_away w",
        "Siren:0.on boolean rwn",
        "Siren:0.tone string Beep|Howl w",
        "Contact:0.open boolean rn",
      ],
    ],
    [
      "board with odds and ends",
      ODDS,
      [
        "Valve:0.open boolean rwn",
        "Settings:0.valvePosition number % 0..100 rwn",
        "Lock:0.locked boolean rwn",
        "Lock:0.jammed boolean rn",
        "MediaPlayer:0.state string idle|playing|paused|announcing|off|on rn",
        "MediaPlayer:0.playback string play|pause|stop w",
        "MediaPlayer:0.volume number % 0..100 rwn",
        "MediaPlayer:0.muted boolean rwn",
        "Button:0.event string press|double n",
        "Readings:0.knob string turned_left n",
        "Settings:0.message string rwn",
        "Identify:0.active boolean true w",
      ],
    ],
  ] as const)("as a %s", ([, fakes, expected]) => {
    expect(own(fakes, expected.length)).toEqual(expected);
  });

  test("in full, in part, or not at all", () => {
    const counts = Object.entries(ALL_DEVICES).map(([name, fakes]) => [name, described(fakes).description.leftAside]);
    expect(counts.filter(([, aside]) => Object.keys(aside ?? {}).length > 0)).toEqual([
      ["ALARM", { siren: 1 }],
      ["ODDS", { lock: 1, media_player: 1, camera: 1 }],
    ]);
  });

  test("as one that is admitted by its own edgeId, by what it can do", () => {
    const sensitive = Object.entries(ALL_DEVICES).filter(([, fakes]) => described(fakes).description.isSensitive);
    expect(sensitive.map(([name]) => name)).toEqual(["GARAGE", "ALARM"]);
  });

  test("without a class where nothing says one", () => {
    const plain = fakeEntity("sensor", "Power", { state: 1 }, { deviceClass: "power" });
    expect(own([plain], 1), "without a unit").toEqual(["Readings:0.power number rn"]);
    const odd = fakeEntity("select", "Übermode", { state: "" }, { options: ["", "x".repeat(65)] });
    expect(own([odd], 1)).toEqual(["Settings:0.bermode string rwn"]);
  });

  test("by what its maker calls it", () => {
    expect(described(PLUG).description).toMatchObject({
      edgeId: "AA-BB-CC-00-00-01",
      about: {
        manufacturer: "Espressif",
        model: "esp32dev",
        firmware: "2026.10.0",
        serial: "kitchen",
        name: "Kitchen",
      },
    });
  });
});

describe("the index of an entity", () => {
  const relay = (name: string) => fakeEntity("switch", name, { state: false });
  const addresses = (fakes: readonly FakeEntity[], before = {}) => {
    const { description, kept: now } = described(fakes, before);
    const found = description.properties.map(({ entity, address }) => `${entity.name} ${address.index}`);
    return { found, kept: now };
  };
  const before = addresses([relay("Pump"), relay("Lamp")]);

  test("is by its place in the list at first", () => {
    expect(before.found).toEqual(["Pump 0", "Lamp 1"]);
  });

  test("stays when the firmware lists its entities in another order, and with others between", () => {
    const after = addresses([relay("New"), relay("Lamp"), relay("Pump")], before.kept);
    expect(after.found).toEqual(["New 2", "Lamp 1", "Pump 0"]);
  });

  test("is given to no other while the entity is not there, and is its own when it comes back", () => {
    const without = addresses([relay("New"), relay("Lamp")], before.kept);
    expect(without.found).toEqual(["New 2", "Lamp 1"]);
    expect(addresses([relay("New"), relay("Pump"), relay("Lamp")], without.kept).found).toEqual([
      "New 2",
      "Pump 0",
      "Lamp 1",
    ]);
  });

  test("distinguishes entities of different types with one name, and parts of a device with the same entities", () => {
    const motion = [
      fakeEntity("sensor", "Motion", { state: 1 }),
      fakeEntity("binary_sensor", "Motion", { state: true }),
    ];
    const [sensor, flag] = entitiesOf(motion);
    expect(sensor?.key, "the firmware gives both one key").toBe(flag?.key);
    expect(own(motion, 2)).toEqual(["Readings:0.motion number rn", "Readings:1.motion boolean rn"]);
    const twins = [1, 2].map((part) => fakeEntity("switch", "Pump", { state: false }, {}, part));
    expect(own(twins, 2)).toEqual(["Switch:0.on boolean rwn", "Switch:1.on boolean rwn"]);
  });

  test("is the same for all that one entity can do", () => {
    const lamp = fakeEntity("light", "Lamp", { state: true }, { supportedColorModes: [3], effects: ["Pulse"] });
    expect(own([relay("Pump"), lamp], 4)).toEqual([
      "Switch:0.on boolean rwn",
      "Switch:1.on boolean rwn",
      "LightLevel:1.level number % 1..100 rwn",
      "Settings:1.effect string None|Pulse rwn",
    ]);
  });

  test("stays when an update does not say any more what an entity without a name is called", () => {
    const nameless = fakeEntity("switch", "", { state: false });
    const older = fakeEntity("switch", "Kitchen", { state: false });
    const { kept } = described([older, relay("Lamp")]);
    expect(addresses([relay("Lamp"), nameless], kept).found).toEqual(["Lamp 1", " 0"]);
    const ofPart = (name: string) => fakeEntity("switch", name, { state: false }, {}, 1);
    expect(addresses([ofPart("")], described([ofPart("Pool")]).kept).found).toEqual([" 0"]);
  });

  test("is bounded: what finds no place is counted", () => {
    const many = Array.from({ length: 70 }, (_, at) => relay(`Relay ${at}`));
    const { description } = described(many);
    expect([description.properties.length, description.leftAside]).toEqual([64, { tooMany: 6 }]);
  });
});
