/** Connections to an MQTT broker, for the driver of the devices behind it and for publishing the hub's own devices. */
export type { BrokerConnection, OpenBroker, Publication, Received } from "./kept-connection.ts";
export { keepConnected, OWN_ORIGIN } from "./kept-connection.ts";
export { type BrokerAddress, openByMqttJs } from "./mqtt-js.ts";
