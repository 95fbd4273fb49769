/** Creates the driver of an MQTT broker from its settings: loaded when the settings contain the driver. */
import type { Admissions, AskClaims, DriverHost, DriverStore } from "@porchlight/driver-kit";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import { openByMqttJs } from "./broker/index.ts";
import { KeptThings } from "./device/kept-things.ts";
import { homeAssistantDialect } from "./home-assistant/home-assistant-dialect.ts";
import { MqttDriver } from "./mqtt-driver.ts";
import type { MqttSettings } from "./settings.ts";
import { tasmotaDialect } from "./tasmota/tasmota-dialect.ts";
import { zigbeeJoin } from "./zigbee2mqtt/join.ts";
import { zigbee2mqttDialect } from "./zigbee2mqtt/zigbee2mqtt-dialect.ts";

interface MqttDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  readonly hubEdgeId: string;
  readonly askClaims: AskClaims;
  readonly admissions?: Admissions | undefined;
  readonly store?: DriverStore | undefined;
}

export function mqttDriver(settings: MqttSettings, { hubEdgeId, store, ...deps }: MqttDeps): MqttDriver {
  const { broker, user, password, ca, admit, zigbee2mqtt, homeAssistant, tasmota, birth } = settings;
  const [prefix] = homeAssistant;
  const on = addressInWords(broker);
  const kept = new KeptThings(store, (failure) =>
    deps.log.error({ broker: on, failure: String(failure) }, "the names and addresses of devices could not be stored"),
  );
  return MqttDriver.start({
    ...deps,
    ...{ on, kept },
    admit,
    dialects: [
      ...zigbee2mqtt.map((base) => zigbee2mqttDialect(base, kept)),
      ...(tasmota ? [tasmotaDialect(kept)] : []),
      ...homeAssistant.map((each) => homeAssistantDialect(each, each, kept)),
    ],
    setups: zigbee2mqtt.length > 0 ? [zigbeeJoin(zigbee2mqtt)] : [],
    birth: birth && prefix !== undefined ? { topic: `${prefix}/status`, payload: "online" } : undefined,
    open: openByMqttJs({ url: broker, user, password, ca, clientId: `porchlight-${hubEdgeId}` }),
  });
}

/** `mqtt HOST:PORT`, `mqtts HOST:PORT`. */
function addressInWords(broker: string): string {
  const { protocol, host } = new URL(broker);
  return `${protocol.slice(0, -1)} ${host}`;
}
