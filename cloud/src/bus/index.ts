/** The bus between nodes. */
export { type Bus, NoAnswer, NobodyThere } from "./bus.ts";
export { NatsBus } from "./nats-bus.ts";
