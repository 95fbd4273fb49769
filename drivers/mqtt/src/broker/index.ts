/** Connections to an MQTT broker, for the driver that reaches devices behind it and for what publishes the hub's own. */
export type { BrokerConnection, OpenBroker, Publication, Received } from "./kept-connection.ts";
export { keepConnected } from "./kept-connection.ts";
export { type BrokerAddress, openByMqttJs } from "./mqtt-js.ts";
export { OWN_ORIGIN } from "./origin.ts";
