/** The bus between nodes. */
export { type Bus, BusWatch, NoAnswer, NoResponder } from "./bus-watch.ts";
export { NatsBus } from "./nats-bus.ts";
