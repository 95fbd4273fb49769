/** The bus between nodes. */
export { type Bus, NoAnswer, NoResponder } from "./bus.ts";
export { BusWatch } from "./bus-watch.ts";
export { NatsBus } from "./nats-bus.ts";
